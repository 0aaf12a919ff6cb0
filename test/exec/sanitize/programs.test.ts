// Correct programs have no findings. A sample; bench/sanitize.ts runs all of them.

import test from "ava";
import { sample } from "../../sample.js";
import { linkProgram, runProgram } from "../../programs/program.js";

const names = [
  "barrier-votes",
  "bulk-copy",
  "cluster",
  "dynamic-shared",
  "heap",
  "histogram",
  "last-block",
  "message-passing",
  "structs-debug",
  "warp-votes",
  "wgmma-registers",
];

for (const name of sample(names, 6))
  test(`${name} has no findings`, async (t) => {
    const folder = `programs/${name}`;
    const { report, comparisons } = await runProgram(folder, linkProgram(folder), { sanitize: {} });
    t.deepEqual(report.findings, []);
    t.is(report.fault, undefined);
    for (const { mismatches } of comparisons) t.is(mismatches, 0);
  });
