// Rows whose instructions turn operands into results and do nothing else: which they are, and how what they give is compared
// with C's arithmetic, live or as testdata/exec/rows.txt has it: a line for each row, with a checksum for each of its cases.

import { readFileSync } from "node:fs";
import test, { type ExecutionContext } from "ava";
import type { Form } from "../../../lib/isa/form.js";
import { formOf } from "../../../lib/isa/opcode.js";
import { allRows } from "../../../lib/isa/rows/all.table.js";
import { type Case, casesOf } from "./cases.js";
import { askC, hasCompiler } from "./c-oracle.js";
import { operandColumn, type Outcome, run } from "./kernels.js";
import { bitsOf, COUNT } from "./operands.js";

export const RECORD = "testdata/exec/rows.txt";

/** Sections of the manual whose rows these are; mov moves more than a register, and is tested on its own. */
const sections = /^9\.7\.(?:[1-8](?:\.|$)|9\.(?:7|21|22)$|18(?:\.|$))/;

export const valueForms: readonly Form[] = allRows
  .map(({ id }) => formOf(id)!)
  .filter(({ section }) => sections.test(section));

/** 32 bits of a case's results. */
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

const recorded: ReadonlyMap<string, readonly string[]> = new Map(
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

/** Where a case gives something else than C, the first few in words. */
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

/** Runs the rows' cases and compares each with the record; where one differs and gcc is there, says how. */
async function holdValues(t: ExecutionContext, forms: readonly Form[]): Promise<void> {
  const cases = forms.flatMap(casesOf);
  const outcomes = await run(cases);
  const wrong: Outcome[] = [];
  const complaints: string[] = [];
  for (const form of forms) {
    const own = outcomes.filter((outcome) => outcome.case.form === form.id);
    const sums = recorded.get(form.id) ?? [];
    if (sums.length !== own.length)
      complaints.push(`${form.id}: ${own.length} cases, ${sums.length} recorded: run test/exec/rows/record.js`);
    own.forEach((outcome, i) => {
      if (outcome.complaint !== undefined) complaints.push(`${outcome.case.text}: ${outcome.complaint}`);
      if (checksum(outcome.case, outcome.values) !== sums[i]) wrong.push(outcome);
    });
  }
  if (wrong.length > 0 && hasCompiler()) {
    const expected = askC(wrong.map((outcome) => outcome.case));
    complaints.push(...wrong.flatMap((outcome, i) => differences(outcome, expected[i]!, 0)));
  } else complaints.push(...wrong.map((outcome) => `${outcome.case.text}: not what C gives`));
  t.deepEqual(complaints.slice(0, 40), []);
}

const isIn = (section: string, chapter: string): boolean => section === chapter || section.startsWith(`${chapter}.`);

/** A test for each opcode of these chapters of the manual. */
export function testValues(chapters: readonly string[]): void {
  const forms = valueForms.filter(({ section }) => chapters.some((chapter) => isIn(section, chapter)));
  for (const opcode of new Set(forms.map((form) => form.opcode)))
    test(`${opcode} gives what C's arithmetic gives`, (t) =>
      holdValues(
        t,
        forms.filter((form) => form.opcode === opcode),
      ));
}
