// Rows whose instructions only compute results from operands: the list, and the comparison with C's arithmetic, live or
// with testdata/exec/rows.txt, which has a line for each row, with a checksum for each of its cases.

import { readFileSync } from "node:fs";
import type { Form } from "../../../lib/isa/form.js";
import { formOf } from "../../../lib/isa/opcode.js";
import { allRows } from "../../../lib/isa/rows/all.table.js";
import type { Case } from "./cases.js";
import { operandColumn, type Outcome } from "./kernels.js";
import { bitsOf, COUNT } from "./operands.js";

export const RECORD = "testdata/exec/rows.txt";

/** Sections of the manual with these rows; mov does more than that and has its own tests. */
const sections = /^9\.7\.(?:[1-8](?:\.|$)|9\.(?:7|21|22)$|18(?:\.|$))/;

export const valueForms: readonly Form[] = allRows
  .map(({ id }) => formOf(id)!)
  .filter(({ section }) => sections.test(section));

/** A 32-bit checksum of a case's results. */
export function checksum({ results }: Case, values: BigUint64Array): string {
  let hash = 0x811c9dc5;
  values.forEach((value, i) => {
    const bits = Math.max(8, bitsOf(results[Math.floor(i / COUNT)]!.kind));
    const masked = BigInt.asUintN(bits, value);
    for (const word of [Number(masked & 0xffffffffn), Number(masked >> 32n)]) {
      hash = Math.imul(hash ^ word, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
  });
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Checksums by row. */
export const recorded: ReadonlyMap<string, readonly string[]> = new Map(
  readFileSync(RECORD, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [id, ...sums] = line.split(" ");
      return [id!, sums];
    }),
);

export const recordedForms = (): readonly string[] => [...recorded.keys()];

const hex = (x: bigint): string => `0x${x.toString(16)}`;

/** Describes the first few differences of a case from C. */
export function differences(
  { case: each, values }: Outcome,
  expected: BigUint64Array,
  seed: number,
): readonly string[] {
  const mask = (r: number, value: bigint): bigint => BigInt.asUintN(Math.max(8, bitsOf(each.results[r]!.kind)), value);
  const wrong: string[] = [];
  each.results.forEach((_, r) => {
    for (let i = 0; i < COUNT && wrong.length < 3; i++) {
      const [found, wanted] = [values[COUNT * r + i]!, mask(r, expected[COUNT * r + i]!)];
      if (found === wanted) continue;
      const operands = each.operands.map(({ kind }, place) => hex(operandColumn(kind, place, seed)[i]!));
      wrong.push(
        `${each.text} of ${operands.join(", ")}: ${hex(found)}, not ${hex(wanted)}${r === 0 ? "" : " (second)"}`,
      );
    }
  });
  return wrong;
}
