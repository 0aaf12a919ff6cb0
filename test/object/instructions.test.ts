import test from "ava";
import { readFileSync } from "node:fs";
import { least, sample } from "../sample.js";
import { assemble } from "../../lib/object/assemble.js";
import { prelude } from "../oracle/isa/operands.js";
import { essence, textOf } from "./essence.js";
import { check } from "./pipeline.js";

interface Verdict {
  readonly version: string;
  readonly target: string;
  readonly statement: string;
  readonly accepted: boolean;
}

const record = JSON.parse(readFileSync(new URL("../../../testdata/isa/verdicts.json", import.meta.url), "utf8")) as {
  readonly verdicts: readonly Verdict[];
};

test("every instruction that ptxas is recorded to accept survives encoding, decoding, printing and parsing", (t) => {
  const batches = new Map<string, Verdict[]>();
  for (const verdict of sample(
    record.verdicts.filter(({ accepted }) => accepted),
    6,
    { name: ({ statement }) => statement, kind: ({ statement }) => statement.split(/[. ]/)[0]! },
  )) {
    const key = `${verdict.version} ${verdict.target}`;
    batches.set(key, [...(batches.get(key) ?? []), verdict]);
  }
  let statements = 0;
  for (const [key, batch] of batches) {
    const { version, target } = batch[0]!;
    const text = `${prelude(version, target)}${batch.map(({ statement }) => statement).join("\n")}\nret;\n}\n`;
    const object = assemble(check(text, key));
    t.deepEqual(essence(assemble(check(textOf(object), key))), essence(object), key);
    statements += batch.length;
  }
  t.log(`${statements} statements in ${batches.size} modules`);
  t.true(statements > least(200));
});
