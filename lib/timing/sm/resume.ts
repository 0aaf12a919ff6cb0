// Resumes warps when what they waited for is complete, and ends those at the end of their traces.

import type { IssuedInstruction } from "../schedule/step.js";
import { leaveBarriers } from "./barriers.js";
import type { Sm, Warp } from "./sm-state.js";
import { countUntil } from "./stall-account.js";
import { stall } from "../trace/stalls.js";
import { addSpan } from "../trace/timeline.js";
import { releaseCells } from "../trace/trace.js";
import { advance } from "./warp.js";

/** Stops a warp at the end of its trace; it exits, unless its block runs in step. */
export function stopAt(sm: Sm, warp: Warp, at: number, earliest: number, last: IssuedInstruction | undefined): void {
  if (!warp.trace.isOpen) return endWarp(sm, warp, at, last);
  sm.machine.wake[warp.place] = Infinity;
  // The destination of a clock read was an operand of accesses that the memory path must read before (records: redg_*_same).
  sm.starved.push({ warp, at: Math.max(earliest, Math.ceil(sm.machine.handed[warp.place]!)), isRequested: false });
}

/** Resumes a warp at cycle `at`. */
export function resume(sm: Sm, warp: Warp, at: number, reason: number): void {
  const { instruction } = warp.step!;
  if (!advance(sm, warp, at, reason)) return stopAt(sm, warp, at, at, instruction);
  // Any further wait is accounted to it.
  countUntil(sm, warp, Math.min(sm.machine.wake[warp.place]!, at), reason, instruction);
  wakeSubcore(sm, warp);
}

export function wakeSubcore({ machine: { wake, due } }: Sm, { subcore, place }: Warp): void {
  if (wake[place]! < due[subcore.number]!) due[subcore.number] = wake[place]!;
}

function endWarp(sm: Sm, warp: Warp, at: number, last: IssuedInstruction | undefined): void {
  const { block, place } = warp;
  const { counters, machine } = sm;
  const { start, copied, reduced, stored } = machine;
  const { latencyCycles } = machine.model.l2;
  // The warp ends after its copies and reductions. Its stores may complete later, but occupy its slot until they have left the
  // SM.
  const done = Math.max(at + 1, Math.ceil(copied[place]!), Math.ceil(reduced[place]! - latencyCycles / 2));
  const leaves = Math.max(done, Math.ceil(stored[place]! - latencyCycles / 2));
  if (last !== undefined) countUntil(sm, warp, done, stall.drain, last);
  counters.warpCycles += done - start[place]!;
  addSpan(machine.timeline, machine.timeline.warpCycles, start[place]!, done);
  sm.watch?.end(warp, done);
  leaveSubcore(sm, warp);
  block.end = Math.max(block.end, leaves);
  // Queueing beyond the L2's latency is not waited for: the measured ends of blocks do not include it.
  const ended = Math.max(done, Math.min(Math.ceil(stored[place]!), done + latencyCycles));
  if (ended > counters.ended) counters.ended = ended;
  block.live--;
  if (block.live > 0) return leaveBarriers(sm, block, at, openBarrier);
  sm.left.push(block.end);
  if (machine.traces !== undefined) releaseCells(machine.traces, block.cells);
}

function leaveSubcore({ machine: { warps, order }, places }: Sm, { place, subcore }: Warp): void {
  subcore.count--;
  const end = subcore.order + subcore.count;
  let at = subcore.order;
  while (order[at] !== place) at++;
  for (; at < end; at++) order[at] = order[at + 1]!;
  if (subcore.greedy === place) subcore.greedy = -1;
  warps[place] = undefined;
  places.push(place);
}

/** A barrier is complete: resumes its warps at cycle `at`. */
export function openBarrier(sm: Sm, warps: readonly Warp[], at: number): void {
  for (const warp of warps) resume(sm, warp, at, stall.barrier);
}
