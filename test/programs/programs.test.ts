// Programs of testdata run, and leave in memory what the host computed, bit for bit where PTX fixes the result. A sample has one in
// three of each kind, which is the first word of the name.

import test from "ava";
import { sample } from "../sample.js";
import { programNames, runProgram } from "./program.js";

const names = sample(programNames, 3, { kind: (name) => name.replace(/-.*/, "") });

for (const folder of [...names.map((name) => `programs/${name}`), "demo"]) {
  test(`${folder} computes what the host computed`, async (t) => {
    const { report, comparisons, expectedPrintf } = await runProgram(folder);
    t.is(report.fault, undefined);
    t.true(comparisons.length > 0);
    for (const { name, elements, mismatches, examples } of comparisons) {
      t.is(mismatches, 0, `${name}: ${mismatches} of ${elements} differ: ${JSON.stringify(examples)}`);
      t.true(elements > 0);
    }
    if (expectedPrintf !== undefined) t.is(report.printf, expectedPrintf);
  });
}
