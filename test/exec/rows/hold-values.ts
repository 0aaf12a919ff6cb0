// Tests of rows whose instructions compute results from operands: one for each opcode. A sample has one in 50 of the
// cases of each row, at least one.

import test, { type ExecutionContext } from "ava";
import type { EngineName } from "../../../lib/exec/state/launch.js";
import type { Form } from "../../../lib/isa/form.js";
import { sample } from "../../sample.js";
import { type Case, casesOf } from "./cases.js";
import { hasCompiler, openOracle } from "./c-oracle.js";
import { run } from "./kernels.js";
import { checksum, differences, recorded, valueForms } from "./values.js";

/** A case and its recorded checksum. */
interface Held {
  readonly case: Case;
  readonly sum: string;
}

/** Runs cases on an engine and compares each with the record. With gcc installed, it describes differences. */
async function holdCases(t: ExecutionContext, held: readonly Held[], engine: EngineName): Promise<void> {
  const outcomes = await run(
    held.map((each) => each.case),
    0,
    engine,
  );
  const complaints = outcomes.flatMap(({ case: each, complaint }) =>
    complaint === undefined ? [] : [`${each.text}: ${complaint}`],
  );
  const wrong = outcomes.filter((outcome, i) => checksum(outcome.case, outcome.values) !== held[i]!.sum);
  if (wrong.length > 0 && hasCompiler()) {
    const oracle = openOracle();
    const expected = oracle.ask(wrong.map((outcome) => outcome.case));
    oracle.close();
    complaints.push(...wrong.flatMap((outcome, i) => differences(outcome, expected[i]!, 0)));
  } else complaints.push(...wrong.map((outcome) => `${outcome.case.text}: not what C gives`));
  t.deepEqual(complaints.slice(0, 40), []);
}

/** The cases of a row; the record must have as many. */
function heldOf(t: ExecutionContext, form: Form): readonly Held[] {
  const cases = casesOf(form);
  const sums = recorded.get(form.id) ?? [];
  t.is(sums.length, cases.length, `${form.id}: cases recorded; test/exec/rows/record.js records them`);
  return cases.map((each, i) => ({ case: each, sum: sums[i] ?? "none" }));
}

const isIn = (section: string, chapter: string): boolean => section === chapter || section.startsWith(`${chapter}.`);

const sampled = (held: readonly Held[], every: number, kind: (of: Held) => string): readonly Held[] =>
  sample(held, every, { name: (each) => each.case.text, kind });

/** Declares a test for each opcode of these chapters of the manual. */
export function testValues(chapters: readonly string[]): void {
  const forms = valueForms.filter(({ section }) => chapters.some((chapter) => isIn(section, chapter)));
  for (const opcode of new Set(forms.map((form) => form.opcode)))
    test(`${opcode} gives what C's arithmetic gives`, (t) =>
      holdCases(
        t,
        sampled(
          forms.filter((form) => form.opcode === opcode).flatMap((form) => heldOf(t, form)),
          50,
          (each) => each.case.form,
        ),
        "reference",
      ));
}

/**
 * Cases of all rows on the fast engine, which compiles them all. A sample has one in 500, some of rows with the same
 * first two letters.
 */
export function testOnFastEngine(): void {
  test("rows give the same on the fast engine", (t) =>
    holdCases(
      t,
      sampled(
        valueForms.flatMap((form) => heldOf(t, form)),
        500,
        (each) => each.case.form.slice(0, 2),
      ),
      "fast",
    ));
}
