// Every program of testdata on several threads of the host, called for every launch: the same memory, counts, text and faults
// as on one. A launch may be over before another thread is there; test/exec/workers holds launches where all take part.
// A sample, one in 32.

import test from "ava";
import { sample } from "../sample.js";
import { linkProgram, programNames, runProgram } from "./program.js";

/** Blocks that wait for others execute as much more as they wait longer. */
const waiting: ReadonlySet<string> = new Set(["spin-lock", "message-passing"]);

for (const name of sample(programNames, 32, { kind: (each) => `${waiting.has(each)}` }))
  test.serial(`${name} gives the same on several threads`, async (t) => {
    const folder = `programs/${name}`;
    const image = linkProgram(folder);
    const { report: alone } = await runProgram(folder, image);
    const threads = programNames.indexOf(name) % 2 === 0 ? 2 : 3;
    const { report, comparisons } = await runProgram(folder, image, { threads, callFrom: 0, hotAfter: 0 });
    if (!waiting.has(name)) t.deepEqual(report.launches, alone.launches);
    t.deepEqual(report.fault, alone.fault);
    t.is(report.printf, alone.printf);
    for (const { name: output, mismatches } of comparisons) t.is(mismatches, 0, output);
  });
