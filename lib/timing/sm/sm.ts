// One SM. Four sub-cores each have a scheduler that issues one instruction a cycle from its warps: in order within a warp,
// greedily from the last warp, then from the oldest. Pipes are busy for an interval; all sub-cores share a queue to the memory
// path. Cycles in which nothing can issue are skipped: every wait but a barrier's has an end that is known at its start.

import { reachSlots } from "./create-sm.js";
import { stopAt, wakeSubcore } from "./resume.js";
import { fetchInstruction, isExceeded } from "./instruction-cache.js";
import { issue } from "./issue.js";
import type { Machine, ResidentBlock, Sm, Subcore, Warp } from "./sm-state.js";
import { stall } from "../trace/stalls.js";
import { ACCESS_CELLS, spaceOf, type BlockTrace } from "../trace/trace.js";
import { advance, createWarp } from "./warp.js";

/** Places the grid's block `index`, whose warps start at cycle `at`. */
export function placeBlock(sm: Sm, { warps, cells }: BlockTrace, index: number, at: number): void {
  reachSlots(sm.machine);
  const block: ResidentBlock = {
    index,
    warps: warps.length,
    cells,
    live: warps.length,
    blocked: 0,
    barriers: new Map(),
    mbarriers: new Map(),
    end: at,
  };
  for (const [i, trace] of warps.entries()) {
    const subcore = sm.subcores.reduce((least, s) => (s.count < least.count ? s : least));
    const warp = createWarp(sm, subcore, block, i, trace, at);
    sm.watch?.begin(warp, subcore.index, at);
    if (!advance(sm, warp, at, stall.wait)) stopAt(sm, warp, at, at, undefined);
    else wakeSubcore(sm, warp);
  }
}

/**
 * Issues instructions from cycle `from` on, until a block ends. Beyond cycle `until`, only those that affect this SM alone: an
 * access beyond it, or the end of a warp, waits for the other SMs. Returns the cycle of the next call, Infinity if the SM is
 * empty.
 */
export function runSm(sm: Sm, from: number, until: number, mostAhead: number): number {
  const { subcores, left, starved } = sm;
  const { due } = sm.machine;
  const first = subcores[0]!.number;
  const end = first + subcores.length;
  for (let at = from; ;) {
    for (let i = first; i < end; i++) if (due[i]! <= at && !issueFrom(sm, subcores[i - first]!, at, until)) return at;
    let next = Infinity;
    for (let i = first; i < end; i++) if (due[i]! < next) next = due[i]!;
    if (next >= until + mostAhead || left.length > 0 || starved.length > 0) return next;
    at = next;
  }
}

/** Continues, not before cycle `at`, with warps whose traces were extended; returns the cycle of the next run. */
export function resumeSm(sm: Sm, at: number): number {
  let next = Infinity;
  reachSlots(sm.machine);
  for (const one of sm.starved.splice(0)) {
    const { warp } = one;
    if (warp.trace.isOpen && warp.trace.next === undefined) {
      sm.starved.push(one);
      continue;
    }
    const from = Math.max(at, one.at);
    if (!advance(sm, warp, from, stall.wait)) stopAt(sm, warp, from, from, undefined);
    else wakeSubcore(sm, warp);
    if (from < next) next = from;
  }
  return next;
}

/** The index of a sub-core's warp that issues at cycle `at`; -1 if there is none: the sub-core is then due when one can. */
function chooseWarp({ wake, way, free, due, order }: Machine, subcore: Subcore, at: number): number {
  const { greedy, yields } = subcore;
  const yielding = yields ? greedy : -1;
  if (greedy >= 0 && !yields && wake[greedy]! <= at && free[way[greedy]!]! <= at) return greedy;
  const first = subcore.order;
  const end = first + subcore.count;
  let soonest = Infinity;
  let last = Infinity;
  for (let i = first; i < end; i++) {
    const place = order[i]!;
    let when = wake[place]!;
    if (when >= soonest) continue;
    const freeAt = free[way[place]!]!;
    if (freeAt > when) when = freeAt;
    if (when <= at && place !== yielding) return place;
    if (place === yielding) last = when;
    else if (when < soonest) soonest = when;
  }
  if (last <= at) return yielding;
  due[subcore.number] = Math.min(soonest, last);
  return -1;
}

/** Issues an instruction of a sub-core if possible. False: it must wait until the other SMs have caught up. */
function issueFrom(sm: Sm, subcore: Subcore, at: number, until: number): boolean {
  const { machine } = sm;
  const place = chooseWarp(machine, subcore, at);
  if (place < 0) return true;
  const warp = machine.warps[place]!;
  if (at >= until && leavesSm(warp)) return false;
  subcore.greedy = place;
  machine.due[subcore.number] = at + 1;
  const { outcome } = machine;
  const { instruction, yields } = warp.step!;
  subcore.yields = yields;
  if (!issue(sm, subcore, warp, at)) return true;
  if (!advance(sm, warp, outcome.earliest, outcome.reason)) stopAt(sm, warp, at, outcome.earliest, instruction);
  else if (isExceeded(sm.instructions, machine.planner.codeEnd)) fetchNext(sm, warp, at);
  return true;
}

/** Whether a warp's next instruction affects other SMs: accesses to global and local memory, and its last instruction. */
function leavesSm({ passage, trace, next, left, run, access, off }: Warp): boolean {
  if (next > passage.lastIssue && left === 0 && run >= trace.endRun) return true;
  if (passage.accesses === 0 || off) return false;
  const ordinal = passage.accessOf[next - 1]!;
  return ordinal >= 0 && spaceOf(trace.cells[access + ACCESS_CELLS * ordinal]!) <= 1;
}

/** The next instruction of a warp may miss in its sub-core's instruction cache. */
function fetchNext(sm: Sm, warp: Warp, at: number): void {
  const { passage, next, subcore, place } = warp;
  const fetched = fetchInstruction(sm.instructions, subcore.index, passage.address + next - 1, at + 1);
  const { wake } = sm.machine;
  if (fetched <= wake[place]!) return;
  wake[place] = fetched;
  warp.reason = stall.no_instruction;
}
