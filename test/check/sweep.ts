// Every prefix and every deletion of one token, of every module of testdata: `npm run sweep [-- SECONDS [FIRST]]`. It takes
// a quarter of an hour and more, so it can be had in parts: it stops after the module at which the seconds are over, says so,
// and goes on from there when told that module's number. test/check/total.test.ts holds a sample of it.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { deletions, faultOf, prefixes } from "./damage.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));
const every = { first: 0, step: 1 };
const [seconds = "Infinity", first = "1"] = process.argv.slice(2);
let read = 0;
let answered = 0;
let wrong = 0;

const names = readdirSync(testdata, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ptx") && !name.startsWith("hostile"))
  .sort();
for (const [at, name] of names.entries()) {
  if (at + 1 < Number(first)) continue;
  if (performance.now() > Number(seconds) * 1000) {
    console.log(`stopped before ${at + 1} of ${names.length}: ${name}`);
    break;
  }
  read++;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${at + 1} of ${names.length}: ${name}`);
  const bytes = readFileSync(path.join(testdata, name));
  for (const damage of [prefixes, deletions]) {
    for (const damaged of damage(bytes, every)) {
      answered++;
      const fault = answerOf(() => faultOf(damaged));
      if (fault === undefined) continue;
      wrong++;
      console.log(`${name}, ${damaged.what}: ${fault}`);
    }
  }
}
if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
console.log(`${read} of ${names.length} modules, ${answered} damaged ones, ${wrong} without a good answer`);
process.exitCode = wrong === 0 ? 0 : 1;

function answerOf(work: () => string | undefined): string | undefined {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}
