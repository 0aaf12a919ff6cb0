// The cycles of a repeated pattern are those that its bank conflicts have, wherever it begins.

import test from "ava";
import { createCoalescer, describeAccess } from "../../lib/timing/record/coalesce.js";
import type { Access } from "../../lib/exec/state/observer.js";

const access = (space: "global" | "shared", bytes: number, address: (lane: number) => number): Access => ({
  space,
  bytes,
  addresses: Float64Array.from({ length: 32 }, (_, lane) => address(lane)),
  barrier: -1,
});

/** Wavefronts and lines of each access, described after the ones before it. */
function described(accesses: readonly (readonly [Access, number])[], isFresh: boolean): readonly string[] {
  let coalescer = createCoalescer();
  return accesses.map(([one, active]) => {
    if (isFresh) coalescer = createCoalescer();
    describeAccess(coalescer, one, active, 0, false);
    const { wavefronts, lineCount, lines } = coalescer.footprint;
    return `${wavefronts} ${[...lines.subarray(0, lineCount)].join(",")}`;
  });
}

const sequences: Readonly<Record<string, readonly (readonly [Access, number])[]>> = {
  "shifted by words": [0, 4, 8, 64, 128, 1000].map((from) => [access("shared", 4, (lane) => from + 8 * lane), -1]),
  "shifted by less than a word": [0, 1, 2, 3].map((from) => [access("shared", 2, (lane) => from + 2 * lane), -1]),
  "other strides": [4, 8, 16, 128, 8].map((stride) => [access("shared", 4, (lane) => stride * lane), -1]),
  "other lanes": [-1, 1, 0xffff, 0x5555, -1].map((active) => [access("shared", 4, (lane) => 128 * lane), active]),
  "other widths": [4, 8, 16, 4].map((bytes) => [access("shared", bytes, (lane) => 16 * lane), -1]),
  "shared and global": (["shared", "global", "shared"] as const).map((space) => [
    access(space, 8, (lane) => 24 * lane),
    -1,
  ]),
  "lanes that part": [
    [access("global", 4, (lane) => 4096 + 4 * (lane ^ 1)), -1],
    [access("global", 4, (lane) => 4160 + 4 * (lane ^ 1)), -1],
    [access("global", 4, (lane) => 4160 + 4 * (lane === 7 ? 500 : lane ^ 1)), -1],
  ],
};

for (const [name, accesses] of Object.entries(sequences))
  test(`accesses are described alike after others: ${name}`, (t) => {
    t.deepEqual(described(accesses, false), described(accesses, true));
  });

test("a stride of two words has two cycles wherever it begins", (t) => {
  const accesses = [0, 4, 12].map((from) => [access("shared", 4, (lane) => from + 8 * lane), -1] as const);
  t.deepEqual(described(accesses, false), ["2 ", "2 ", "2 "]);
});
