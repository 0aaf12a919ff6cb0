// Random kernels (random/) stop alike on both engines, at limits, faults and interruptions, and on several threads. A
// sample has a few; npm run oracle:engines -- SEED COUNT --limits, or --faults, runs hundreds.

import test from "ava";
import { isAll, sample } from "../sample.js";
import { type FaultName, faultNames, withFaults } from "./random/faults.js";
import { randomKernel } from "./random/kernel.js";
import { readRows } from "./random/rows.js";
import { compareFault, compareInterruption, compareLimits } from "./random/stops.js";

const rows = readRows();

test("both engines stop at the same instruction of every limit", async (t) => {
  for (const seed of sample([8, 12, 14], 3))
    t.is((await compareLimits(randomKernel(seed, rows), false, 10)).problem, undefined, `seed ${seed}`);
});

test("several threads stop at the same number of instructions", async (t) => {
  t.is((await compareLimits(randomKernel(14, rows), true, 10)).problem, undefined);
});

/** How the kernels below stop; those with other statements run to their end. */
const stopsOf: Readonly<Partial<Record<FaultName, string>>> = {
  illegal: "illegal-address",
  misaligned: "misaligned-address",
  trap: "trap",
  brkpt: "trap",
  barrier: "deadlock",
  stack: "stack-overflow",
  endless: "instruction-limit",
  pointer: "illegal-address",
  undefined: "illegal-address",
  table: "trap",
  assert: "assert",
  free: "illegal-address",
};

for (const name of faultNames)
  test(`both engines report the same stop: ${name}`, async (t) => {
    const kinds: string[] = [];
    for (const seed of [10, 29]) {
      const { problem, kind } = await compareFault(withFaults(randomKernel(seed, rows), name), false);
      t.is(problem, undefined, `seed ${seed}`);
      kinds.push(kind);
      if (!isAll && kind === stopsOf[name]) break;
    }
    t.true(kinds.includes(stopsOf[name] ?? "none"), kinds.join());
  });

test("several threads find the same fault", async (t) => {
  const found = [
    [10, "illegal"],
    [12, "trap"],
    [14, "barrier"],
  ] as const;
  for (const [seed, name] of sample(found, 6)) {
    const { problem } = await compareFault(withFaults(randomKernel(seed, rows), name), true);
    t.is(problem, undefined, `seed ${seed}`);
  }
});

test("an abort stops all threads at the same place", async (t) => {
  const { problem, kind } = await compareInterruption(withFaults(randomKernel(14, rows), "endless"));
  t.is(problem, undefined);
  t.is(kind, "interrupted");
});
