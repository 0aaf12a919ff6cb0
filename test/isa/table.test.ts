// The instruction table as a whole: every row is readable, names its source, and allows what it lists.

import test from "ava";
import { traitMeanings } from "../../lib/isa/traits.js";
import { compileRow } from "../../lib/isa/compile.js";
import { formsOf, resolveOpcode } from "../../lib/isa/opcode.js";
import { allRows, opcodeNames, rowById } from "../../lib/isa/rows/all.table.js";
import { knownTarget } from "../../lib/isa/targets.table.js";
import { sampleChoices, spell } from "../oracle/isa/choices.js";

const forms = opcodeNames().flatMap(formsOf);

test("every row compiles, under a unique id", (t) => {
  t.is(new Set(allRows.map((row) => row.id)).size, allRows.length);
  for (const row of allRows) {
    t.notThrows(() => compileRow(row), row.id);
    t.is(rowById(row.id), row);
  }
  t.is(forms.length, allRows.length);
});

test("every row cites a section of chapter 9.7", (t) => {
  for (const row of allRows) t.regex(row.section, /^9\.7(\.\d+)+$/, row.id);
});

test("every target that a row needs exists", (t) => {
  const requirements = forms.flatMap((form) => [
    ...form.needs,
    ...form.slots.flatMap((slot) => slot.choices.flatMap((choice) => choice.needs)),
    ...form.limits.flatMap(({ then }) => (then.kind === "needs" ? then.needs : [])),
  ]);
  const names = requirements.flatMap((clause) =>
    clause.kind === "needs" ? clause.alternatives.flatMap((a) => a.target?.name ?? []) : [],
  );
  for (const name of new Set(names)) t.truthy(knownTarget(name), name);
});

test("every choice of every slot is allowed within the row's limits", (t) => {
  for (const form of forms) t.deepEqual(sampleChoices(form, 1).unreached, [], form.id);
});

test("no row lists a choice twice", (t) => {
  for (const form of forms)
    for (const slot of form.slots) {
      const texts = slot.choices.map((choice) => choice.text);
      t.is(new Set(texts).size, texts.length, `${form.id} ${texts.join(" ")}`);
    }
});

test("a spelling in the table's order resolves to the row and the choices that it was made from", (t) => {
  for (const form of forms)
    for (const chosen of sampleChoices(form, 2).vectors) {
      const spelling = spell(form, chosen);
      const readings = resolveOpcode(spelling).filter((opcode) => opcode.form === form);
      t.is(readings.length, 1, `${form.id}: ${spelling}`);
      t.is(readings[0]!.spelling, spelling);
    }
});

test("a present operand has a type and a count, or is listed as having none", (t) => {
  for (const form of forms)
    for (const chosen of sampleChoices(form, 1).vectors) {
      const opcode = resolveOpcode(spell(form, chosen)).find((reading) => reading.form === form)!;
      for (const shape of opcode.operands) {
        if (shape.presence === "absent") continue;
        const typed = shape.spec.type.kind !== "any";
        t.is(shape.type !== undefined, typed, `${form.id} ${opcode.spelling} ${shape.spec.name}`);
        if (typeof shape.count === "number")
          t.true(Number.isInteger(shape.count) && shape.count >= 1 && shape.count <= 128);
      }
    }
});

test("written operands are named d, p or q, and precede those that are read", (t) => {
  for (const form of forms) {
    const accesses = form.operands.map((operand) => operand.access);
    const firstRead = accesses.indexOf("read");
    const lastWrite = accesses.lastIndexOf("write");
    t.true(firstRead < 0 || lastWrite < firstRead, form.id);
  }
});

test("every trait has rows", (t) => {
  const used = new Set(allRows.flatMap(({ traits = [] }) => traits));
  t.deepEqual(Object.keys(traitMeanings).toSorted(), [...used].toSorted());
});

test("traits agree with what the rows' operands are", (t) => {
  for (const { id, traits, operands } of forms) {
    const address = operands.findIndex(({ kind }) => kind === "address");
    if (traits.has("load")) t.is(address, 1, id);
    if (traits.has("store")) t.is(address, 0, id);
    if (traits.has("atomic") || traits.has("shared-only")) t.true(address >= 0 || id === "mbarrier.pending_count", id);
    if (traits.has("barrier"))
      t.true(
        operands.some(({ name }) => name === "a"),
        id,
      );
    if (traits.has("shift") || traits.has("divide")) t.is(operands[2]?.name, "b", id);
    t.is(
      traits.has("call"),
      operands.some(({ kind }) => kind === "callee"),
      id,
    );
    t.is(
      traits.has("branch"),
      operands.some(({ kind }) => kind === "label"),
      id,
    );
    t.is(
      traits.has("branch-table"),
      operands.some(({ kind }) => kind === "labels"),
      id,
    );
    t.is(
      traits.has("takes-address"),
      operands.some(({ kind }) => kind === "symbol"),
      id,
    );
  }
});
