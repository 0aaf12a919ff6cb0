// Resumes warps when what they waited for is complete, and ends those at the end of their traces.

import { leaveBarriers } from "./barriers.js";
import type { LoweredInstruction } from "./lowering.js";
import type { Sm, Warp } from "./sm-state.js";
import { countUntil } from "./stall-account.js";
import { stall } from "./stalls.js";
import { addSpan } from "./timeline.js";
import { advance } from "./warp.js";

/** Stops a warp at the end of its trace; it exits, unless its block runs in step. */
export function stopAt(sm: Sm, warp: Warp, at: number, earliest: number, last: LoweredInstruction | undefined): void {
  if (!warp.trace.isOpen) return endWarp(sm, warp, at, last);
  sm.wake[warp.place] = Infinity;
  // What a clock is read into was an operand of accesses that the memory path has to take before (records: redg_*_same).
  sm.starved.push({ warp, at: Math.max(earliest, Math.ceil(warp.handed)), isRequested: false });
}

/** Resumes a warp at cycle `at`. */
export function resume(sm: Sm, warp: Warp, at: number, reason: number): void {
  const { instruction } = warp.step!;
  if (!advance(sm, warp, at, reason)) return stopAt(sm, warp, at, at, instruction);
  // What it waits for beyond that is accounted to it.
  countUntil(sm, warp, Math.min(sm.wake[warp.place]!, at), reason, instruction);
  wakeSubcore(sm, warp);
}

export function wakeSubcore({ wake }: Sm, { subcore, place }: Warp): void {
  if (wake[place]! < subcore.next) subcore.next = wake[place]!;
}

function endWarp(sm: Sm, warp: Warp, at: number, last: LoweredInstruction | undefined): void {
  const { block, subcore } = warp;
  const { counters, machine } = sm;
  const { latencyCycles } = machine.model.l2;
  // The warp ends after its copies and reductions. Its stores may complete later, but hold its slot until they have left the SM.
  const done = Math.max(at + 1, Math.ceil(warp.copied), Math.ceil(warp.reduced - latencyCycles / 2));
  const leaves = Math.max(done, Math.ceil(warp.stored - latencyCycles / 2));
  if (last !== undefined) countUntil(sm, warp, done, stall.drain, last);
  counters.warpCycles += done - warp.start;
  addSpan(machine.timeline, machine.timeline.warpCycles, warp.start, done);
  sm.watch?.end(warp, done);
  subcore.warps.splice(subcore.warps.indexOf(warp), 1);
  if (subcore.greedy === warp) subcore.greedy = undefined;
  sm.places.push(warp.place);
  block.end = Math.max(block.end, leaves);
  // What queues for longer than the L2 takes to answer is not waited for: measured ends of blocks do not have it.
  const ended = Math.max(done, Math.min(Math.ceil(warp.stored), done + latencyCycles));
  if (ended > counters.ended) counters.ended = ended;
  block.live--;
  if (block.live === 0) sm.left.push(block.end);
  else leaveBarriers(sm, block, at, openBarrier);
}

/** A barrier is complete: resumes its warps at cycle `at`. */
export function openBarrier(sm: Sm, warps: readonly Warp[], at: number): void {
  for (const warp of warps) resume(sm, warp, at, stall.barrier);
}
