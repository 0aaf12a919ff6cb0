// The result of a timed launch: the numbers of a profiler's summary, under Nsight Compute's names where they exist. Plain data,
// which `run --json` writes (docs/timing.md has the units).

import type { LaunchEvents } from "../sm/events.js";
import type { CodePlace, InstructionProfile } from "./instruction-profile.js";
import type { OccupancyLimit } from "../gpus/occupancy.js";
import type { PipeName } from "../gpus/model.js";
import type { StallName } from "../trace/stalls.js";
import type { Timeline } from "../trace/timeline.js";
import type { Precision } from "./work.js";

/** Shares of the GPU's peak. */
export interface Throughput {
  /** The largest share of the pipes and the issue slots. */
  readonly compute: number;
  /** The largest of the three below. */
  readonly memory: number;
  /** Machine instructions issued. */
  readonly issue: number;
  /** The data stage of L1 and shared memory. */
  readonly l1: number;
  /** Bytes of the L2. */
  readonly l2: number;
  readonly dram: number;
}

export interface OccupancyReport {
  readonly blocksPerSm: number;
  /** Shares of the warps that an SM can hold. */
  readonly theoretical: number;
  readonly achieved: number;
  readonly limitedBy: OccupancyLimit;
  /** Per thread; 0 if registers impose no limit. */
  readonly registers: number;
  readonly registersEstimated: boolean;
  readonly sharedBytes: number;
  /** Number of rounds in which the GPU executes the grid's blocks, each with as many as fit at a time. */
  readonly waves: number;
}

export interface MemoryReport {
  /** Shares of sectors; 0 if none were requested. */
  readonly l1HitRate: number;
  readonly l2HitRate: number;
  readonly dramReadBytes: number;
  readonly dramWriteBytes: number;
  /** Achieved throughput, reads and writes together. */
  readonly dramGigabytesPerSecond: number;
  /** 32-byte sectors per load and store of global and local memory. */
  readonly sectorsPerLoad: number;
  readonly sectorsPerStore: number;
  /** Data cycles per access to shared memory, and without bank conflicts; equal if there are none. */
  readonly sharedCyclesPerAccess: number;
  readonly sharedLeastCyclesPerAccess: number;
  /** Accesses of warps: loads and stores of global and local memory, and of shared memory. */
  readonly loads: number;
  readonly stores: number;
  readonly sharedAccesses: number;
  /** Bytes requested of the L1 by loads, written through it, read from the L2 and written to it. */
  readonly l1LoadBytes: number;
  readonly l1StoreBytes: number;
  readonly l2ReadBytes: number;
  readonly l2WriteBytes: number;
}

/** The time of a launch on a GPU model, and its limit. */
export interface TimingResult {
  /** The model's name. */
  readonly gpu: string;
  /** From the first block's dispatch to the last store's arrival, without launch overhead on the host and in the front end. */
  readonly cycles: number;
  /** The launch stopped with a fault or a signal: the time covers what ran until then. */
  readonly isPartial?: true;
  /** The same at the model's boost clock. */
  readonly microseconds: number;
  /** What a stream's timer would measure for the launch alone, including launch overhead. */
  readonly eventMicroseconds: number;
  /** Whether the L2 held data of earlier launches. L1 is cold at the start of every launch. */
  readonly caches: "cold" | "warm";
  readonly limitedBy: TimeLimit;
  readonly throughput: Throughput;
  /** PTX instructions, as the engine counts them. */
  readonly warpInstructions: number;
  readonly threadInstructions: number;
  /** Machine instructions that the model issued for them. */
  readonly issuedInstructions: number;
  /** Machine instructions per cycle and SM, over all SMs of the GPU. */
  readonly ipc: number;
  readonly blocks: number;
  readonly threadsPerBlock: number;
  /** Bytes of the kernel's machine code, if a cubin is given. */
  readonly codeBytes?: number;
  readonly occupancy: OccupancyReport;
  /** Shares of all cycles in which warps were resident. */
  readonly stalls: Readonly<Record<StallName, number>>;
  readonly memory: MemoryReport;
  /** Share of cycles in which a pipe was busy, over all sub-cores. */
  readonly pipes: Readonly<Record<PipeName, number>>;
  /** Floating-point operations executed; the GPU's peak per second, and its DRAM's bytes per second. */
  readonly work: Readonly<Record<Precision, number>>;
  readonly peak: Readonly<Record<Precision, number>> & { readonly dramBytes: number };
  readonly timeline: Timeline;
  /** A row for each PTX instruction that ran. */
  readonly instructions: readonly InstructionProfile[];
  /** Suggested changes, from rules that are certain; the most costly first. */
  readonly advice: readonly Advice[];
  /** Present if a trace was requested. */
  readonly events?: LaunchEvents;
}

type AdviceRule =
  | "uncoalesced"
  | "bank-conflicts"
  | "divergence"
  | "atomic-contention"
  | "local-memory"
  | "low-occupancy"
  | "few-blocks"
  | "tail"
  | "partial-warps"
  | "few-fp64-units";

/** A change that would make a launch faster. */
export interface Advice {
  readonly rule: AdviceRule;
  /** The finding: a sentence without a full stop. */
  readonly message: string;
  readonly remedy: string;
  /** The affected share of all sectors, data cycles, lanes or warps; 0 to 1. */
  readonly share: number;
  /** For rules about one instruction: its location, and its number in the profile. */
  readonly place?: CodePlace;
  readonly instruction?: number;
}

export type TimeLimit =
  /** A pipe, or the schedulers' issue slots. */
  | "compute"
  /** The bandwidth of DRAM, of the L2 or of the L1 and shared memory, or the paths to them. */
  | "memory"
  /** Fewer blocks than the SMs could hold. */
  | "launch"
  /** Warps wait, and the SMs have no room for more. */
  | "occupancy"
  /** Warps wait for each other, or for results. */
  | "latency";
