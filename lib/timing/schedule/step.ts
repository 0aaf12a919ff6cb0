// One instruction of a plan: what issues, in the compiler's order.

import type { LoweredInstruction, MicroOp } from "../lowering/lowered.js";

/** Values below are stall reasons. */
export const PIPE = 16;

export interface Step {
  readonly instruction: IssuedInstruction;
  /** "math" for all but the last of several machine instructions. */
  readonly kind: LoweredInstruction["kind"];
  /** Undefined: nothing is issued, the results are other names for the sources. */
  readonly op: MicroOp | undefined;
  /**
   * Slots, renamed if the text uses one register for several values: sources, guards from `sourcesEnd` on, results from
   * `guardsEnd`.
   */
  readonly operands: Uint16Array;
  readonly sourcesEnd: number;
  readonly guardsEnd: number;
  /** The kind of a wait for its results: Machine.why. */
  readonly why: number;
  /** Position in the text, counted from the first planned instruction. */
  readonly position: number;
  /** Cycles until the warp's next instruction, if the compiler separates the two because of a pipe; otherwise 1. */
  readonly gap: number;
  /** Afterwards, the sub-core prefers other warps. */
  readonly yields: boolean;
}

/** What the SMs read of an instruction. */
export type IssuedInstruction = Pick<
  LoweredInstruction,
  | "form"
  | "kind"
  | "bypassesL1"
  | "atomic"
  | "countsLanes"
  | "isSummed"
  | "isRemote"
  | "fence"
  | "barrier"
  | "barrierThreads"
  | "groupsLeft"
  | "groups"
  | "isIndirect"
  | "columns"
  | "signalsBarrier"
  | "isBulk"
  | "number"
  | "cost"
>;

/**
 * The host finds a field without a search if few layouts of objects come to the place that reads it. Lowering and planning derive
 * objects from others in many ways, so a step's instruction and op are copies with one layout each.
 */
export const issuedInstruction = (one: IssuedInstruction): IssuedInstruction => ({
  form: one.form,
  kind: one.kind,
  bypassesL1: one.bypassesL1,
  atomic: one.atomic,
  countsLanes: one.countsLanes,
  isSummed: one.isSummed,
  isRemote: one.isRemote,
  fence: one.fence,
  barrier: one.barrier,
  barrierThreads: one.barrierThreads,
  groupsLeft: one.groupsLeft,
  groups: one.groups,
  isIndirect: one.isIndirect,
  columns: one.columns,
  signalsBarrier: one.signalsBarrier,
  isBulk: one.isBulk,
  number: one.number,
  cost: one.cost,
});

/** See `issuedInstruction`. */
export const issuedOp = (op: MicroOp): MicroOp => ({
  pipe: op.pipe,
  latency: op.latency,
  interval: op.interval,
  chained: op.chained,
  aside: op.aside,
  scoreboard: op.scoreboard,
  either: op.either,
  from: op.from,
  holds: op.holds,
  repeat: op.repeat,
  reckoned: op.reckoned,
});

/** The position of a draft that is of no instruction of the text: it is never off. */
export const NO_POSITION = -1;

/** One PTX instruction before scheduling, with its machine instructions. */
export interface Draft {
  instruction: LoweredInstruction;
  kind: LoweredInstruction["kind"];
  ops: readonly MicroOp[];
  sources: number[];
  results: number[];
  guards: number[];
  readonly position: number;
}

/** One machine instruction of it; without an op, its results are other names for its sources. */
export interface MachineDraft extends Omit<Draft, "ops"> {
  readonly op: MicroOp | undefined;
  /** Issues after the previous draft, without waiting for its result. */
  readonly follows: boolean;
}

export function draftOf(instruction: LoweredInstruction, position: number): Draft {
  return {
    instruction,
    kind: instruction.kind,
    ops: instruction.ops,
    sources: [...instruction.sources],
    results: [...instruction.results],
    guards: [...instruction.guards],
    position,
  };
}

/**
 * Its machine instructions, which are scheduled separately. `temporary` creates a slot for a value passed from one to the next.
 */
export function expand(draft: Draft, temporary: () => number): readonly MachineDraft[] {
  const { ops, ...rest } = draft;
  if (ops.length < 2) return [{ ...rest, op: ops[0], follows: false }];
  let inputs: readonly number[] = rest.sources;
  let made = inputs;
  return ops.map((op, i) => {
    const isLast = i === ops.length - 1;
    if (op.aside)
      return { ...rest, kind: "math", op, follows: false, sources: rest.sources.slice(1), results: [temporary()] };
    // An instruction that is not chained has the inputs of the previous one.
    if (op.chained) inputs = made;
    made = isLast ? rest.results : [temporary()];
    return {
      ...rest,
      kind: isLast ? rest.kind : "math",
      op,
      follows: !op.chained && i > 0,
      sources: [...inputs],
      results: [...made],
    };
  });
}

/** Whether it may keep the old value of its results. */
export const isPredicated = ({ guards }: Pick<Draft, "guards">): boolean => guards.length > 0;
