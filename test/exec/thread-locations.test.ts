// A launch that does not end reports where its threads are, with one line for warps at the same place.

import test from "ava";
import { abortAfter } from "./abort-after.js";
import {
  mergeLocations,
  type GroupedLocation,
  locationLines,
  threadLocationsOf,
} from "../../lib/exec/launch/thread-locations.js";
import { runBody } from "./kernel.js";

/** Warp 5 of each block, and warp 2 of the last block, never arrive. */
const stuck = `.reg .pred %p, %q; .reg .b32 %w, %b; shr.u32 %w, %t, 5; mov.u32 %b, %ctaid.x;
  setp.eq.u32 %p, %w, 5;
  setp.eq.u32 %q, %b, 3;
  @%q bra spin;
  @%p bra spin;
  bar.sync 0;
  bra end;
  spin: bra spin;
  end:`;

test("warps at the same place are one line: the instruction limit", async (t) => {
  const { result } = await runBody(stuck, { grid: 4, block: 256, maxInstructions: 50_000_000, cooperative: true });
  t.is(result.fault?.kind, "instruction-limit");
  t.deepEqual(result.fault?.details, [
    "warps 0-4, 6-7 of blocks 0-2, lanes 0xffffffff: bar.sync in k (test.ptx:14), barrier 0 has 224 of 256 threads",
    "warp 5 of blocks 0-2, warps 0-7 of block 3, lanes 0xffffffff: bra in k (test.ptx:16)",
  ]);
  t.like(result.fault?.threadLocations?.[0], {
    kernel: "k",
    function: "k",
    instruction: "bar.sync",
    file: "test.ptx",
    line: 14,
    lanes: 0xffffffff,
    threads: 3 * 7 * 32,
  });
});

test("an aborted launch reports the same, with the place of the last thread to run", async (t) => {
  const { result } = await runBody(stuck, {
    grid: 2,
    block: 256,
    cooperative: true,
    signal: abortAfter(200),
    maxInstructions: Infinity,
  });
  t.like(result.fault, { kind: "interrupted", kernel: "k", file: "test.ptx", line: 16 });
  t.regex(result.fault?.details?.[0] ?? "", /^warps 0-4, 6-7 of blocks 0-1, .*: bar\.sync in k/);
});

test("parts of a warp, the warps they wait for, and their callers", async (t) => {
  const before = `.func wait(.reg .b32 m) {
  bar.warp.sync m;
  ret;
}`;
  const body = `.reg .pred %p; setp.lt.u32 %p, %t, 8; @%p bra other;
    call wait, (0xffffffff);
    bra end;
    other: bar.sync 1, 64;
    end:`;
  const { result } = await runBody(body, { before });
  t.is(result.fault?.kind, "deadlock");
  t.deepEqual([...(result.fault?.details ?? [])].sort(), [
    "warp 0 of block 0, lanes 0x000000ff: bar.sync in k (test.ptx:15), barrier 1 has 8 of 64 threads",
    "warp 0 of block 0, lanes 0xffffff00: bar.warp.sync in wait, called from k (test.ptx:5), waits for lanes 0x000000ff",
  ]);
});

test("waiting blocks are reported along with the one at fault", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %v; mov.u32 %v, %ctaid.x; setp.eq.u32 %p, %v, 1; @%p bra dead;
    wait: ld.acquire.gpu.global.u32 %v, [flag]; setp.eq.u32 %p, %v, 0; @%p bra wait;
    dead: bar.sync 0, 64;`;
  const { result } = await runBody(body, { before: ".global .u32 flag;", grid: 2 });
  t.is(result.fault?.kind, "deadlock");
  t.deepEqual(result.fault?.block, [1, 0, 0]);
  t.regex(result.fault?.details?.join("\n") ?? "", /warp 0 of block 1, .*: bar\.sync .*\n.*warp 0 of block 0, .*in k/);
});

/** A warp at that line. */
const standsAt = (line: number, block: number, warp: number, lanes = -1, waits = ""): GroupedLocation => ({
  at: { kernel: "k", function: "k", callers: [], instruction: "bra", file: "k.cu", line, waits, lanes: lanes >>> 0 },
  threads: lanes === -1 ? 32 : 1,
  byBlock: new Map([[block, [warp]]]),
});
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

test("reports of several host threads are merged: equal places are one, most threads first", (t) => {
  const own = [standsAt(9, 4, 0), standsAt(7, 0, 1), standsAt(7, 2, 1)];
  const others = [standsAt(7, 1, 1), standsAt(9, 5, 0), standsAt(8, 3, 2, 1, "waits for the cluster")];
  const places = mergeLocations([...own, ...others]);
  t.deepEqual(locationLines(places), [
    "warp 1 of blocks 0-2, lanes 0xffffffff: bra in k (k.cu:7)",
    "warp 0 of blocks 4-5, lanes 0xffffffff: bra in k (k.cu:9)",
    "warp 2 of block 3, lanes 0x00000001: bra in k (k.cu:8), waits for the cluster",
  ]);
  t.deepEqual(
    threadLocationsOf(places).map(({ threads, warps }) => [threads, warps]),
    [
      [96, "warp 1 of blocks 0-2"],
      [64, "warp 0 of blocks 4-5"],
      [1, "warp 2 of block 3"],
    ],
  );
});

test("thousands of warps at slightly different places are a few lines with counts", (t) => {
  // Block b has warps 0 to b, so that all blocks differ, and so do the lanes of each warp.
  const places = numbers(64).flatMap((block) =>
    numbers(block + 1).map((warp) => standsAt(20 + (warp % 2), block, warp, 1 << (warp % 31))),
  );
  t.deepEqual(locationLines(mergeLocations(places)), [
    "warp 0 of blocks 0-1, warps 0, 2 of blocks 2-3, warps 0, 2, 4 of blocks 4-5 and 1044 more, 1056 threads: bra in k (k.cu:20)",
    "warp 1 of blocks 1-2, warps 1, 3 of blocks 3-4, warps 1, 3, 5 of blocks 5-6 and 1012 more, 1024 threads: bra in k (k.cu:21)",
  ]);
  const apart = numbers(100).map((line) => standsAt(line, line, 0));
  const lines = locationLines(mergeLocations(apart));
  t.is(lines.length, 25);
  t.is(lines.at(-1), "and 2432 more threads at 76 more places");
});
