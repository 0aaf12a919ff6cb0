// Barriers of a block. The SM's barrier unit takes one arrival after the other and opens a barrier a while after the last: on an
// H200 `bar.sync` costs 12 cycles and 2 for each warp of the block (records: bar_sync), and one that reduces a predicate more
// (bar_red).

import type { GpuModel } from "./model.js";
import type { ResidentBlock, Warp } from "./warp.js";

export interface Barriers {
  /** A warp arrives at a barrier at cycle `at`; `opens` is called for barriers that open. */
  readonly arrive: (warp: Warp, barrier: ArrivalAt, at: number) => void;
  /** A warp of the block has ended: barriers that waited for it alone open. */
  readonly leave: (block: ResidentBlock, at: number) => void;
}

export interface ArrivalAt {
  readonly number: number;
  /** Threads that it waits for; 0: the block's. */
  readonly threads: number;
  readonly waits: boolean;
  /** Its result depends on all arrivals. */
  readonly reduces: boolean;
}

/** `open(warps, at)`: they go on at `at`. */
export function createBarriers(
  { barrier: costs }: GpuModel,
  open: (warps: readonly Warp[], at: number) => void,
): Barriers {
  /** When the unit is free. */
  let free = 0;

  function openOne(block: ResidentBlock, number: number, at: number): void {
    const barrier = block.barriers.get(number)!;
    const woken = barrier.waiting.splice(0);
    barrier.arrived = 0;
    block.blocked -= woken.length;
    open(woken, at);
  }

  /**
   * Guarantees that a trace ends: if the lanes of one warp arrive at a barrier group by group, or its number or count is in a
   * register, all warps may wait at barriers whose counts are never reached. Then all of these open.
   */
  function openAllWhenStuck(block: ResidentBlock, at: number): void {
    if (block.live > 0 && block.blocked >= block.live)
      for (const number of block.barriers.keys()) openOne(block, number, at);
  }

  return {
    arrive: (warp, { number, threads, waits, reduces }, at) => {
      const { block } = warp;
      let barrier = block.barriers.get(number);
      if (barrier === undefined) {
        barrier = { waiting: [], arrived: 0 };
        block.barriers.set(number, barrier);
      }
      barrier.arrived++;
      if (waits) {
        barrier.waiting.push(warp);
        block.blocked++;
        warp.wake = Infinity;
      }
      const each = costs.cyclesPerWarp + (reduces ? costs.reduceCyclesPerWarp : 0);
      free = Math.max(free, at) + each;
      const opens = Math.ceil(free + costs.latencyCycles + (reduces ? costs.reduceCycles : 0));
      const expected = threads > 0 ? Math.ceil(threads / 32) : block.live;
      if (barrier.arrived >= expected) openOne(block, number, opens);
      else openAllWhenStuck(block, opens);
    },
    leave: (block, at) => {
      const opens = Math.ceil(at + costs.latencyCycles);
      for (const [number, barrier] of block.barriers)
        if (barrier.waiting.length > 0 && barrier.arrived >= block.live) openOne(block, number, opens);
      openAllWhenStuck(block, opens);
    },
  };
}
