// Instructions that are translated to C: the rows of testdata/exec/meanings.c, grouped by opcode, so that conversions,
// which are many, do not dominate.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { testdata } from "../../oracle/programs.js";

export interface Row {
  /** "add.s32 d, a, b" */
  readonly text: string;
  /** Of d, a, b, c, e. */
  readonly kinds: readonly string[];
}

/** Cases that each row has in the file. */
const CASES = 192;

/**
 * A shared variable in an instruction's block is one for all threads, and ptxas refuses conversions between bytes and
 * bf16.
 */
const unfit = /\.shared|[su]8\.bf16|bf16\.[su]8/;

const sizes: Readonly<Record<string, number>> = { pred: 1, b16: 2, f16: 2, bf16: 2, b64: 8, f64: 8 };

/** Additional groups of halves, which are rare among the rows of their opcodes. */
export const halfGroups = ["f16", "bf16", "f16x2", "bf16x2"] as const;

export function readRows(): ReadonlyMap<string, readonly Row[]> {
  const bytes = gunzipSync(readFileSync(new URL("exec/meanings.bin.gz", testdata)));
  const rows = new Map<string, Row[]>();
  for (let at = 0; at < bytes.length;) {
    const take = (): string => bytes.toString("utf8", at + 1, (at += 1 + bytes[at]!));
    const [text, kinds] = [take(), take().split(" ")];
    at += CASES * (sizes[kinds[0]!] ?? 4);
    if (unfit.test(text)) continue;
    const opcode = /[a-z]\w+(?=\.(?!reg|local))/.exec(text.replace(/\.reg|\.local/g, ""))?.[0] ?? text;
    const group = rows.get(opcode);
    if (group === undefined) rows.set(opcode, [{ text, kinds }]);
    else group.push({ text, kinds });
  }
  const all = [...rows.values()].flat();
  for (const kind of halfGroups)
    rows.set(
      kind,
      all.filter(({ kinds }) => kinds.includes(kind)),
    );
  return rows;
}
