// Every program of testdata runs, and leaves in memory what the host computed, bit for bit where PTX fixes the result.

import test from "ava";
import { programNames, runProgram } from "./program.js";

for (const folder of [...programNames.map((name) => `programs/${name}`), "demo"]) {
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
