// The state of an SM, used by sm.ts and issue.ts: its sub-cores, resident warps and counters. Data that a scheduler reads of
// warps it does not choose, and fractional numbers, are columns over all warps of the GPU. Thousands of warps are resident,
// more than fit the host's caches, and separate arrays for each SM would take more of the caches than their contents.

import type { Program } from "../lowering/lowered.js";
import type { InstructionCache } from "./instruction-cache.js";
import type { L1 } from "./l1.js";
import type { GpuModel } from "../gpus/model.js";
import type { Planner, Passage } from "../schedule/plan.js";
import type { IssuedInstruction, Step } from "../schedule/step.js";
import type { TimelineSums } from "../trace/timeline.js";
import type { TracePool, WarpTrace } from "../trace/trace.js";

/** A block on an SM. */
export interface ResidentBlock {
  /** Index in the grid. */
  readonly index: number;
  readonly warps: number;
  /** Its trace's cells. */
  readonly cells: Float64Array;
  /** Warps that have not ended. */
  live: number;
  /** The number of live warps that wait at a barrier. */
  blocked: number;
  /** By barrier number: the waiting warps, and the number of arrivals. */
  readonly barriers: Map<number, { readonly waiting: Warp[]; arrived: number }>;
  readonly mbarriers: Mbarriers;
  /** The cycle at which its last warp and its stores are complete. */
  end: number;
}

/** A resident warp with its position in its trace. The machine's columns hold the readiness of its registers and its wait. */
export interface Warp {
  /** Its index in the columns. */
  readonly place: number;
  /** The next step to issue, and whether it is inactive. Undefined at the end. */
  step: Step | undefined;
  off: boolean;
  /** The stall reason until its `wake`: an index of stalls.ts. */
  reason: number;
  /** The next run, the passages left in the current one, and the current passage with the index of the step after `step`. */
  run: number;
  left: number;
  passage: Passage;
  next: number;
  /** The cell of the passage's first access. */
  access: number;
  trace: WarpTrace;
  readonly subcore: Subcore;
  readonly block: ResidentBlock;
  /** Index within its block. */
  readonly index: number;
  /**
   * Cycles at which the copies of each of its groups, and the products of its warpgroup, complete; undefined until a group is
   * committed.
   */
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
  /** End of the last warp so far. */
  ended: number;
}

export interface Subcore {
  readonly index: number;
  /** Index among those of the GPU. */
  readonly number: number;
  /** Its indices in the machine's columns of pipes, warps in order of arrival, and queues. */
  readonly pipes: number;
  readonly order: number;
  readonly queue: number;
  /** Number of its warps. */
  count: number;
  /** Index of the warp that issued last; -1 if there is none. */
  greedy: number;
  /** It yields: others that can issue go first. */
  yields: boolean;
  /** The most recently used entry of its queue to the memory path. */
  queueAt: number;
  /** Cycle at which the sub-core can issue the next instruction to the memory path. */
  handed: number;
  /** Cycle at which the tensor core has completed the products of warpgroups issued so far. */
  matrixFree: number;
}

/** The effect of the issued instruction on its warp. */
interface Outcome {
  /** Cycle of its results, and the kind of a wait for them (Machine.why). */
  result: number;
  why: number;
  /** Earliest cycle of the warp's next instruction, and the stall reason until then. */
  earliest: number;
  reason: number;
}

/** State that all SMs of a launch share, and columns over all of their warps and sub-cores. */
export interface Machine {
  readonly model: GpuModel;
  readonly program: Program;
  readonly planner: Planner;
  /** Takes the cells of blocks that have ended; undefined if traces may have continuations. */
  readonly traces: TracePool | undefined;
  /** Additional cycles for a value that goes from one pipe to another: [producer * pipes + consumer]. */
  readonly crossing: Float64Array;
  readonly timeline: TimelineSums;
  readonly outcome: Outcome;
  /** Number of warp slots of an SM, whose first is a multiple of it; and of a sub-core's `order`. */
  readonly places: number;
  readonly warps: (Warp | undefined)[];
  /** Per warp: the cycle from which it can issue, Infinity at a barrier; its pipe, an index of `free`. */
  readonly wake: Float64Array;
  readonly way: Uint32Array;
  /** Cycles before this one are accounted for. */
  readonly since: Float64Array;
  /** Cycle at which it can issue another op with a repeat interval (lowering.ts, `repeat`). */
  readonly repeats: Float64Array;
  /** Its start; completion of its stores, its reductions, its asynchronous copies and its warpgroup's products. */
  readonly start: Float64Array;
  readonly stored: Float64Array;
  readonly reduced: Float64Array;
  readonly copied: Float64Array;
  readonly multiplied: Float64Array;
  /** Cycle at which the memory path has read its last access. */
  readonly handed: Float64Array;
  /**
   * Per warp and slot: the cycle at which its value is ready, and the kind of that wait, plus its producer's pipe in units of
   * PIPE. A warp has `slots` slots, more once plans use more of them.
   */
  slots: number;
  ready: Float64Array;
  why: Uint8Array;
  /** Per sub-core: earliest cycle of its next issue; indices of its warps in order of arrival. */
  readonly due: Float64Array;
  readonly order: Uint32Array;
  /** Per sub-core: cycles at which the last instructions left its queue to the memory path, which has `queueEntries`. */
  readonly queue: Float64Array;
  readonly queueEntries: number;
  /**
   * Cycle at which each pipe of each sub-core is free, and its index: a pipe that an SM's sub-cores share has the first one's.
   */
  readonly free: Float64Array;
  readonly pipeOf: Uint32Array;
  /** Per SM: warp-cycles by stall reason (stalls.ts); busy cycles of pipes, summed over sub-cores. */
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
  /** Cycles at which blocks have left in the last run; the caller empties it. */
  readonly left: number[];
  /** Warps at the end of their blocks' traces so far, and the cycles at which they could continue. */
  readonly starved: Starved[];
  /** Free slots. */
  readonly places: number[];
  /** Cycle at which the phase of the last successful wait at an mbarrier was complete. */
  pollReady: number;
}

export interface Mbarrier {
  /** Cycles of each arrival, and of each copy's last byte, in order of issue and not decreasing. */
  readonly arrivals: number[];
  readonly copies: number[];
  waiting: { readonly warp: Warp; readonly arrivals: number; readonly copies: number; readonly at: number }[];
}

export type Mbarriers = Map<number, Mbarrier>;

/** The barrier unit of an SM. */
export interface Barriers {
  /** Cycle at which it is free. */
  free: number;
}

/** Events of an SM; `subcore` and `slot` are those of the warp. */
export interface SmWatch {
  readonly begin: (warp: Warp, subcore: number, at: number) => void;
  readonly span: (warp: Warp, reason: number, from: number, to: number, instruction: IssuedInstruction) => void;
  readonly request: (warp: Warp, instruction: IssuedInstruction, space: number, from: number, to: number) => void;
  readonly end: (warp: Warp, at: number) => void;
}

/** The last system-scope fence on an SM: the start of its wait, and its warp. */
export interface Fences {
  systemAt: number;
  systemBy: Warp | undefined;
}
