// A block's turn in generated code (turn.ts): which blocks can have one, and their warps' way there and back.

import type { Arena } from "../../load/arena.js";
import { type Block, barrierOf, exitLanes, wakeBlock } from "../block.js";
import { CONTEXT, WARP, WARP_BYTES } from "./context.table.js";
import { WARP_BYTES as TID_BYTES } from "./thread-indices.js";

/** Warps of a block at most: 1024 threads. */
const MOST_WARPS = 32;

/** Whether all warps from `first` on are one group of the kernel, and wait for nothing but barrier 0. */
export function mayTakeTurn({ warps, launch, cluster, barriers }: Block, first: number): boolean {
  if (warps.length > MOST_WARPS || cluster.blocks.length > 1) return false;
  const [barrier] = barriers;
  if (barrier !== undefined && (barrier.expected !== 0 || barrier.results.length > 0)) return false;
  const top = launch.process.threadBytes + launch.program.frameBytes;
  let running = 0;
  for (let i = first; i < warps.length; i++) {
    const { groups, live } = warps[i]!;
    if (groups.length === 0) continue;
    const { frame, wait, mask } = groups[0]!;
    if (groups.length > 1 || frame.program !== launch.program || frame.parent !== undefined || mask !== live)
      return false;
    if (frame.offset < 0 || frame.localTop !== top) return false;
    if (wait === undefined) running++;
    else if (wait.kind !== "barrier" || wait.barrier !== 0) return false;
  }
  return running > 1;
}

/** Words of the warps' records. */
export function createWarpRecords(arena: Arena): Int32Array | undefined {
  const stretch = arena.take(MOST_WARPS * WARP_BYTES);
  return stretch && new Int32Array(stretch.bytes.buffer, stretch.offset, stretch.bytes.length / 4);
}

const WORDS = WARP_BYTES / 4;
const at = (warp: number, field: number): number => warp * WORDS + (field >> 2);

/** What a warp issued in its turn, and whether it used its share up. */
export const issuedBy = (records: Int32Array, warp: number): number => records[at(warp, WARP.issued)]!;
export const isReady = (records: Int32Array, warp: number): boolean => records[at(warp, WARP.isReady)] === 1;

/** Puts the warps from `first` on into their records, and the barrier's count into the context. */
export function putWarps(
  { warps, barriers }: Block,
  first: number,
  records: Int32Array,
  context: Int32Array,
  firstTid: number,
): void {
  records.fill(0, 0, warps.length * WORDS);
  for (let i = first; i < warps.length; i++) {
    const warp = warps[i]!;
    const group = warp.groups[0];
    if (group === undefined) continue;
    records[at(i, WARP.mask)] = group.mask;
    records[at(i, WARP.words)] = group.frame.offset;
    records[at(i, WARP.local)] = warp.localBytes.offset;
    records[at(i, WARP.localStride)] = warp.localStride;
    records[at(i, WARP.tid)] = firstTid + TID_BYTES * i;
    records[at(i, WARP.warpid)] = i;
    records[at(i, WARP.pc)] = group.pc;
    records[at(i, WARP.waits)] = group.wait === undefined ? 0 : 1;
  }
  const barrier = barriers[0];
  context[CONTEXT.arrived >> 2] = barrier?.anyone === true ? barrier.lanes : 0;
  context[CONTEXT.hasOpened >> 2] = 0;
}

/** Takes back where the warps are and what they count, from what `clocks` and the launch's count were. */
export function takeWarps(
  block: Block,
  first: number,
  records: Int32Array,
  context: Int32Array,
  clocks: readonly number[],
  before: number,
): void {
  const { warps, launch } = block;
  const { counters } = launch;
  const arrived = context[CONTEXT.arrived >> 2]!;
  if (context[CONTEXT.hasOpened >> 2] === 1) wakeBlock(block, 0);
  const barrier = arrived > 0 ? barrierOf(block, 0) : undefined;
  if (barrier !== undefined) {
    barrier.anyone = true;
    barrier.expected = 0;
    barrier.lanes = arrived;
  }
  counters.warpInstructions = before + context[CONTEXT.total >> 2]!;
  for (let i = first; i < warps.length; i++) {
    const warp = warps[i]!;
    const group = warp.groups[0];
    if (group === undefined) continue;
    const issued = records[at(i, WARP.issued)]!;
    warp.clock = clocks[i]! + issued;
    counters.threadInstructions += records[at(i, WARP.threads)]!;
    group.pc = records[at(i, WARP.pc)]!;
    const waits = records[at(i, WARP.waits)] === 1;
    group.wait = waits ? AT_BARRIER : undefined;
    if (issued > 0) group.penalty = 0;
    if (waits) barrier!.arrived[i] = group.mask;
  }
  // Last: their going may let others go on, who have to be known as waiting.
  for (let i = first; i < warps.length; i++) {
    const warp = warps[i]!;
    if (records[at(i, WARP.hasExited)] !== 1) continue;
    warp.current = warp.groups[0];
    exitLanes(warp, warp.groups[0]!, warp.live);
  }
}

const AT_BARRIER = { kind: "barrier", barrier: 0 } as const;
