// The state that all blocks of a launch share; if several host threads run it, that of one thread's blocks.

import type { Dimensions } from "../../base/dimensions.js";
import type { Stretch } from "../../load/arena.js";
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
  /** Blocks of a cluster in each dimension: the launch's, or what the kernel requires; else 1. */
  readonly cluster: Dimensions;
  /** All of the grid: blocks, and clusters, as many as blocks where a cluster is one block. */
  readonly blocks: number;
  readonly clusters: number;
  /** The kernel, bound. */
  readonly program: Program;
  /** Functions are bound when first called. */
  readonly programOf: (fn: LoadedFunction) => Program;
  /** Generated code, where it is wanted and can be had. */
  readonly fast: FastEngine | undefined;
  readonly threadsPerBlock: number;
  readonly warpsPerBlock: number;
  /** Static and dynamic shared memory of a block, bytes. */
  readonly sharedBytes: number;
  /** With what the system has, in front of it or behind it (reserved-shared.ts). */
  readonly allSharedBytes: number;
  readonly parameters: DataView;
  /** The same bytes, and where they are in the arena. */
  readonly parameterBytes: Stretch;
  /** Of a cooperative launch: the workspace's generic address; else 0. */
  readonly workspace: number;
  /** When asynchronous operations complete. */
  readonly async: AsyncMode;
  readonly counters: Counters;
  /** The value of %globaltimer when it begins: instructions of launches before it. */
  readonly timeBase: number;
  /** Filled by memory instructions of blocks that have an observer. */
  readonly access: Access;
  /** Clusters that have ended, to be used again. */
  readonly spare: Cluster[];
  /** Who watches a block that begins. */
  observe: ((block: number) => IssueObserver) | undefined;
  /** Watches all that happens, where that is wanted. */
  sanitizer: LaunchSanitizer | undefined;
  /** Looks at everything before and after each instruction, where that is wanted. */
  readonly probe: Probe | undefined;
  /** The kernels' requests to the device runtime, on this thread. */
  readonly runtime: DeviceRuntime;
  /** Takes a cluster that has not begun out of the grid: its number, or undefined where there is none to be had. */
  cancelCluster: (() => number | undefined) | undefined;
  /** Set from when on other threads take part: blocks of this launch then run at the same time. */
  sharedCounters: SharedCounters | undefined;
}

export interface Counters {
  /** Those of the run that is going on are counted when it ends. */
  warpInstructions: number;
  threadInstructions: number;
  /** The running warp's clock when its run began. */
  runClock: number;
  /** The launch stops with a fault when warpInstructions gets there, unless there is more to have. */
  limit: number;
  /** The limit of instructions for all threads together: for messages. */
  readonly allowed: number;
}

/** Counters in memory, seen by one thread. */
export interface SharedCounters {
  readonly stretch: Stretch;
  readonly words: Int32Array;
  /** 64-bit words of the same memory. */
  readonly longs: BigInt64Array;
  readonly clusters: number;
}

/** A host thread's state of its kernels' calls. */
export interface DeviceRuntime {
  /** The work to do when the grid has ended. */
  readonly work: NestedWork[];
  /** Parameter buffers by address, those of V2 with the launch that they are for. */
  readonly buffers: Map<number, Planned | undefined>;
  /** Of threads whose last error is not success. */
  readonly lastErrors: Map<number, CudaError>;
  /** Streams and events that are there. */
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
  /** The block that asks, and its coordinates. */
  readonly block: number;
  readonly coordinates: Dimensions;
  /** After the grid and all that it launched: cudaStreamTailLaunch. */
  readonly isTail: boolean;
}

/** A kernel's launch, by the kernel's name. */
export interface NestedLaunch {
  readonly kind: "launch";
  readonly kernel: string;
  readonly config: LaunchConfig;
}

/** Rows of bytes at generic addresses of global memory, each `width` long and one `pitch` behind the other. */
export interface NestedCopy {
  readonly kind: "copy";
  readonly to: number;
  readonly toPitch: number;
  readonly from: number;
  readonly fromPitch: number;
  readonly width: number;
  readonly height: number;
}

/** The same of one value for all bytes. */
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
