// Every row of the isa table is in exactly one suite that tests its meaning, or in a chapter that is tested elsewhere,
// and the rows of those suites are executed.

import test from "ava";
import { meaningOf } from "../../../lib/exec/meanings/all.js";
import { makeOpcode, formOf } from "../../../lib/isa/opcode.js";
import { allRows } from "../../../lib/isa/rows/all.table.js";
import { sampleChoices } from "../../oracle/isa/choices.js";
import { atomicForms, controlForms, memoryForms, moveForms, otherChapters, warpForms } from "./suites.js";
import { recordedForms, valueForms } from "./values.js";

const suites: readonly (readonly string[])[] = [
  valueForms.map(({ id }) => id),
  moveForms,
  memoryForms,
  atomicForms,
  warpForms,
  controlForms,
];

const isElsewhere = (section: string): boolean =>
  otherChapters.some((chapter) => section === chapter || section.startsWith(`${chapter}.`));

test("every row is in one suite", (t) => {
  for (const { id, section } of allRows) {
    const count = suites.filter((forms) => forms.includes(id)).length;
    t.is(count, isElsewhere(section) ? 0 : 1, id);
  }
  t.deepEqual(
    suites.flat().filter((id) => formOf(id) === undefined),
    [],
  );
});

test("every row of arithmetic has recorded results, and no other row has", (t) => {
  t.deepEqual(
    recordedForms(),
    valueForms.map(({ id }) => id),
  );
});

test("every row of the suites is executed, with each of its modifiers", (t) => {
  const missing = suites.flat().flatMap((id) => {
    const form = formOf(id)!;
    return sampleChoices(form, 2)
      .vectors.map((chosen) => makeOpcode(form, chosen))
      .filter((opcode) => meaningOf(opcode) === undefined)
      .map(({ spelling }) => spelling);
  });
  t.deepEqual(missing, []);
});
