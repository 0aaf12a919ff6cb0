// Tests of the rows whose instructions turn operands into results: one for each opcode.

import test, { type ExecutionContext } from "ava";
import type { Form } from "../../../lib/isa/form.js";
import type { EngineName } from "../../../lib/exec/launch.js";
import { type Case, casesOf } from "./cases.js";
import { hasCompiler, openOracle } from "./c-oracle.js";
import { run } from "./kernels.js";
import { checksum, differences, recorded, valueForms } from "./values.js";

/** A case and the checksum that it has to have. */
interface Held {
  readonly case: Case;
  readonly sum: string;
}

/** Runs cases on an engine and compares each with the record; where one differs and gcc is there, says how. */
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

/** The cases of a row, which have to be as many as are recorded. */
function heldOf(t: ExecutionContext, form: Form): readonly Held[] {
  const cases = casesOf(form);
  const sums = recorded.get(form.id) ?? [];
  t.is(sums.length, cases.length, `${form.id}: cases recorded; test/exec/rows/record.js records them`);
  return cases.map((each, i) => ({ case: each, sum: sums[i] ?? "none" }));
}

const isIn = (section: string, chapter: string): boolean => section === chapter || section.startsWith(`${chapter}.`);

/** A test for each opcode of these chapters of the manual. */
export function testValues(chapters: readonly string[]): void {
  const forms = valueForms.filter(({ section }) => chapters.some((chapter) => isIn(section, chapter)));
  for (const opcode of new Set(forms.map((form) => form.opcode)))
    test(`${opcode} gives what C's arithmetic gives`, (t) =>
      holdCases(
        t,
        forms.filter((form) => form.opcode === opcode).flatMap((form) => heldOf(t, form)),
        "reference",
      ));
}

/** One case in `every`, of all rows, on the fast engine, which compiles them all. */
export function testOnFastEngine(every: number): void {
  test(`one case in ${every} gives the same on the fast engine`, (t) =>
    holdCases(
      t,
      valueForms.flatMap((form) => heldOf(t, form)).filter((_, i) => i % every === 0),
      "fast",
    ));
}
