// Groups that wait at an mbarrier. A wait for an unfinished phase suspends its group, as PTX allows ("potentially blocking"),
// until the phase ends or the wait times out. Waits time out when the cluster makes no other progress; they then return false,
// and the program continues.
//
// A launch is deadlocked if every thread of a cluster waits, and between two such waits the threads neither change anything nor
// observe a change. That is, each group returns to the same instruction without having written memory or read global memory. Its
// registers are the same, except for those that no instruction on its way observes (observable-registers.ts). (Rejected: treating
// any long wait as a deadlock. Programs count their attempts, or poll a flag that another block sets.)

import { hex } from "../operands/access.js";
import { KernelFault } from "../state/fault.js";
import type { LoadedFunction } from "../../load/process.js";
import type { Cluster } from "../state/block.js";
import type { Frame, Program } from "../state/frame.js";
import type { IssueObserver } from "../state/observer.js";
import type { StalledGroup, Lap } from "../state/pending.js";
import type { Spot, Group, Wait, Warp } from "../state/warp.js";
import { mergeGroups } from "../machine/warp.js";
import { mbarrierAt } from "./mbarrier.js";
import { unobservedWords, type WordRanges } from "./observable-registers.js";
import { completeSignals, isPhaseOver } from "./pending.js";

export type MbarrierWait = Wait & { readonly kind: "mbarrier" };

/** Longest wait in turns of its warp, while other warps make progress. */
const LONGEST_TURNS = 16;

/**
 * Resumes groups of the warp whose phase is complete, or whose wait is longer than LONGEST_TURNS. Returns whether there was one.
 */
export function wakeWaiting(warp: Warp, isNewTurn: boolean): boolean {
  let woken = false;
  for (const { wait } of warp.groups) {
    if (wait?.kind !== "mbarrier") continue;
    const over = lanesOver(warp.block.cluster, wait);
    if (isNewTurn) wait.turns++;
    if (over === 0 && wait.turns <= LONGEST_TURNS) continue;
    wait.answer(over);
    woken = true;
  }
  if (woken && warp.groups.length > 1) mergeGroups(warp);
  return woken;
}

/**
 * Whether groups of the cluster wait at mbarriers: "none" or "some". "stuck" if every group of the cluster waits, and none for
 * the timing model's clock. "over" if a phase was complete, in which case its groups are resumed.
 */
export function waitsOf({ blocks }: Cluster): "none" | "some" | "stuck" | "over" {
  let some = false;
  let isStuck = true;
  for (const { warps } of blocks)
    for (const { groups } of warps)
      for (const { wait } of groups) {
        if (wait === undefined || wait.kind === "clock") isStuck = false;
        else if (wait.kind === "mbarrier") some = true;
      }
  if (!some || !isStuck) return some ? "some" : "none";
  let isOver = false;
  for (const { warps } of blocks) for (const warp of warps) isOver = wakeWaiting(warp, false) || isOver;
  return isOver ? "over" : "stuck";
}

/** Lanes whose phase is over, after completing the operations that end it. */
function lanesOver(cluster: Cluster, { awaited }: MbarrierWait): number {
  let over = 0;
  for (const { at, phase, lanes } of awaited) if (isPhaseOver(cluster, at, phase)) over |= lanes;
  return over;
}

// ------------------------------------------------------------------------------------------------------------ deadlocks

function* waitingGroups({ blocks }: Cluster): Generator<readonly [Warp, Group, MbarrierWait]> {
  for (const { warps } of blocks)
    for (const warp of warps)
      for (const group of warp.groups) if (group.wait?.kind === "mbarrier") yield [warp, group, group.wait];
}

/**
 * Ends the cluster's waits when it makes no other progress. Returns whether there were any. Throws the fault of a deadlock if all
 * its threads wait (`isStuck`) and nothing has changed since they last did.
 */
export function expireWaits(cluster: Cluster, isStuck: boolean): boolean {
  const waiting = [...waitingGroups(cluster)];
  endLap(cluster);
  const before = cluster.lap;
  cluster.lap = undefined;
  if (waiting.length === 0) return false;
  // A wait that times out has lasted long: operations that signal its barrier are complete, even if they do not end the phase.
  for (const [, , { awaited }] of waiting) for (const { at } of awaited) completeSignals(cluster, at);
  if (isStuck) {
    const stuck = waiting.map(([warp, { frame, pc, mask }]): StalledGroup => ({
      warp,
      pc,
      mask,
      registers: [...framesFrom(frame)].map(({ words, program }) => ({
        program,
        words: words.slice(0, program.image.length),
      })),
      local: warp.localBytes.bytes.slice(),
      printed: warp.block.output.length,
    }));
    if (before?.isIdle === true && isSame(before, stuck)) throw deadlock(waiting[0]![2], waiting.length);
    beginLap(cluster, { stuck, executed: new Map(), isIdle: true });
  }
  for (const [, , wait] of waiting) wait.answer(lanesOver(cluster, wait));
  for (const warp of new Set(waiting.map(([each]) => each))) if (warp.groups.length > 1) mergeGroups(warp);
  return true;
}

/** Whether the next lap would be the same again: groups differ in no register that this lap's instructions observe. */
function isSame({ stuck: before, executed }: Lap, now: readonly StalledGroup[]): boolean {
  const ranges = new Map<Program, WordRanges>();
  const unobserved = (program: Program): WordRanges => {
    let known = ranges.get(program);
    if (known === undefined)
      ranges.set(program, (known = unobservedWords(program, executed.get(program.fn) ?? new Set())));
    return known;
  };
  const areSame = (one: StalledGroup["registers"][number], other: StalledGroup["registers"][number]): boolean => {
    if (one.program !== other.program) return false;
    const [was, is] = [one.words.slice(), other.words.slice()];
    for (const [first, end] of unobserved(one.program)) for (const words of [was, is]) words.fill(0, first, end);
    return areEqual(was, is);
  };
  if (before.length !== now.length) return false;
  return before.every((one, i) => {
    const other = now[i]!;
    return (
      one.warp === other.warp &&
      one.pc === other.pc &&
      one.mask === other.mask &&
      one.printed === other.printed &&
      one.registers.length === other.registers.length &&
      one.registers.every((frame, depth) => areSame(frame, other.registers[depth]!)) &&
      areEqual(one.local, other.local)
    );
  });
}

const areEqual = (one: Int32Array | Uint8Array, other: Int32Array | Uint8Array): boolean =>
  one.length === other.length && one.every((word, at) => word === other[at]);

function* framesFrom(frame: Frame): Generator<Frame> {
  for (let each: Frame | undefined = frame; each !== undefined; each = each.parent) yield each;
}

function deadlock({ awaited }: MbarrierWait, groups: number): KernelFault {
  const [{ at, phase }] = awaited as readonly [MbarrierWait["awaited"][number]];
  const others = groups > 1 ? "; others wait as well" : "";
  return new KernelFault("deadlock", `no thread can end ${phaseText(at, phase)}${others}`, {
    address: sharedAddress(at),
  });
}

const sharedAddress = ({ offset }: Spot): number => offset;

/** "phase 0 of the mbarrier at shared address 0x400, which has 1 of 33 arrivals and 64 bytes pending" */
export function phaseText(at: Spot, phase: number): string {
  const { pending, expected, bytes } = mbarrierAt(at);
  return `phase ${phase} of the mbarrier at shared address ${hex(sharedAddress(at))}, which has ${pending} of ${expected} arrivals and ${bytes} bytes pending`;
}

/** Observes every block of the cluster until the lap ends. */
function beginLap(cluster: Cluster, lap: Lap): void {
  cluster.lap = lap;
  for (const block of cluster.blocks) block.observer = lapObserver(lap, block.observer);
}

/** Instructions that release waiting threads, or whose effect others can see. */
const seen: ReadonlySet<string> = new Set([
  "atom",
  "red",
  "cp",
  "bar",
  "barrier",
  "multimem",
  "tensormap",
  "clusterlaunchcontrol",
  "wgmma",
  "tex",
  "tld4",
  "suld",
  "sust",
  "sured",
]);

interface LapObserver extends IssueObserver {
  readonly inner: IssueObserver | undefined;
}

function lapObserver(lap: Lap, inner: IssueObserver | undefined): LapObserver {
  return {
    inner,
    issue(warp, fn, pc, mask, active, access) {
      const pcs = lap.executed.get(fn);
      if (pcs === undefined) lap.executed.set(fn, new Set([pc]));
      else pcs.add(pc);
      if (active !== 0 && !isUnseen(fn, pc, access?.space)) lap.isIdle = false;
      inner?.issue(warp, fn, pc, mask, active, access);
    },
  };
}

function isUnseen(fn: LoadedFunction, pc: number, space: string | undefined): boolean {
  const { form } = fn.code.instructions[pc]!.opcode;
  if (form.opcode === "mbarrier") return form.id.includes("wait") || form.id === "mbarrier.pending_count";
  if (form.traits.has("load")) return space !== undefined && space !== "global";
  if (form.traits.has("store")) return space === "local";
  return !seen.has(form.opcode);
}

function endLap({ blocks }: Cluster): void {
  for (const block of blocks) {
    const { observer } = block;
    if (observer !== undefined && "inner" in observer) block.observer = (observer as LapObserver).inner;
  }
}
