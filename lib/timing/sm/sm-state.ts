// The state of an SM, which sm.ts and issue.ts work on: its sub-cores, its resident warps and its counters. What a scheduler reads
// of the warps that it does not choose, and numbers with fractions, are in columns over all warps of the GPU: thousands of warps are
// resident, more than the host's caches hold, and an array for each SM would take more of the caches than what it holds.

import type { LoweredInstruction, Program } from "../lowering/lowered.js";
import type { InstructionCache } from "./instruction-cache.js";
import type { L1 } from "./l1.js";
import type { GpuModel } from "../gpus/model.js";
import type { Planner, Passage } from "../schedule/plan.js";
import type { Step } from "../schedule/step.js";
import type { TimelineSums } from "../trace/timeline.js";
import type { WarpTrace } from "../trace/trace.js";

/** A block on an SM. */
export interface ResidentBlock {
  /** In the grid. */
  readonly index: number;
  readonly warps: number;
  /** Warps that have not ended. */
  live: number;
  /** The number of live warps that wait at a barrier. */
  blocked: number;
  /** By barrier number: the waiting warps, and the number of arrivals. */
  readonly barriers: Map<number, { readonly waiting: Warp[]; arrived: number }>;
  readonly mbarriers: Mbarriers;
  /** When its last warp and its stores are done. */
  end: number;
}

/** A resident warp with its position in its trace. The machine's columns hold when its registers are ready and what it waits for. */
export interface Warp {
  /** Its place in the columns. */
  readonly place: number;
  /** What is to issue now, and whether it does nothing. Undefined at the end. */
  step: Step | undefined;
  off: boolean;
  /** What it waits for until its `wake`: an index of stalls.ts. */
  reason: number;
  /** Next run, passages left in the current one, and the passage with the step in it that comes after `step`. */
  run: number;
  left: number;
  passage: Passage;
  next: number;
  /** The passage's first access. */
  access: number;
  trace: WarpTrace;
  readonly subcore: Subcore;
  readonly block: ResidentBlock;
  /** Within its block. */
  readonly index: number;
  /** When the copies of each of its groups are done, and the products of its warpgroup; none until a group is complete. */
  groups: number[] | undefined;
  matrixGroups: number[] | undefined;
}

export interface Starved {
  readonly warp: Warp;
  readonly at: number;
  /** More of its trace has been requested. */
  isRequested: boolean;
}

export interface SmCounters {
  /** Machine instructions. */
  issued: number;
  /** Cycles of residence, summed over warps. */
  warpCycles: number;
  /** When the last warp so far ended. */
  ended: number;
}

export interface Subcore {
  readonly index: number;
  /** Among those of the GPU. */
  readonly number: number;
  /** Its places in the machine's columns of pipes, warps in the order of arrival, and queues. */
  readonly pipes: number;
  readonly order: number;
  readonly queue: number;
  /** How many warps it has. */
  count: number;
  /** The place of the warp that issued last; -1 without one. */
  greedy: number;
  /** It yields: others that can issue go first. */
  yields: boolean;
  /** The entry of its queue to the memory path that was taken last. */
  queueAt: number;
  /** When the sub-core can hand the next one to the memory path. */
  handed: number;
  /** When the tensor core is done with the products of warpgroups that it was given. */
  matrixFree: number;
}

/** What the instruction that issues does to its warp. */
interface Outcome {
  /** When its results are there, and how a wait for them counts (Machine.why). */
  result: number;
  why: number;
  /** When the warp can issue its next instruction, at the soonest, and what it waits for until then. */
  earliest: number;
  reason: number;
}

/** What all SMs of a launch share, and columns over all of their warps and sub-cores. */
export interface Machine {
  readonly model: GpuModel;
  readonly program: Program;
  readonly planner: Planner;
  /** Cycles more when a value from one pipe goes to another: [producer * pipes + consumer]. */
  readonly crossing: Float64Array;
  readonly timeline: TimelineSums;
  readonly outcome: Outcome;
  /** Places of an SM, a multiple of which is its first; and of a sub-core's `order`. */
  readonly places: number;
  readonly warps: (Warp | undefined)[];
  /** Per warp: from when on it could issue, Infinity at a barrier; on which pipe, an index of `free`. */
  readonly wake: Float64Array;
  readonly way: Uint32Array;
  /** Cycles before this one are accounted for. */
  readonly since: Float64Array;
  /** When it can issue another op that repeats slowly (lowering.ts, `repeat`). */
  readonly repeats: Float64Array;
  /** When it began, and when its stores, its reductions, its asynchronous copies and its warpgroup's products are done. */
  readonly start: Float64Array;
  readonly stored: Float64Array;
  readonly reduced: Float64Array;
  readonly copied: Float64Array;
  readonly multiplied: Float64Array;
  /** When the memory path has taken its last access. */
  readonly handed: Float64Array;
  /**
   * Per warp and slot: when its value is ready, and what kind of wait that is, plus the pipe that it comes from in units of PIPE. A
   * warp has `slots` slots, more once plans use more of them.
   */
  slots: number;
  ready: Float64Array;
  why: Uint8Array;
  /** Per sub-core: nothing can issue before; places of its warps in the order of their arrival. */
  readonly due: Float64Array;
  readonly order: Uint32Array;
  /** Per sub-core: when the last few instructions left its queue to the memory path, which has `queueEntries`. */
  readonly queue: Float64Array;
  readonly queueEntries: number;
  /** When each pipe of each sub-core is free; which it is: one that an SM's sub-cores share is that of the first. */
  readonly free: Float64Array;
  readonly pipeOf: Uint32Array;
  /** Per SM: warp-cycles by reason (stalls.ts); cycles that pipes were taken, summed over sub-cores. */
  readonly stalls: Float64Array;
  readonly pipeCycles: Float64Array;
}

export interface Sm {
  readonly index: number;
  readonly machine: Machine;
  readonly l1: L1;
  readonly watch: SmWatch | undefined;
  readonly subcores: readonly Subcore[];
  readonly barriers: Barriers;
  readonly fences: Fences;
  readonly instructions: InstructionCache;
  readonly counters: SmCounters;
  /** Cycles at which the blocks that ended in the last run have left; the caller empties it. */
  readonly left: number[];
  /** Warps at the end of the traces that their blocks have produced so far, and the cycles at which they could continue. */
  readonly starved: Starved[];
  /** Free places. */
  readonly places: number[];
  /** When what the last wait at an mbarrier that went by waited for was there. */
  pollReady: number;
}

export interface Mbarrier {
  /** When each arrival, and each copy's last byte, was there; in the order of issue, each no earlier than the one before. */
  readonly arrivals: number[];
  readonly copies: number[];
  waiting: { readonly warp: Warp; readonly arrivals: number; readonly copies: number; readonly at: number }[];
}

export type Mbarriers = Map<number, Mbarrier>;

/** The barrier unit of an SM. */
export interface Barriers {
  /** When it is free. */
  free: number;
}

/** Events of an SM; `subcore` and `slot` are those of the warp. */
export interface SmWatch {
  readonly begin: (warp: Warp, subcore: number, at: number) => void;
  readonly span: (warp: Warp, reason: number, from: number, to: number, instruction: LoweredInstruction) => void;
  readonly request: (warp: Warp, instruction: LoweredInstruction, space: number, from: number, to: number) => void;
  readonly end: (warp: Warp, at: number) => void;
}

/** The last fence of the whole system on an SM: when it began to wait, and in which warp. */
export interface Fences {
  systemAt: number;
  systemBy: Warp | undefined;
}
