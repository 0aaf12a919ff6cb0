// The units that warps replay. A plan is a part of one region in the order in which the compiler would issue it. A passage is a
// plan with one warp's execution of it: the instructions that were off, and the access of each step. Both are made once, and
// shared by all warps and blocks that executed the same path.

import { accessesMemory } from "../lowering/accesses.js";
import type { Program } from "../lowering/lowered.js";
import { stall } from "../trace/stalls.js";
import { dropRepeatedReads, fuse, packConversions } from "./fuse.js";
import { dropHalves } from "./halves.js";
import { listSchedule, MAX_UNREAD, type FarBound } from "./list.js";
import { dropUnreadResults, forwardStores, shareSums } from "./redundant.js";
import { rename } from "./rename.js";
import {
  draftOf,
  expand,
  issuedInstruction,
  issuedOp,
  PIPE,
  type Draft,
  type MachineDraft,
  type Step,
} from "./step.js";
import { onlyInLastCopy, UNROLLED } from "../lowering/unroll.js";

export interface Passage {
  readonly steps: readonly Step[];
  /** Per step: no lane's guard held, so nothing was executed. Undefined: all steps were on. */
  readonly off: Uint8Array | undefined;
  /** Per step: index of its access in the passage; -1 for none. */
  readonly accessOf: Int16Array;
  readonly accesses: number;
  /** The last step that issues; -1 if none does. */
  readonly lastIssue: number;
  /** Index of its first machine instruction in the code. */
  readonly address: number;
  /** Lanes diverge at its branch; diverged lanes reconverge before it. */
  readonly diverges: boolean;
  readonly converges: boolean;
}

/** Creates plans and passages on demand. */
export interface Planner {
  readonly program: Program;
  readonly passages: Passage[];
  /** By region (regionKey): its steps; its passage without inactive lanes, and the most recently requested one. */
  readonly plans: Map<number, readonly Step[]>;
  readonly whole: Map<number, number>;
  readonly last: Map<number, { readonly off: readonly number[]; readonly lanes: number; readonly passage: number }>;
  /** By region and inactive instructions, as text. */
  readonly partial: Map<string, number>;
  /** By the passage of one iteration: that of UNROLLED iterations. */
  readonly loops: Map<number, number>;
  /** First machine instructions of plans, and the instructions of the code so far. */
  readonly addresses: Map<readonly Step[], number>;
  codeEnd: number;
  /** By slot of the program: its number in steps, counted from 0 in the order of use; and the count of these. */
  readonly slots: { readonly numbers: Int16Array; used: number };
}

/** A passage without steps. */
export const noPassage: Passage = {
  steps: [],
  off: undefined,
  accessOf: new Int16Array(0),
  accesses: 0,
  lastIssue: -1,
  address: 0,
  diverges: false,
  converges: false,
};

/** Factor of instruction numbers in a key. */
const KEY = 2 ** 20;

const regionKey = (from: number, to: number): number => from * KEY + (to - from);

export const createPlanner = (program: Program): Planner => ({
  program,
  passages: [],
  plans: new Map(),
  whole: new Map(),
  last: new Map(),
  partial: new Map(),
  loops: new Map(),
  addresses: new Map(),
  codeEnd: 0,
  slots: { numbers: new Int16Array(program.slots + program.renamedSlots).fill(-1), used: 0 },
});

/**
 * The passage from instruction `from` to `to`. Those at the first `offCount` numbers of `off` (counted from `from`) were
 * inactive. `lanes`: 1 if lanes diverge at its end, 2 if they reconverge before it, 3 for both.
 */
export function passageOf(
  planner: Planner,
  from: number,
  to: number,
  off: readonly number[],
  offCount = off.length,
  lanes = 0,
): number {
  const key = regionKey(from, to);
  if (offCount > 0 || lanes !== 0) return partialPassage(planner, key, from, to, off, offCount, lanes);
  let found = planner.whole.get(key);
  if (found === undefined) {
    const { unrolled, regionEnds } = planner.program;
    found = addPassage(planner, from, to, [], 0);
    planner.whole.set(key, found);
    if (unrolled.has(from) && regionEnds[from] === to) planner.loops.set(found, addUnrolled(planner, from, to));
  }
  return found;
}

/** The code of UNROLLED iterations of a loop whose body is `passage`; undefined if the compiler does not unroll it. */
export const unrolledPassage = ({ loops }: Planner, passage: number): number | undefined => loops.get(passage);

function partialPassage(
  planner: Planner,
  key: number,
  from: number,
  to: number,
  off: readonly number[],
  offCount: number,
  lanes: number,
): number {
  const last = planner.last.get(key);
  if (last?.lanes === lanes && areSame(last.off, off, offCount)) return last.passage;
  const own = off.slice(0, offCount);
  const text = `${key} ${lanes} ${own.join(" ")}`;
  let passage = planner.partial.get(text);
  if (passage === undefined) {
    passage = addPassage(planner, from, to, own, lanes);
    planner.partial.set(text, passage);
  }
  planner.last.set(key, { off: own, lanes, passage });
  return passage;
}

/** Whether `known` equals the first `count` of `numbers`. */
function areSame(known: readonly number[], numbers: readonly number[], count: number): boolean {
  if (known.length !== count) return false;
  for (let i = 0; i < count; i++) if (known[i] !== numbers[i]) return false;
  return true;
}

function addressOf(planner: Planner, steps: readonly Step[]): number {
  const known = planner.addresses.get(steps);
  if (known !== undefined) return known;
  const address = planner.codeEnd;
  planner.addresses.set(steps, address);
  planner.codeEnd += steps.length;
  return address;
}

function planOf(planner: Planner, from: number, to: number): readonly Step[] {
  const key = regionKey(from, to);
  let plan = planner.plans.get(key);
  if (plan === undefined) {
    plan = planRegion(planner, from, to, 1);
    planner.plans.set(key, plan);
  }
  return plan;
}

function addUnrolled(planner: Planner, from: number, to: number): number {
  const { program, passages } = planner;
  const steps = planRegion(planner, from, to, UNROLLED);
  const positions = Array.from({ length: UNROLLED * (to - from + 1) }, (_, i) => i);
  const ordinals = new Map(
    positions
      .filter((position) => accessesMemory(program.instructions[from + (position % (to - from + 1))]!))
      .map((position, ordinal) => [position, ordinal]),
  );
  passages.push({
    steps,
    off: undefined,
    accessOf: Int16Array.from(steps, ({ position }) => ordinals.get(position) ?? -1),
    accesses: ordinals.size,
    lastIssue: steps.findLastIndex(({ op }) => op !== undefined),
    address: addressOf(planner, steps),
    diverges: false,
    converges: false,
  });
  return passages.length - 1;
}

function addPassage(planner: Planner, from: number, to: number, off: readonly number[], lanes: number): number {
  const { program, passages } = planner;
  const steps = planOf(planner, from, to);
  const isOff = new Set(off);
  const ordinals = new Map<number, number>();
  for (let position = 0; position <= to - from; position++)
    if (!isOff.has(position) && accessesMemory(program.instructions[from + position]!))
      ordinals.set(position, ordinals.size);
  passages.push({
    steps,
    off: off.length === 0 ? undefined : Uint8Array.from(steps, ({ position }) => (isOff.has(position) ? 1 : 0)),
    accessOf: Int16Array.from(steps, ({ position }) => ordinals.get(position) ?? -1),
    accesses: ordinals.size,
    lastIssue: steps.findLastIndex(({ op }) => op !== undefined),
    address: addressOf(planner, steps),
    diverges: (lanes & 1) !== 0,
    converges: (lanes & 2) !== 0,
  });
  return passages.length - 1;
}

function numberOf({ slots }: Planner, slot: number): number {
  if (slots.numbers[slot]! < 0) slots.numbers[slot] = slots.used++;
  return slots.numbers[slot]!;
}

/** The region's steps; for a loop, those of `copies` iterations in a row. */
function planRegion(planner: Planner, from: number, to: number, copies: number): readonly Step[] {
  const { program } = planner;
  const drafts: Draft[] = [];
  let used = 0;
  const temporary = (): number => program.slots + (used++ % program.renamedSlots);
  const length = to - from + 1;
  const inLast = copies === 1 ? undefined : onlyInLastCopy(program.instructions.slice(from, to + 1));
  for (let copy = 0; copy < copies; copy++)
    for (let i = 0; i < length; i++)
      if (copy === copies - 1 || inLast?.has(i) === false)
        drafts.push(draftOf(program.instructions[from + i]!, copy * length + i));
  dropRepeatedReads(drafts);
  rename(drafts, temporary);
  forwardStores(drafts);
  dropUnreadResults(drafts, program);
  dropHalves(drafts, program);
  shareSums(drafts);
  fuse(drafts, program);
  packConversions(drafts);
  const machine = drafts.flatMap((draft) => expand(draft, temporary));
  const order = listSchedule(machine, program, program.regionEnds[from] === to, outstandingBound(machine, copies));
  return order.flatMap(({ at, op, gap, yields }): Step[] => {
    const { instruction, kind, sources, results, guards, position } = machine[at]!;
    // Constants are always ready.
    if (kind === "free" && sources.length === 0) return [];
    return [
      {
        instruction: issuedInstruction(instruction),
        kind,
        op: op === undefined ? undefined : issuedOp(op),
        gap,
        yields,
        operands: Uint16Array.from([...sources, ...guards, ...results], (slot) => numberOf(planner, slot)),
        sourcesEnd: sources.length,
        guardsEnd: sources.length + guards.length,
        why: op === undefined ? 0 : (op.scoreboard ? stall.short_scoreboard : stall.wait) + PIPE * op.from,
        position,
      },
    ];
  });
}

/**
 * In an unrolled loop, loads of two copies are in flight at a time, or of one if two would take too many registers. This is
 * what ptxas 13.0 reports for one to eight loads in a body, and for four of 16 bytes (31 registers).
 */
function outstandingBound(machine: readonly MachineDraft[], copies: number): FarBound {
  if (copies === 1) return { registers: Math.max(MAX_FAR, storedRegisters(machine)), slides: true };
  const far = machine.filter(({ kind, instruction }) => kind === "load" && instruction.order.space === "global");
  const ofOne = far.reduce((sum, { results }) => sum + results.length, 0) / copies;
  return { registers: Math.max(ofOne, Math.min(2 * ofOne, MAX_UNREAD)), slides: false };
}

/**
 * In other code ptxas 13.0 keeps 18 to 24 loaded registers unread, for sums and products of 16 to 64 loads (bw_dram_triad_16B:
 * six loads of 16 bytes, then the other two), and as many as the region stores.
 */
const MAX_FAR = 24;

const storedRegisters = (machine: readonly MachineDraft[]): number =>
  machine.reduce((sum, { kind, sources }) => (kind === "store" ? sum + Math.max(0, sources.length - 1) : sum), 0);
