// docs/execution.md names what is not executed; the list is made from the tables of forms and of meanings.

import test from "ava";
import { isExecuted } from "../../lib/exec/meanings/all.js";
import { formsOf } from "../../lib/isa/opcode.js";
import { opcodeNames } from "../../lib/isa/rows/all.table.js";
import { holdPart } from "../page.js";

test("docs/execution.md lists every form that is not executed", (t) => {
  const opcodes = opcodeNames().map((name) => ({ name, forms: formsOf(name) }));
  const all = opcodes.flatMap(({ forms }) => forms);
  const rows = opcodes.flatMap(({ name, forms }) => {
    const missing = forms.filter((form) => !isExecuted(form));
    if (missing.length === 0) return [];
    const ids = missing.map(({ id }) => `\`${id}\``).join(" ");
    return [
      `| \`${name}\` | ${missing.length === forms.length ? "all" : `${missing.length} of ${forms.length}`} | ${ids} |`,
    ];
  });
  const executed = all.filter(isExecuted).length;
  holdPart(
    t,
    "execution.md",
    "forms not executed",
    `${executed} of ${all.length} forms are executed, some of them not with every modifier. Not executed:\n\n| opcode | forms | ids |\n| --- | --- | --- |\n${rows.join("\n")}\n`,
  );
});
