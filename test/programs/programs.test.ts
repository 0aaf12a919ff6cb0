// Every program of testdata runs, and leaves in memory what the host computed, bit for bit where PTX fixes the result.

import test from "ava";
import { programNames, runProgram } from "./program.js";

/** Programs whose instructions are checked, encoded and printed, and executed by a later version: what is said of each. */
const refused: ReadonlyMap<string, RegExp> = new Map([
  ["programs/async-copy", /cp\.async.*not executed yet|not executed yet.*cp\.async/],
  ["programs/bulk-copy", /(mbarrier|cp\.async\.bulk).*not executed yet|not executed yet/],
  ["programs/tensor", /wmma.*not executed yet|not executed yet.*wmma/],
]);

for (const [folder, says] of refused) {
  test(`${folder} is refused plainly`, async (t) => {
    const error = await t.throwsAsync(runProgram(folder));
    t.regex(error?.message ?? "", says);
  });
}

for (const folder of [...programNames.map((name) => `programs/${name}`), "demo"].filter((name) => !refused.has(name))) {
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
