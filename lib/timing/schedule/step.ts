// One instruction of a plan: what issues, in the order in which the compiler would put it.

import type { LoweredInstruction, MicroOp } from "../lowering/lowered.js";

/** Stall reasons are below it. */
export const PIPE = 16;

export interface Step {
  readonly instruction: LoweredInstruction;
  /** "math" for all but the last of several machine instructions. */
  readonly kind: LoweredInstruction["kind"];
  /** Undefined: nothing is issued, the results are other names for the sources. */
  readonly op: MicroOp | undefined;
  /** Slots, renamed where the text used one register for several values: sources, guards from `sourcesEnd` on, results from `guardsEnd`. */
  readonly operands: Uint16Array;
  readonly sourcesEnd: number;
  readonly guardsEnd: number;
  /** How a wait for its results counts: Machine.why. */
  readonly why: number;
  /** Place in the text, counted from the first instruction of what was planned. */
  readonly position: number;
  /** Cycles until the warp's next instruction, where the compiler spaces the two for a pipe's sake; else 1. */
  readonly gap: number;
  /** Afterwards, the sub-core prefers other warps. */
  readonly yields: boolean;
}

/** One PTX instruction before it is put in order, with the machine instructions that it becomes. */
export interface Draft {
  instruction: LoweredInstruction;
  kind: LoweredInstruction["kind"];
  ops: readonly MicroOp[];
  sources: number[];
  results: number[];
  guards: number[];
  readonly position: number;
}

/** One machine instruction of it; without an op, other names for its sources. */
export interface MachineDraft extends Omit<Draft, "ops"> {
  readonly op: MicroOp | undefined;
  /** Issues after the draft before it, whose result it does not wait for. */
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

/** Its machine instructions, which are scheduled each for itself. `temporary` makes a slot for what one hands to the next. */
export function expand(draft: Draft, temporary: () => number): readonly MachineDraft[] {
  const { ops, ...rest } = draft;
  if (ops.length < 2) return [{ ...rest, op: ops[0], follows: false }];
  let inputs: readonly number[] = rest.sources;
  let made = inputs;
  return ops.map((op, i) => {
    const isLast = i === ops.length - 1;
    // An instruction that is not chained has the inputs of the one before it.
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

/** Whether it may leave the old value of its results in place. */
export const isPredicated = ({ guards }: Pick<Draft, "guards">): boolean => guards.length > 0;
