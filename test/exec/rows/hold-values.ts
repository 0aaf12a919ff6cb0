// Tests of the rows whose instructions turn operands into results: one for each opcode.

import test, { type ExecutionContext } from "ava";
import type { Form } from "../../../lib/isa/form.js";
import { casesOf } from "./cases.js";
import { hasCompiler, openOracle } from "./c-oracle.js";
import { type Outcome, run } from "./kernels.js";
import { checksum, differences, recorded, valueForms } from "./values.js";

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
    const oracle = openOracle();
    const expected = oracle.ask(wrong.map((outcome) => outcome.case));
    oracle.close();
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
