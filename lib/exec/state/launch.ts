// The state that all blocks of a launch share or, if several host threads run it, that the blocks of one thread share.

import type { Dimensions } from "../../base/dimensions.js";
import type { ArenaBlock } from "../../load/arena.js";
import type { LoadedFunction, LoadedKernel, Process } from "../../load/process.js";
import type { CudaError } from "../../isa/cuda-errors.table.js";
import type { LaunchConfig } from "./result.js";
import type { Cluster } from "./block.js";
import type { Program } from "./frame.js";
import type { FastEngine } from "./generated-code.js";
import type { Access, IssueObserver, Probe } from "./observer.js";
import type { AsyncMode } from "./pending.js";
import type { LaunchSanitizer } from "./sanitizer.js";

export interface LaunchState {
  readonly process: Process;
  readonly kernel: LoadedKernel;
  readonly config: LaunchConfig;
  /** Blocks of a cluster in each dimension, as required by the kernel or requested by the launch; otherwise 1. */
  readonly cluster: Dimensions;
  /** Blocks and clusters of the whole grid: the same number if a cluster is one block. */
  readonly blocks: number;
  readonly clusters: number;
  /** The bound kernel. */
  readonly program: Program;
  /** Functions are bound at their first call. */
  readonly programOf: (fn: LoadedFunction) => Program;
  /** Generated code; undefined if it is not requested or not available. */
  readonly fast: FastEngine | undefined;
  readonly threadsPerBlock: number;
  readonly warpsPerBlock: number;
  /** Static and dynamic shared memory of a block, in bytes. */
  readonly sharedBytes: number;
  /** `sharedBytes` with the system's part, which precedes or follows it (machine/reserved-shared.ts). */
  readonly allSharedBytes: number;
  readonly parameters: DataView;
  /** The bytes of `parameters`, with their offset in the arena. */
  readonly parameterBytes: ArenaBlock;
  /** Generic address of a cooperative launch's workspace; otherwise 0. */
  readonly workspace: number;
  /** When asynchronous operations complete. */
  readonly async: AsyncMode;
  readonly counters: Counters;
  /** Value of %globaltimer at the beginning: the number of instructions of earlier launches. */
  readonly timeBase: number;
  /** Filled by memory instructions of blocks that have an observer. */
  readonly access: Access;
  /** Clusters that have ended, for reuse. */
  readonly spare: Cluster[];
  /** Makes the observer of a block that begins. */
  observe: ((block: number) => IssueObserver) | undefined;
  /** Checks the launch, if it is sanitized. */
  sanitizer: LaunchSanitizer | undefined;
  /** Follows every instruction, if there is a probe. */
  readonly probe: Probe | undefined;
  /** The kernels' requests to the device runtime, on this thread. */
  readonly runtime: DeviceRuntime;
  /** Removes a cluster that has not begun from the grid. Returns its number; undefined if none is left. */
  cancelCluster: (() => number | undefined) | undefined;
  /** Set once other threads take part: blocks of this launch then run at the same time. */
  sharedCounters: SharedCounters | undefined;
}

export interface Counters {
  /** Instructions issued. Those of the run in progress are added when it ends. */
  warpInstructions: number;
  threadInstructions: number;
  /** The running warp's clock when its run began. */
  runClock: number;
  /** The launch stops with a fault when warpInstructions reaches this, unless more can be granted. */
  limit: number;
  /** Limit of instructions for all threads together, for messages. */
  readonly allowed: number;
}

/** Counters in memory that host threads share, as one thread accesses them. */
export interface SharedCounters {
  readonly storage: ArenaBlock;
  readonly words: Int32Array;
  /** 64-bit words of the same memory. */
  readonly longs: BigInt64Array;
  readonly clusters: number;
}

/** One host thread's state of the kernels' calls to the device runtime. */
export interface DeviceRuntime {
  /** The work to do after the grid has ended. */
  readonly work: NestedWork[];
  /** Parameter buffers by address; those of V2 have the launch that they are for. */
  readonly buffers: Map<number, Planned | undefined>;
  /** Last errors other than success, by thread. */
  readonly lastErrors: Map<number, CudaError>;
  /** Streams and events that exist. */
  readonly handles: Set<number>;
  nextHandle: number;
}

export interface Planned {
  readonly kernel: LoadedKernel | undefined;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly sharedBytes: number;
}

export interface NestedWork {
  readonly work: NestedLaunch | NestedCopy | NestedFill;
  /** Number of the requesting block, and its coordinates. */
  readonly block: number;
  readonly coordinates: Dimensions;
  /** Runs after the grid and all that it launched: cudaStreamTailLaunch. */
  readonly isTail: boolean;
}

/** A kernel's launch, by the kernel's name. */
export interface NestedLaunch {
  readonly kind: "launch";
  readonly kernel: string;
  readonly config: LaunchConfig;
}

/** Copies rows of bytes between generic addresses of global memory. Each row has `width` bytes, and rows are one pitch apart. */
export interface NestedCopy {
  readonly kind: "copy";
  readonly to: number;
  readonly toPitch: number;
  readonly from: number;
  readonly fromPitch: number;
  readonly width: number;
  readonly height: number;
}

/** Fills rows with one value for all bytes. */
export interface NestedFill {
  readonly kind: "fill";
  readonly to: number;
  readonly toPitch: number;
  readonly value: number;
  readonly width: number;
  readonly height: number;
}

/** The interpreter, which defines the results, or generated code for hot blocks. */
export type EngineName = "reference" | "fast";
