// What an SM counts, and the state of its sub-cores (sm.ts).

import type { GpuModel } from "./model.js";
import type { Warp } from "./warp.js";

export interface Starved {
  readonly warp: Warp;
  readonly at: number;
  /** Its block has been asked for more. */
  isAsked: boolean;
}

export interface SmCounters {
  /** Machine instructions. */
  issued: number;
  /** Warp-cycles by reason: stalls.ts. */
  readonly stalls: Float64Array;
  /** Cycles that pipes were taken, summed over sub-cores. */
  readonly pipes: Float64Array;
  /** Cycles of residence, summed over warps. */
  warpCycles: number;
  /** When the last warp so far ended. */
  ended: number;
}

export interface Subcore {
  readonly index: number;
  /** In the order of their arrival. */
  readonly warps: Warp[];
  greedy: Warp | undefined;
  /** Nothing can issue before. */
  next: number;
  /** When the last few instructions left the queue to the memory path. */
  readonly queue: Float64Array;
  queueAt: number;
  /** When the sub-core can hand the next one to the memory path. */
  handed: number;
}

export const createSubcores = (model: GpuModel): readonly Subcore[] =>
  Array.from({ length: model.subcores }, (_, index) => ({
    index,
    warps: [],
    greedy: undefined,
    next: Infinity,
    queue: new Float64Array(model.lsu.queueEntries),
    queueAt: 0,
    handed: 0,
  }));
