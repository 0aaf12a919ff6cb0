// Video instructions: PTX ISA 9.0 section 9.7.18. Selectors after the operands select bytes and half-words; see selectors.ts.

import type { Row } from "../form.js";

const word = "u32 s32";
const comparisons = "eq ne lt le gt ge";
const secondary = "add min max";

/**
 * Rows of a scalar operation: alone, with a second operation on the result, and merged into part of a register. `modifiers`
 * follow the types.
 */
function scalar(
  name: string,
  section: string,
  types: string,
  modifiers: string,
  extra: Row["slots"] = {},
): readonly Row[] {
  const d = types.startsWith(".dtype") ? "dtype" : "u32";
  const b = types.endsWith(".u32") ? "u32" : "btype";
  const a = `a{.part}:atype, b{.part}:${b}`;
  const slots = {
    ...(d === "dtype" ? { dtype: word } : {}),
    atype: word,
    ...(b === "btype" ? { btype: word } : {}),
    ...extra,
  };
  const row = (id: string, syntax: string, more: Row["slots"] = {}): Row => ({
    id,
    syntax: `${name}${types}${modifiers}${syntax}`,
    slots: { ...slots, ...more },
    needs: "2.0:sm_20",
    section,
  });
  return [
    row(name, ` d:${d}, ${a}`),
    row(`${name}.second`, `.op2 d:${d}, ${a}, c:${d}`, { op2: secondary }),
    row(`${name}.merge`, ` d{.part}:${d}, ${a}, c:${d}`),
  ];
}

/** Rows of a SIMD operation on `lanes` parts, merged into c or accumulated. */
function simd(name: string, lanes: 2 | 4, section: string, types: string, extra: Row["slots"]): readonly Row[] {
  const [mask, select] = lanes === 2 ? ["halfmask", "halves"] : ["bytemask", "bytes"];
  const compares = types.includes(".cmp");
  const d = compares ? "u32" : "dtype";
  const operands = `d{.${mask}}:${d}, $a{.${select}}:atype, $b{.${select}}:btype, $c:${d}`;
  const row = (id: string, modifiers: string): Row => ({
    id,
    syntax: `${name}${types}${modifiers} ${operands}`,
    slots: { atype: word, btype: word, ...extra },
    needs: "3.0:sm_30",
    section,
  });
  return [row(name, compares ? "" : "{.sat}"), row(`${name}.add`, ".add")];
}

const lanes = ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"];

export const videoRows: readonly Row[] = [
  ...["vadd", "vsub", "vabsdiff", "vmin", "vmax"].flatMap((name) =>
    scalar(name, "9.7.18.1.1", ".dtype.atype.btype", "{.sat}"),
  ),
  ...["vshl", "vshr"].flatMap((name) =>
    scalar(name, "9.7.18.1.2", ".dtype.atype.u32", "{.sat}.mode", { mode: "clamp wrap" }),
  ),
  {
    id: "vmad",
    syntax: "vmad.dtype.atype.btype{.sat}{.scale} d:dtype, {-}a{.part}:atype, {-}b{.part}:btype, {-}c:dtype",
    slots: { dtype: word, atype: word, btype: word, scale: "shr7 shr15" },
    needs: "2.0:sm_20",
    section: "9.7.18.1.3",
  },
  {
    id: "vmad.po",
    syntax: "vmad.dtype.atype.btype.po{.sat}{.scale} d:dtype, a{.part}:atype, b{.part}:btype, c:dtype",
    slots: { dtype: word, atype: word, btype: word, scale: "shr7 shr15" },
    needs: "2.0:sm_20",
    section: "9.7.18.1.3",
  },
  ...scalar("vset", "9.7.18.1.4", ".atype.btype", ".cmp", { cmp: comparisons }),
  ...lanes.flatMap((name) => simd(`${name}2`, 2, "9.7.18.2.1", ".dtype.atype.btype", { dtype: word })),
  ...simd("vset2", 2, "9.7.18.2.2", ".atype.btype.cmp", { cmp: comparisons }),
  ...lanes.flatMap((name) => simd(`${name}4`, 4, "9.7.18.2.3", ".dtype.atype.btype", { dtype: word })),
  ...simd("vset4", 4, "9.7.18.2.4", ".atype.btype.cmp", { cmp: comparisons }),
];
