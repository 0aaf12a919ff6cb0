// Barriers of a block. The SM's barrier unit processes arrivals one after another, and opens a barrier some cycles after the
// last. On an H200 `bar.sync` costs 12 cycles and 2 for each warp of the block (records: bar_sync); one that reduces a
// predicate costs more (bar_red).

import type { ResidentBlock, Sm, Warp } from "./sm-state.js";

/** Resumes the warps of a complete barrier at cycle `at`. */
type Open = (sm: Sm, warps: readonly Warp[], at: number) => void;

export interface ArrivalAt {
  readonly number: number;
  /** Number of threads; 0: the whole block. */
  readonly threads: number;
  readonly waits: boolean;
  /** Its result depends on all arrivals. */
  readonly reduces: boolean;
}

/** A warp arrives at a barrier at cycle `at`; `open` is called for barriers that open. */
export function arriveAt(sm: Sm, warp: Warp, arrival: ArrivalAt, at: number, open: Open): void {
  const { number, threads, waits, reduces } = arrival;
  const { barrier: costs } = sm.machine.model;
  const { barriers } = sm;
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
    sm.machine.wake[warp.place] = Infinity;
  }
  const each = costs.cyclesPerWarp + (reduces ? costs.reduceCyclesPerWarp : 0);
  barriers.free = Math.max(barriers.free, at) + each;
  const opens = Math.ceil(barriers.free + costs.latencyCycles + (reduces ? costs.reduceCycles : 0));
  const expected = threads > 0 ? Math.ceil(threads / 32) : block.live;
  if (barrier.arrived >= expected) openOne(sm, block, number, opens, open);
  else openStuckBarriers(sm, block, opens, open);
}

/** A warp of the block has ended: opens barriers that waited only for it. */
export function leaveBarriers(sm: Sm, block: ResidentBlock, at: number, open: Open): void {
  if (block.barriers.size === 0) return;
  const opens = Math.ceil(at + sm.machine.model.barrier.latencyCycles);
  for (const [number, barrier] of block.barriers)
    if (barrier.waiting.length > 0 && barrier.arrived >= block.live) openOne(sm, block, number, opens, open);
  openStuckBarriers(sm, block, opens, open);
}

function openOne(sm: Sm, block: ResidentBlock, number: number, at: number, open: Open): void {
  const barrier = block.barriers.get(number)!;
  const woken = barrier.waiting.splice(0);
  barrier.arrived = 0;
  block.blocked -= woken.length;
  open(sm, woken, at);
}

/**
 * Guarantees that a trace ends. If the lanes of one warp arrive at a barrier group by group, or its number or count is in a
 * register, all warps may wait at barriers whose counts are never reached. All of these then open.
 */
function openStuckBarriers(sm: Sm, block: ResidentBlock, at: number, open: Open): void {
  if (block.live > 0 && block.blocked >= block.live)
    for (const number of block.barriers.keys()) openOne(sm, block, number, at, open);
}
