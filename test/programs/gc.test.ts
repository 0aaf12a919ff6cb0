// Every program of testdata after --gc-sections: where nothing is dead the image is the same file, and where something is,
// what is left still computes what the host computed.

import test from "ava";
import { sample } from "../sample.js";
import { writeObject } from "../../lib/object/file/write.js";
import { linkProgram, programNames, runProgram } from "./program.js";

/** Programs with something dead: variables that nothing uses, and weak definitions that lost. */
const withDead: readonly string[] = [
  "bits32-modules",
  "constant-table",
  "grid-sync",
  "modules-matrix",
  "modules-templates",
  "shuffle-scan",
  "sparse-vector",
];

/** nvcc makes variables static unless it compiles separately, so those that only a host reads have to be named. */
const collecting = { gcSections: true, roots: { undefined: ["untouched"] } };

test("the programs with dead code are these", (t) => {
  const isDead = (name: string): string => `${withDead.includes(name)}`;
  const names = sample(programNames, 12, { kind: isDead });
  const changed = names.filter((name) => {
    const folder = `programs/${name}`;
    const [whole, collected] = [linkProgram(folder), linkProgram(folder, { gcSections: true })];
    return Buffer.compare(writeObject(whole), writeObject(collected)) !== 0;
  });
  t.deepEqual(
    changed,
    withDead.filter((name) => names.includes(name)),
  );
});

for (const folder of [...sample(withDead, 6).map((name) => `programs/${name}`), "demo"])
  test(`${folder} without its dead code computes what the host computed`, async (t) => {
    const { report, comparisons, expectedPrintf } = await runProgram(folder, linkProgram(folder, collecting));
    t.is(report.fault, undefined);
    t.true(comparisons.length > 0);
    for (const { name, mismatches } of comparisons) t.is(mismatches, 0, name);
    if (expectedPrintf !== undefined) t.is(report.printf, expectedPrintf);
  });
