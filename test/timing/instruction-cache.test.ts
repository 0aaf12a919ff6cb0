// Code beyond the instruction caches: lines of 128 bytes, eight machine instructions.

import test from "ava";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { createInstructionCache, fetchInstruction, isExceeded } from "../../lib/timing/sm/instruction-cache.js";

/** Cycles an instruction that sub-core 0 takes in the last of three turns of a loop of `kibibytes` KiB. */
function cyclesOf(kibibytes: number): number {
  const cache = createInstructionCache(findGpu("h200"));
  const instructions = kibibytes * 64;
  let now = 0;
  let begin = 0;
  for (let turn = 0; turn < 3; turn++) {
    begin = now;
    for (let at = 0; at < instructions; at++) now = Math.max(now + 1, fetchInstruction(cache, 0, at, now + 1));
  }
  return (now - begin) / instructions;
}

test("a loop that fits is fetched once, a larger one line by line in 18 cycles each, or in 46", (t) => {
  t.is(cyclesOf(32), 1);
  t.true(Math.abs(cyclesOf(64) - 18 / 8) < 0.01);
  t.true(Math.abs(cyclesOf(160) - 46 / 8) < 0.01);
});

test("only code larger than a sub-core's cache is looked up", (t) => {
  const cache = createInstructionCache(findGpu("h200"));
  t.false(isExceeded(cache, 32 * 64));
  t.true(isExceeded(cache, 48 * 64));
});
