// Registers of cvt compared with those that ptxas accepts (recorded by testdata/check/cvt-registers.mjs): wider ones as
// in section 9.4.1 of the PTX ISA, none with .bf16, and special registers for conversions between integers.

import { readFileSync } from "node:fs";
import test from "ava";
import { check } from "./support.js";

const recorded = readFileSync(new URL("../../../testdata/check/cvt-registers.txt", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [opcode = "", ds = "", as = ""] = line.split(": ");
    return { opcode, ds: ds.split(" "), as: as.split(" ") };
  });
const integers = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
const registers = ["b8", "b16", "b32", "b64", "f16", "f32", "f64", "f16x2", ...integers];
const sources = [...registers, "%tid.x", "%clock64"];

/** Kernels with one pair of registers on each line; whether each pair is accepted. */
function accepted(opcode: string, pairs: readonly (readonly [d: string, a: string])[]): readonly boolean[] {
  const kernels = pairs.map(([d, a], i) => {
    const [declared, operand] = a.startsWith("%") ? ["", a] : [`.reg .${a} %a;`, "%a"];
    return `.entry k${i}() { .reg .${d} %d; ${declared} ${opcode} %d, ${operand}; ret; }`;
  });
  const { errors } = check([".version 9.0", ".target sm_90", ".address_size 64", ...kernels].join("\n"));
  const wrong = new Set(errors.map(({ place }) => (place?.kind === "text" ? place.line - 4 : -1)));
  return pairs.map((_, i) => !wrong.has(i));
}

test("cvt takes the registers that ptxas takes", (t) => {
  t.true(recorded.length > 150);
  for (const { opcode, ds, as } of recorded) {
    const ofD = accepted(
      opcode,
      registers.map((d) => [d, as[0]!]),
    );
    const ofA = accepted(
      opcode,
      sources.map((a) => [ds[0]!, a]),
    );
    t.deepEqual(
      [registers.filter((_, i) => ofD[i]).sort(), sources.filter((_, i) => ofA[i]).sort()],
      [[...ds].sort(), [...as].sort()],
      opcode,
    );
  }
});
