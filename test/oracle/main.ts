// npm run oracle [-- --record]: holds our objects against those of live `ptxas -c`, symbol by symbol, and prints what
// differs. Not part of npm test, which uses the record (testdata/oracle/objects.json) that --record writes.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/write.js";
import { check } from "../object/pipeline.js";
import { compare } from "./compare.js";
import { explanation } from "./explained.table.js";
import { objectFacts, type Facts } from "./facts.js";
import { architecture, inputs, type Input } from "./inputs.js";

const folder = mkdtempSync(join(tmpdir(), "ptxkit-oracle-"));

function nvidiaFacts({ text }: Input): Facts | string {
  const [source, object] = [join(folder, "m.ptx"), join(folder, "m.o")];
  writeFileSync(source, text);
  const run = spawnSync("ptxas", ["-c", `-arch=${architecture(text)}`, source, "-o", object], { encoding: "utf8" });
  if (run.error !== undefined) throw new Error("ptxas is not on the path", { cause: run.error });
  return run.status === 0 ? objectFacts(readFileSync(object)) : run.stderr;
}

/** What differs; a module that the checker refuses and ptxas does not is one difference. */
function differencesFrom(theirs: Facts, { name, text }: Input): readonly string[] {
  try {
    return compare(objectFacts(writeObject(assemble(check(text, name)))), theirs);
  } catch (error) {
    return [`refused: ${(error as Error).message}`];
  }
}

const recorded: Record<string, Facts> = {};
let [facts, differences, meant, refused] = [0, 0, 0, 0];
try {
  for (const input of inputs()) {
    const theirs = nvidiaFacts(input);
    if (typeof theirs === "string") {
      refused++;
      console.log(`${input.name}: ptxas refuses it: ${theirs.split("\n")[0]}`);
      continue;
    }
    recorded[input.name] = theirs;
    const all = differencesFrom(theirs, input);
    const found = all.filter((line) => explanation(input.name, line) === undefined);
    meant += all.length - found.length;
    facts += Object.keys(theirs).length;
    differences += found.length;
    const verdict = found.length === 0 ? "agrees" : `${found.length} differ`;
    console.log(
      `${JSON.stringify(input.name).slice(1, -1).padEnd(72)} ${String(Object.keys(theirs).length).padStart(5)} facts  ${verdict}`,
    );
    for (const line of found) console.log(`    ${line}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(
  `${facts} facts of ${Object.keys(recorded).length} objects, ${differences} differences, ${meant} more that are meant`,
);

if (process.argv.includes("--record")) {
  const version = spawnSync("ptxas", ["--version"], { encoding: "utf8" }).stdout.trim().split("\n").at(-1);
  const record = { command: "ptxas -c -arch=<target, sm_75 at least> m.ptx -o m.o", version, objects: recorded };
  writeFileSync("testdata/oracle/objects.json", `${JSON.stringify(record, undefined, 1)}\n`);
}
process.exitCode = differences + refused === 0 ? 0 : 1;
