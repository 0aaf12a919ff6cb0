// Meaning of instructions in older modules, compared with ptxas's (recorded by testdata/isa/dialects.mjs).

import { readFileSync } from "node:fs";
import test from "ava";
import { dialectOf } from "../../lib/isa/dialect.js";
import { resolveOpcode } from "../../lib/isa/opcode.js";
import { parseTarget, parseVersion } from "../../lib/isa/requirement.js";

interface Fact {
  readonly version: string;
  readonly target: string;
  readonly old: string;
  /** Current spellings for which ptxas generates the same code; several if the difference affects no result. */
  readonly now: readonly string[];
}

const file = new URL("../../../testdata/isa/dialects.json", import.meta.url);
const { facts } = JSON.parse(readFileSync(file, "utf8")) as { readonly facts: readonly Fact[] };

const spellingIn = (version: string, target: string, old: string): string => {
  const dialect = dialectOf(parseVersion(version), parseTarget(target)!);
  const opcode = resolveOpcode(old)[0]!;
  return (dialect?.(opcode) ?? opcode).spelling;
};

test("instructions of older modules mean what ptxas compiles them to", (t) => {
  const wrong = facts.filter(({ version, target, old, now }) => !now.includes(spellingIn(version, target, old)));
  t.deepEqual(wrong, []);
  t.true(facts.length > 200);
});

test("a written modifier is kept", (t) => {
  t.is(spellingIn("1.4", "sm_13", "cvt.rn.ftz.f32.f64"), "cvt.rn.ftz.f32.f64");
  t.is(spellingIn("2.0", "sm_20", "mad.rz.f32"), "mad.rz.f32");
  t.is(spellingIn("1.4", "sm_13", "div.full.f32"), "div.full.ftz.f32");
});

test("modules of current versions need no dialect", (t) => {
  t.is(dialectOf(85, parseTarget("sm_75")!), undefined);
  t.is(dialectOf(32, parseTarget("sm_20")!), undefined);
});
