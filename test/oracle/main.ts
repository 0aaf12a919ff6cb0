// npm run oracle [-- --record]: holds our objects against those of live `ptxas -c`, symbol by symbol, and prints what
// differs. Not part of npm test, which uses the record (testdata/oracle/objects.json) that --record writes.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { check } from "../object/pipeline.js";
import { compare } from "./compare.js";
import { explanation } from "./explained.table.js";
import { objectFacts, type Facts } from "./facts.js";
import { architecture, inputs, type Input } from "./inputs.js";

const folder = mkdtempSync(join(tmpdir(), "ptxkit-oracle-"));

/** What ptxas 13.0 says to `-c` of some modules of PTX before 3.1, all of which it compiles without. */
const noObjects = /^ptxas fatal +: 'Compile only\(-c\)' requires PTX ISA \.version 3\.1 or later$/m;

/** Facts; or why ptxas makes no objects of such modules though it compiles them, or what it refuses. */
type Theirs = { readonly facts: Facts } | { readonly untried: string } | { readonly refused: string };

function nvidiaFacts({ text }: Input): Theirs {
  const [source, object] = [join(folder, "m.ptx"), join(folder, "m.o")];
  writeFileSync(source, text);
  const ptxas = (...options: readonly string[]) =>
    spawnSync("ptxas", [...options, `-arch=${architecture(text)}`, source, "-o", object], { encoding: "utf8" });
  const run = ptxas("-c");
  if (run.error !== undefined) throw new Error("ptxas is not on the path", { cause: run.error });
  if (run.status === 0) return { facts: objectFacts(readFileSync(object)) };
  const version = /^\s*\.version\s+(\S+)/m.exec(text)?.[1];
  if (noObjects.test(run.stderr) && Number(version) < 3.1 && ptxas().status === 0)
    return { untried: `ptxas makes objects (-c) from PTX 3.1 on, and this is PTX ${version}` };
  return { refused: run.stderr.split("\n").find((line) => !line.includes("warning")) ?? run.stderr };
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
let [facts, differences, meant, untried, refused] = [0, 0, 0, 0, 0];
try {
  for (const input of inputs()) {
    const answer = nvidiaFacts(input);
    if ("untried" in answer) {
      untried++;
      console.log(`${input.name}: not tried: ${answer.untried}`);
      continue;
    }
    if ("refused" in answer) {
      refused++;
      console.log(`${input.name}: ptxas refuses it: ${answer.refused}`);
      continue;
    }
    const theirs = answer.facts;
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
  `${facts} facts of ${Object.keys(recorded).length} objects, ${differences} differences, ${meant} more that are meant; ` +
    `${untried} modules not tried, ${refused} refused`,
);

if (process.argv.includes("--record")) {
  const version = spawnSync("ptxas", ["--version"], { encoding: "utf8" }).stdout.trim().split("\n").at(-1);
  const record = { command: "ptxas -c -arch=<target, sm_75 at least> m.ptx -o m.o", version, objects: recorded };
  writeFileSync("testdata/oracle/objects.json", `${JSON.stringify(record, undefined, 1)}\n`);
}
process.exitCode = differences + refused === 0 ? 0 : 1;
