import test from "ava";
import { readFileSync } from "node:fs";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { compare } from "../oracle/compare.js";
import { explanation } from "../oracle/explained.table.js";
import { objectFacts, type Facts } from "../oracle/facts.js";
import { inputs } from "../oracle/inputs.js";
import { check } from "./pipeline.js";

interface Record {
  readonly command: string;
  readonly objects: Readonly<{ [name: string]: Facts }>;
}

const record = JSON.parse(
  readFileSync(new URL("../../../testdata/oracle/objects.json", import.meta.url), "utf8"),
) as Record;

test("objects agree with the record of what ptxas -c makes of the same text", (t) => {
  // A program that is newer than the record is skipped until npm run oracle -- --record is run with ptxas.
  const recorded = inputs().filter(({ name }) => record.objects[name] !== undefined);
  const differences = recorded.flatMap(({ name, text }) => {
    const theirs = record.objects[name]!;
    if (explanation(name, "refused") !== undefined) return [];
    const ours = objectFacts(writeObject(assemble(check(text, name))));
    const unexplained = compare(ours, theirs).filter((line) => explanation(name, line) === undefined);
    return unexplained.map((line) => `${name}: ${line}`);
  });
  t.deepEqual(differences, []);
  const facts = recorded.reduce((sum, { name }) => sum + Object.keys(record.objects[name]!).length, 0);
  t.log(`${facts} facts of ${recorded.length} objects`);
  t.true(facts > 1000);
});
