// The history of bytes (cells.ts): an access of a warp as a whole finds the same conflicts as its lanes one after the
// other.

import test from "ava";
import { createCells, touchBytes, touchWarp } from "../../../lib/exec/sanitize/cells.js";
import { arriveAtBarrier, openBarrier, syncLanes } from "../../../lib/exec/sanitize/barrier-order.js";
import { createOrder, warpOrder } from "../../../lib/exec/sanitize/order.js";
import { createRecords } from "../../../lib/exec/sanitize/records.js";
import type { Warp } from "../../../lib/exec/state/warp.js";

const WARPS = 3;

/** Warps of one block, with what `order` needs of them. */
function blockOf(): readonly Warp[] {
  const block = { index: 0, cluster: { blocks: [] as object[] } };
  block.cluster.blocks.push(block);
  return Array.from({ length: WARPS }, (_, index) => ({ index, block }) as unknown as Warp);
}

/** Pseudo-random numbers below a limit. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % limit;
  };
}

/**
 * Whether lanes conflict with an earlier access or with each other, for each access of the run. Which of two lanes of
 * one instruction is the later one is undefined.
 */
function conflictsOf(seed: number, atOnce: boolean): readonly boolean[] {
  const next = numbers(seed);
  const warps = blockOf();
  const order = createOrder(1);
  const records = createRecords(order);
  const cells = createCells(records, 1024);
  const addresses = new Float64Array(32);
  return Array.from({ length: 120 }, () => {
    const warp = warps[next(WARPS)]!;
    const of = warpOrder(order, warp);
    const [kind, site, bytes] = [next(8), next(6), [1, 2, 4, 8][next(4)]!];
    const [base, stride] = [8 * next(24), [0, bytes, bytes, 8][next(4)]!];
    const lanes = [-1, -1, 0xffff, 1 << next(32), next(2 ** 24)][next(5)]!;
    if (kind === 0) {
      for (const each of warps) arriveAtBarrier(order, each.block, 0, each, -1);
      openBarrier(
        order,
        warp.block,
        0,
        warps.map((each) => [each, -1] as const),
      );
      return false;
    }
    if (kind === 1) {
      syncLanes(order, warp, -1);
      return false;
    }
    const writes = kind < 4;
    // Lanes that have not synchronised may have different clocks; those of a record have one.
    const record = records.number(of, 0, site, 0);
    if (of.step.some((step) => step !== of.step[0])) return false;
    for (let lane = 0; lane < 32; lane++) addresses[lane] = base + stride * lane;
    let left = atOnce ? touchWarp(cells, lanes, { warp: of, record, writes, bytes, addresses }) : lanes;
    let found = 0;
    for (let lane = 0; lane < 32; lane++, left >>>= 1)
      if ((left & 1) !== 0)
        touchBytes(cells, addresses[lane]!, bytes, {
          warp: of,
          lane,
          record,
          writes,
          conflict: () => (found |= 1 << lane),
        });
    return found !== 0;
  });
}

test("a warp-wide check finds a conflict where the lanes have one", (t) => {
  let conflicts = 0;
  for (let seed = 1; seed <= 16; seed++) {
    const wanted = conflictsOf(seed, false);
    t.deepEqual(conflictsOf(seed, true), wanted, `seed ${seed}`);
    conflicts += wanted.filter(Boolean).length;
  }
  t.true(conflicts > 150, `${conflicts}`);
});
