// Modules that break one rule each, and their variants that break none: testdata/nvvm/verify/RULE.ll and RULE.clean.ll.
// The last line of the former has the expected diagnostic and its place.

import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import { rules, type RuleName } from "../../../lib/nvvm/verify/rules.table.js";
import { diagnosticsOf, spotOf } from "./support.js";

const folder = new URL("../../../../testdata/nvvm/verify/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".ll"));
const planted = names.filter((name) => !name.endsWith(".clean.ll")).map((name) => name.replace(/\.ll$/, ""));

const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

for (const name of planted) {
  test(`${name}: the violation is reported at its token, and nothing else`, (t) => {
    const text = read(`${name}.ll`);
    const [, expected] = /; expected: (.*)\n$/.exec(text)!;
    const found = diagnosticsOf(text, `${name}.ll`);
    t.deepEqual(found.map(spotOf), [expected]);
    t.is(found[0]!.code, rules[name as RuleName].code);
    t.truthy(found[0]!.remedy);
  });

  test(`${name}: its valid twin has no diagnostics`, (t) => {
    const found = diagnosticsOf(read(`${name}.clean.ll`), `${name}.clean.ll`);
    t.deepEqual(
      found.map(({ message }) => message),
      [],
    );
  });
}

/** Rules that text cannot break, because the parser refuses it; trees.test.ts tests them. */
const ofTrees: readonly string[] = [
  "variable-type",
  "operand-result",
  "index",
  "call-arguments",
  "call-argument",
  "switch-twice",
  "phi-type",
  "terminator",
];

test("every rule has a violation planted", (t) => {
  t.deepEqual(
    Object.keys(rules).filter((name) => !planted.includes(name) && !ofTrees.includes(name)),
    [],
  );
});
