// A resident warp's way through its trace.

import { PIPE, type Step } from "../schedule/step.js";
import { PIPES } from "./create-sm.js";
import type { ResidentBlock, Sm, Subcore, Warp } from "./sm-state.js";
import { noPassage } from "../schedule/plan.js";
import { stall } from "../trace/stalls.js";
import type { WarpTrace } from "../trace/trace.js";

/** A warp that begins at cycle `start` on a sub-core. */
export function createWarp(
  sm: Sm,
  subcore: Subcore,
  block: ResidentBlock,
  index: number,
  trace: WarpTrace,
  start: number,
): Warp {
  const { slots } = sm;
  const place = sm.places.pop()!;
  sm.ready.fill(0, place * slots, (place + 1) * slots);
  sm.why.fill(0, place * slots, (place + 1) * slots);
  sm.wake[place] = start;
  sm.way[place] = 0;
  sm.since[place] = start;
  sm.repeats[place] = 0;
  sm.start[place] = start;
  sm.stored[place] = sm.reduced[place] = sm.copied[place] = sm.multiplied[place] = sm.handed[place] = 0;
  subcore.order[subcore.count++] = place;
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
  sm.warps[place] = warp;
  return warp;
}

/**
 * Moves to the next step that issues, which can be at `from` at the soonest (until then: `reason`), and works out when its operands
 * are ready. False at the end of the trace, to be asked again when more of it is there.
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

/** The next passage of the trace that has steps, or one without; false at the end. */
function beginPassage(sm: Sm, warp: Warp): boolean {
  warp.access += warp.passage.accesses;
  warp.next = 0;
  while (warp.left === 0) {
    const { runs, endRun, next } = warp.trace;
    if (warp.run < endRun) {
      warp.passage = sm.machine.planner.passages[runs[warp.run]!]!;
      warp.left = runs[warp.run + 1]!;
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

/** When the operands of a step that issues are there, and what it waits for until then. */
function awaitOperands(
  sm: Sm,
  warp: Warp,
  { operands, sourcesEnd, guardsEnd, op }: Step,
  earliest: number,
  reason: number,
): void {
  const { ready, why, machine, slots } = sm;
  const { place } = warp;
  const registers = place * slots;
  const { crossing } = machine;
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
  if (repeat > 0 && sm.repeats[place]! > wake) wake = sm.repeats[place]!;
  for (let i = guardsEnd; i < operands.length; i++) {
    const slot = registers + operands[i]!;
    if (ready[slot]! > wake) {
      wake = ready[slot]!;
      cause = why[slot]!;
    }
  }
  sm.way[place] = sm.pipeOf[warp.subcore.index * PIPES + pipe]!;
  sm.wake[place] = wake;
  warp.reason = cause & (PIPE - 1);
}

/** A step that issues nothing: its results are other names for its sources. */
function rename(sm: Sm, warp: Warp, { operands, sourcesEnd, guardsEnd }: Step, reason: number): void {
  const { ready, why } = sm;
  const registers = warp.place * sm.slots;
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
    const when = ready[slot]! + sm.machine.model.guardCycles;
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

/** The results of the warp's step are there at cycle `at`. */
export function setResults(sm: Sm, warp: Warp, { operands, guardsEnd }: Step, at: number, cause: number): void {
  const { ready, why } = sm;
  const registers = warp.place * sm.slots;
  for (let i = guardsEnd; i < operands.length; i++) {
    ready[registers + operands[i]!] = at;
    why[registers + operands[i]!] = cause;
  }
}
