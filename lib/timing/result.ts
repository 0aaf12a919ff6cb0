// What a timed launch answers: the numbers of a profiler's summary, under Nsight Compute's names where it has some.

import type { OccupancyLimit } from "./occupancy.js";
import type { PipeName } from "./model.js";
import type { StallName } from "./stalls.js";
import type { TimeLimit } from "./time-limit.js";

export interface TimingResult {
  /** The model's name. */
  readonly gpu: string;
  /** From the first block's dispatch to the last store's arrival; launch overhead on the host and in the front end is not in it. */
  readonly cycles: number;
  /** The same at the model's boost clock. */
  readonly microseconds: number;
  /** What a timer of a stream would say of the launch alone: with what the host and the front end take. */
  readonly eventMicroseconds: number;
  readonly limitedBy: TimeLimit;
  /** Shares of what the GPU could do at most: machine instructions, DRAM traffic. */
  readonly throughput: { readonly issue: number; readonly dram: number };
  /** PTX instructions, as the engine counts them. */
  readonly warpInstructions: number;
  readonly threadInstructions: number;
  /** Machine instructions that the model issued for them. */
  readonly issuedInstructions: number;
  /** Machine instructions per cycle and SM, over all SMs of the GPU. */
  readonly ipc: number;
  readonly blocks: number;
  readonly occupancy: {
    readonly blocksPerSm: number;
    /** Shares of the warps that an SM can hold. */
    readonly theoretical: number;
    readonly achieved: number;
    readonly limitedBy: OccupancyLimit;
    /** Per thread; 0 when it was no limit. */
    readonly registers: number;
    readonly registersEstimated: boolean;
    readonly sharedBytes: number;
  };
  /** Shares of all cycles in which warps were resident. */
  readonly stalls: Readonly<Record<StallName, number>>;
  readonly memory: {
    /** Shares of sectors, 0 where none were asked for. */
    readonly l1HitRate: number;
    readonly l2HitRate: number;
    readonly dramReadBytes: number;
    readonly dramWriteBytes: number;
    /** Achieved, of reads and writes together. */
    readonly dramGigabytesPerSecond: number;
    /** 32-byte sectors per load and store of global and local memory. */
    readonly sectorsPerLoad: number;
    readonly sectorsPerStore: number;
    /** Data cycles per access to shared memory: 1 without bank conflicts. */
    readonly sharedCyclesPerAccess: number;
  };
  /** Share of cycles in which a pipe was taken, over all sub-cores. */
  readonly pipes: Readonly<Record<PipeName, number>>;
}
