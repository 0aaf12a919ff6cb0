// What all blocks of a launch share.

import type { Stretch } from "../load/arena.js";
import type { LoadedFunction, LoadedKernel, Process } from "../load/process.js";
import type { Cluster } from "./block.js";
import type { FastEngine } from "./fast/fast-engine.js";
import type { Program } from "./frame.js";
import type { Access, IssueObserver } from "./observer.js";
import type { LaunchConfig } from "./result.js";

export interface LaunchState {
  readonly process: Process;
  readonly kernel: LoadedKernel;
  readonly config: LaunchConfig;
  /** Blocks of a cluster in each dimension: the launch's, or what the kernel requires; else 1. */
  readonly cluster: readonly [number, number, number];
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
  /** With what the system has behind it (reserved-shared.ts). */
  readonly allSharedBytes: number;
  readonly parameters: DataView;
  /** The same bytes, and where they are in the arena. */
  readonly parameterBytes: Stretch;
  /** Of a cooperative launch: the workspace's generic address; else 0. */
  readonly workspace: number;
  readonly counters: Counters;
  /** Filled by memory instructions of blocks that have an observer. */
  readonly access: Access;
  /** Clusters that have ended, to be used again. */
  readonly spare: Cluster[];
  /** Who watches a block that begins. */
  observe: ((block: number) => IssueObserver) | undefined;
}

export interface Counters {
  warpInstructions: number;
  threadInstructions: number;
  /** The launch stops with a fault when warpInstructions gets there. */
  limit: number;
}
