// A resident warp's progress through its trace.

import { PIPE, type Step } from "../schedule/step.js";
import { PIPES } from "./create-sm.js";
import type { Machine, ResidentBlock, Sm, Subcore, Warp } from "./sm-state.js";
import { noPassage } from "../schedule/plan.js";
import { stall } from "../trace/stalls.js";
import { ACCESS_CELLS, type WarpTrace } from "../trace/trace.js";

/** A warp that starts at cycle `start` on a sub-core. */
export function createWarp(
  sm: Sm,
  subcore: Subcore,
  block: ResidentBlock,
  index: number,
  trace: WarpTrace,
  start: number,
): Warp {
  const { machine } = sm;
  const { slots, ready, why, stored, reduced, copied, multiplied, handed } = machine;
  const place = sm.places.pop()!;
  for (let slot = place * slots; slot < (place + 1) * slots; slot++) ready[slot] = why[slot] = 0;
  machine.wake[place] = start;
  machine.way[place] = subcore.pipes;
  machine.since[place] = start;
  machine.repeats[place] = 0;
  machine.start[place] = start;
  stored[place] = reduced[place] = copied[place] = multiplied[place] = handed[place] = 0;
  machine.order[subcore.order + subcore.count++] = place;
  const warp: Warp = {
    place,
    step: undefined,
    off: false,
    reason: stall.wait,
    run: trace.firstRun,
    left: 0,
    passage: noPassage,
    next: 0,
    access: trace.firstAccess,
    trace,
    subcore,
    block,
    index,
    groups: undefined,
    matrixGroups: undefined,
  };
  machine.warps[place] = warp;
  return warp;
}

/**
 * Moves to the next step that issues, not before `from` (until then: `reason`), and computes when its operands are ready. False
 * at the end of the trace, to be called again when it was extended.
 */
export function advance(sm: Sm, warp: Warp, from: number, reason: number): boolean {
  let earliest = from;
  for (;;) {
    while (warp.next >= warp.passage.steps.length) {
      if (!beginPassage(sm, warp)) return false;
      if (warp.passage.converges) earliest += sm.machine.model.divergence.convergeCycles;
    }
    const { steps, off } = warp.passage;
    const step = steps[warp.next]!;
    const isOff = off !== undefined && off[warp.next] === 1;
    warp.next++;
    if (step.op !== undefined) {
      awaitOperands(sm, warp, step, earliest, reason);
      warp.step = step;
      warp.off = isOff;
      return true;
    }
    if (!isOff) rename(sm, warp, step, reason);
  }
}

/** Starts the next passage of the trace that has steps, or one without; false at the end. */
function beginPassage(sm: Sm, warp: Warp): boolean {
  warp.access += ACCESS_CELLS * warp.passage.accesses;
  warp.next = 0;
  while (warp.left === 0) {
    const { cells, endRun, next } = warp.trace;
    if (warp.run < endRun) {
      warp.passage = sm.machine.planner.passages[cells[warp.run]! | 0]!;
      warp.left = cells[warp.run + 1]! | 0;
      warp.run += 2;
      break;
    }
    warp.passage = noPassage;
    if (next === undefined) {
      warp.step = undefined;
      return false;
    }
    warp.trace = next;
    warp.run = next.firstRun;
    warp.access = next.firstAccess;
  }
  warp.left--;
  return true;
}

/** Maximum number of a warp's shared atomics in the path's queue; the path accepts one from each warp every `repeat` cycles. */
const QUEUED = 3;

/** Computes when the operands of a step are ready, and the stall reason until then. */
function awaitOperands(
  sm: Sm,
  warp: Warp,
  { operands, sourcesEnd, guardsEnd, op, kind }: Step,
  earliest: number,
  reason: number,
): void {
  const { machine } = sm;
  const { ready, why, slots, crossing, repeats } = machine;
  const { place } = warp;
  const registers = place * slots;
  const { pipe, repeat } = op!;
  let wake = earliest;
  let cause = reason;
  for (let i = 0; i < sourcesEnd; i++) {
    const slot = registers + operands[i]!;
    let when = ready[slot]!;
    if (when <= wake - 4) continue;
    const because = why[slot]!;
    when += crossing[(because >>> 4) * PIPES + pipe]!;
    if (when > wake) {
      wake = when;
      cause = because;
    }
  }
  for (let i = sourcesEnd; i < guardsEnd; i++) {
    const slot = registers + operands[i]!;
    const when = ready[slot]!;
    if (when > 0 && when + machine.model.guardCycles > wake) {
      wake = when + machine.model.guardCycles;
      cause = why[slot]!;
    }
  }
  if (repeat > 0) {
    const free = repeats[place]! - (kind === "math" ? 0 : QUEUED * repeat);
    if (free > wake) wake = free;
  }
  for (let i = guardsEnd; i < operands.length; i++) {
    const slot = registers + operands[i]!;
    if (ready[slot]! > wake) {
      wake = ready[slot]!;
      cause = why[slot]!;
    }
  }
  machine.way[place] = machine.pipeOf[warp.subcore.pipes + pipe]!;
  machine.wake[place] = wake;
  warp.reason = cause & (PIPE - 1);
}

/** A step that issues nothing: its results are other names for its sources. */
function rename(sm: Sm, warp: Warp, { operands, sourcesEnd, guardsEnd }: Step, reason: number): void {
  const { ready, why, slots, model } = sm.machine;
  const registers = warp.place * slots;
  let wake = 0;
  let cause = reason;
  for (let i = 0; i < sourcesEnd; i++) {
    const slot = registers + operands[i]!;
    if (ready[slot]! > wake) {
      wake = ready[slot]!;
      cause = why[slot]!;
    }
  }
  for (let i = sourcesEnd; i < guardsEnd; i++) {
    const slot = registers + operands[i]!;
    const when = ready[slot]! + model.guardCycles;
    if (ready[slot]! > 0 && when > wake) {
      wake = when;
      cause = why[slot]!;
    }
  }
  for (let i = guardsEnd; i < operands.length; i++) {
    ready[registers + operands[i]!] = wake;
    why[registers + operands[i]!] = cause;
  }
}

/** Makes the results of the warp's step ready at cycle `at`. */
export function setResults(
  { ready, why, slots }: Machine,
  warp: Warp,
  { operands, guardsEnd }: Step,
  at: number,
  cause: number,
): void {
  const registers = warp.place * slots;
  for (let i = guardsEnd; i < operands.length; i++) {
    ready[registers + operands[i]!] = at;
    why[registers + operands[i]!] = cause;
  }
}
