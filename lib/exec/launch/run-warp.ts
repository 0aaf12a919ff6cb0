// The inner loop: runs one warp until it is done, must wait, or has used up its share.

import { hasTrait } from "../../isa/opcode.js";
import { wakeWaiting } from "../async/waiting.js";
import { KernelFault } from "../state/fault.js";
import { REASON } from "../fast/context.table.js";
import { kernelFrame } from "../fast/frames.js";
import { isReady, issuedBy, mayTakeTurn } from "../fast/warp-records.js";
import type { Block } from "../state/block.js";
import type { Frame } from "../state/frame.js";
import type { FastEngine, Scheduled, TurnResult } from "../state/generated-code.js";
import type { LaunchState } from "../state/launch.js";
import type { IssueObserver } from "../state/observer.js";
import type { Step } from "../state/step.js";
import type { Group, Warp } from "../state/warp.js";
import { GROUP_SLICE, SPIN_COST } from "../machine/step.js";
import { refillBudget } from "../machine/shared-counters.js";
import { executeMerged, waitForMembers } from "../machine/merged-collective.js";
import { countLanes, floorPc, reconvergencePc, mergeGroups, pickGroup } from "../machine/warp.js";

/** done: every lane has exited; waiting: every group waits; ready: its share of instructions is used up. */
export type WarpState = "done" | "waiting" | "ready";

/** Runs `warp` for a share of about that many instructions. Throws KernelFault; `warp.current` is then the faulting group. */
function runWarp(warp: Warp, share: number): WarpState {
  let left = share;
  wakeWaiting(warp, true);
  if (warp.block.observer?.clock?.isKnown(warp.index) === true) wakeReader(warp);
  for (;;) {
    if (warp.groups.length === 0) return "done";
    const scheduled = left > 0 ? scheduleWarp(warp, left) : undefined;
    if (scheduled !== undefined) {
      left = scheduled.warpLeft;
      if (scheduled.group === undefined) continue;
      // The interpreter completes this group's turn.
      warp.current = scheduled.group;
      const budget = Math.min(left, GROUP_SLICE);
      const rest = continueGroup(warp, scheduled.group, scheduled);
      left -= budget - rest;
      if (rest <= 0) scheduled.group.penalty++;
      continue;
    }
    if (warp.groups.length > 1) mergeGroups(warp);
    if (warp.groups.length === 1) warp.groups[0]!.penalty = 0;
    const group = pickGroup(warp);
    if (group === undefined) {
      if (wakeWaiting(warp, false)) continue;
      return "waiting";
    }
    if (left <= 0) return "ready";
    warp.current = group;
    const budget = Math.min(left, GROUP_SLICE);
    const rest = runGroup(warp, group, budget);
    left -= budget - rest;
    if (rest <= 0) group.penalty++;
  }
}

/** Resumes the groups that wait at the first read of a clock, which the timing model has reached. */
function wakeReader(warp: Warp): void {
  const first = warp.groups.find(({ wait }) => wait?.kind === "clock");
  if (first === undefined) return;
  const { frame, pc } = first;
  for (const group of warp.groups)
    if (group.wait?.kind === "clock" && group.frame === frame && group.pc === pc) group.wait = undefined;
  if (warp.groups.length > 1) mergeGroups(warp);
}

/** Callbacks and limits of a turn, which generated code may continue with further turns. */
export interface TurnOptions {
  /** Instructions that a warp issues before the next warp's turn. */
  readonly share: number;
  /**
   * Instruction count of the launch from which on no further turn of this block begins here. `slice` is the number of
   * instructions of each later block.
   */
  readonly sliceEnd: number;
  readonly slice: number;
  /** Blocks from this number on may not follow when this one has ended. */
  readonly end: number;
  /** Receives a warp's state at the end of its turn, and the number of instructions it issued. */
  readonly note: (state: WarpState, issued: number) => void;
  /** Called when further turns follow, which makes earlier notes obsolete. */
  readonly onFurtherTurns: () => void;
}

/** Runs one turn or more of each warp of a block. Throws KernelFault. */
export function runBlockTurn(block: Block, options: TurnOptions): void {
  const { warps, cluster } = block;
  const { share, note, onFurtherTurns } = options;
  let failedTurns = 0;
  for (let next = 0; next < warps.length; next++) {
    // If one warp after the other needs the interpreter, the next ones probably will too.
    const turned = failedTurns < MAX_FAILED_TURNS ? takeTurn(block, next, options) : undefined;
    if (turned !== undefined) {
      const { records, stopped, isLater } = turned;
      failedTurns = stopped === next && !isLater ? failedTurns + 1 : 0;
      if (isLater) {
        onFurtherTurns();
        next = 0;
      }
      for (; next < Math.min(stopped, warps.length); next++) {
        const issued = issuedBy(records, next);
        const isDone = warps[next]!.groups.length === 0;
        if (!isDone || issued > 0) note(isDone ? "done" : isReady(records, next) ? "ready" : "waiting", issued);
      }
      if (stopped >= warps.length) return;
    }
    const warp = warps[next]!;
    if (warp.groups.length === 0) continue;
    cluster.running = warp;
    const before = turned === undefined ? warp.clock : warp.clock - issuedBy(turned.records, next);
    const left = turned === undefined ? share : endGroupTurn(warp, turned);
    const state = runWarp(warp, left);
    note(state, warp.clock - before);
  }
}

/** After this many warps in a row have stopped generated code, the interpreter runs the rest of the turn. */
const MAX_FAILED_TURNS = 2;

/** Runs turns in generated code from that warp on, if the block allows it. */
function takeTurn(block: Block, next: number, { share, sliceEnd, slice, end }: TurnOptions): TurnResult | undefined {
  const { launch, observer, warps, output } = block;
  const { counters, fast } = launch;
  if (fast === undefined || fast.isObserved || observer !== undefined) return undefined;
  let hasCode = false;
  const isKnown = (frame: Frame): boolean => {
    const unit = fast.unitOf(frame);
    hasCode ||= unit?.hasCode === true;
    return unit !== undefined;
  };
  if (!mayTakeTurn(block, next, isKnown) || !hasCode) return undefined;
  const allowance = Math.min(counters.limit - counters.warpInstructions, MAX_ALLOWED);
  if (allowance < share * warps.length) return undefined;
  const frame = kernelFrame(warps.find((warp, i) => i >= next && warp.groups.length > 0)!.groups[0]!.frame);
  // Later blocks may follow if this one has printed nothing. They reuse the registers, which all its warps must still have.
  const mayMove = next === 0 && output.length === 0 && warps.every(({ groups }) => groups.length > 0);
  return fast.unitOf(frame)?.turn(block, frame, next, {
    share,
    // If the interpreter has begun a turn, no further turn may follow in generated code.
    quota: next > 0 ? 0 : sliceEnd - counters.warpInstructions,
    slice,
    allowance,
    end: mayMove ? end : 0,
  });
}

/** Generated code counts in 32-bit words. */
const MAX_ALLOWED = 2 ** 30;

/** Completes in the interpreter a group's turn that generated code began. Returns the rest of the warp's share. */
function endGroupTurn(warp: Warp, turned: TurnResult): number {
  const { warpLeft } = turned;
  const group = warp.current!;
  const budget = Math.min(warpLeft, GROUP_SLICE);
  const rest = continueGroup(warp, group, turned);
  if (rest <= 0) group.penalty++;
  return warpLeft - (budget - rest);
}

/** Continues a group's turn where generated code has left it. Returns the rest of the turn. */
function continueGroup(
  warp: Warp,
  group: Group,
  { left, undone }: { readonly left: number; readonly undone: number },
): number {
  if (undone === 0) return runGroup(warp, group, left);
  group.frame.program.steps[group.pc]!.control!(warp, group, undone);
  return left;
}

/** Generated code for a block; none where an observer has to see each instruction when it is executed. */
function generatedCode({ fast }: LaunchState, observer: IssueObserver | undefined): FastEngine | undefined {
  const isTold = fast?.isObserved === true && observer?.clock === undefined;
  return observer === undefined || isTold ? fast : undefined;
}

/**
 * Runs diverged or calling groups in generated code, if it supports all of them. Returns the remaining share and the group that
 * the interpreter continues, or undefined if generated code ran nothing.
 */
function scheduleWarp(warp: Warp, left: number): Scheduled | undefined {
  const { launch, observer } = warp.block;
  const { counters } = launch;
  const fast = generatedCode(launch, observer);
  if (fast === undefined || counters.limit - counters.warpInstructions < left) return undefined;
  const { groups } = warp;
  const { frame } = groups[0]!;
  if (groups.length === 1 && frame.parent === undefined && frame.program.fast?.makesCalls !== true) return undefined;
  let hasCode = false;
  for (const group of groups) {
    const unit = group.wait === undefined ? fast.unitOf(group.frame) : undefined;
    if (unit === undefined) return undefined;
    hasCode ||= unit.hasCode;
  }
  return hasCode ? fast.schedule(warp, left) : undefined;
}

/** Whether the instruction ends its threads or their call. */
function endsThreadOrCall({ program: { fn } }: Frame, pc: number): boolean {
  const instruction = fn.code.instructions[pc];
  return instruction === undefined || hasTrait(instruction.opcode, "return") || hasTrait(instruction.opcode, "exit");
}

/** Number of instructions that may be issued after the granted ones are used up. Throws KernelFault at the launch's limit. */
function grantInstructions({ sharedCounters, counters }: LaunchState): number {
  if (sharedCounters === undefined || !refillBudget(sharedCounters, counters))
    throw new KernelFault("instruction-limit", `the limit of ${counters.allowed} warp instructions is reached`);
  return counters.limit - counters.warpInstructions;
}

/**
 * Reports the group's next instruction to the sanitizer and the probe, and reads the clock. Returns false if the group has to
 * wait for the clock.
 */
function beforeStep(warp: Warp, group: Group, step: Step, active: number): boolean {
  const { launch, observer } = warp.block;
  const { frame, pc } = group;
  if (launch.sanitizer !== undefined) {
    step.watch?.(warp, group, active);
    if (active === 0 || !endsThreadOrCall(frame, pc)) group.previous = pc;
  }
  launch.probe?.before(warp, group, active);
  if (!step.readsClock || active === 0 || observer?.clock === undefined) return true;
  const time = observer.clock.take(warp.index);
  if (time === undefined) {
    group.wait = { kind: "clock" };
    return false;
  }
  warp.time = time;
  return true;
}

/** Executes a collective for which only some lanes are ready. Returns the lanes that executed it; 0 if all of them wait. */
function executePartly(warp: Warp, group: Group, step: Step, active: number, ready: number): number {
  const { frame, pc, mask } = group;
  const executed = ready === 0 ? executeMerged(warp, group, active) : ready;
  if (executed === 0) {
    waitForMembers(warp, group, mask, active);
    return 0;
  }
  if (ready !== 0) {
    waitForMembers(warp, group, active & ~ready, active);
    step.lanes!(frame, ready);
  }
  warp.clock++;
  warp.block.observer?.issue(warp.index, frame.program.fn, pc, group.mask | executed, executed, undefined);
  return executed;
}

/**
 * Runs a group until it moves to another frame, splits, meets another group, waits, or has used up its budget. Returns the rest
 * of the budget. The interpreter's hot loop: counts are in local variables, and whatever most instructions skip is in separate
 * functions.
 */
function runGroup(warp: Warp, group: Group, budget: number): number {
  const { launch, observer } = warp.block;
  const { counters } = launch;
  const isHooked = launch.sanitizer !== undefined || launch.probe !== undefined;
  const { frame } = group;
  const { steps, fn } = frame.program;
  const { words } = frame;
  const mask = group.mask;
  const lanes = countLanes(mask);
  counters.runClock = warp.clock;
  const meeting = warp.groups.length > 1 ? reconvergencePc(warp, group) : Infinity;
  const floor = warp.groups.length > 1 ? floorPc(warp, group) : -1;
  // Kept apart from the budget, so that turns end at the same places however near the limit is.
  let allowed = counters.limit - counters.warpInstructions;
  let left = budget;
  let issued = 0;
  let threads = 0;
  let pc = group.pc;
  const fast = generatedCode(launch, observer);
  const unit = fast?.unitOf(frame);
  let refused = -1;
  try {
    while (left > 0) {
      if (issued >= allowed) allowed = grantInstructions(launch);
      if (unit !== undefined && pc !== refused && allowed - issued >= left && unit.isReady(pc, launch)) {
        const clock = warp.clock;
        const { answer } = fast!;
        try {
          unit.run(frame, pc, mask, left, floor, meeting);
        } finally {
          issued += answer.issued;
          threads += answer.threads;
          warp.clock = clock + answer.issued;
          pc = answer.pc;
        }
        left = answer.left;
        if (answer.reason === REASON.split) {
          // The branch has been counted; the interpreter only splits the lanes.
          group.pc = pc;
          steps[pc]!.control!(warp, group, answer.taken);
          pc = group.pc;
        }
        if (answer.reason !== REASON.step) return left;
        refused = pc;
      }
      const step = steps[pc]!;
      const active = step.guard < 0 ? mask : mask & (words[step.guard]! ^ step.flip);
      if (isHooked || step.readsClock) {
        group.pc = pc;
        if (!beforeStep(warp, group, step, active)) return left;
      }
      if (step.members !== undefined && active !== 0) {
        const ready = step.members.ready(frame, active, mask, warp.live);
        if (ready !== active) {
          group.pc = pc;
          const executed = executePartly(warp, group, step, active, ready);
          if (executed === 0) return left;
          issued++;
          threads += countLanes(executed);
          pc++;
          return left;
        }
      }
      issued++;
      left -= step.spins ? SPIN_COST : 1;
      threads += active === mask ? lanes : countLanes(active);
      warp.clock++;
      if (step.lanes !== undefined) {
        if (active !== 0) step.lanes(frame, active);
        observer?.issue(warp.index, fn, pc, mask, active, step.memory && active !== 0 ? launch.access : undefined);
        pc++;
        if (pc === meeting) break;
      } else {
        group.pc = pc;
        // As generated code does, reports a call before it is made, so that the observer also gets calls that fault.
        if (!step.memory) observer?.issue(warp.index, fn, pc, mask, active, undefined);
        const goesOn = step.control!(warp, group, active);
        if (step.memory) observer?.issue(warp.index, fn, pc, mask, active, active !== 0 ? launch.access : undefined);
        pc = group.pc;
        if (!goesOn) return left;
        if (pc >= meeting || pc <= floor) break;
      }
    }
    return left;
  } finally {
    group.pc = pc;
    counters.warpInstructions += issued;
    counters.threadInstructions += threads;
  }
}
