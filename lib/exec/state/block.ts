// A block (CTA), the cluster that it belongs to, its barriers and tensor memory.

import type { Dimensions } from "../../base/dimensions.js";
import type { ArenaBlock } from "../../load/arena.js";
import type { LaunchState } from "./launch.js";
import type { IssueObserver } from "./observer.js";
import type { Lap, Pending } from "./pending.js";
import type { Warp } from "./warp.js";

/**
 * Blocks that run together and see each other's shared memory: PTX ISA 9.0 section 2.2.2. A launch without clusters has
 * clusters of one block.
 */
export interface Cluster {
  /** Blocks by rank. */
  readonly blocks: readonly Block[];
  /** Threads that have not exited. */
  liveThreads: number;
  /** By warp: lanes that have arrived at barrier.cluster and are not released yet. */
  readonly arrived: Map<Warp, number>;
  /** Warp whose turn it is, or was last. */
  running: Warp | undefined;
  /** Instruction count of the launch at which other clusters have a turn. */
  sliceEnd: number;
  /** Consecutive turns in which it has only spun. */
  idleTurns: number;
  /** Asynchronous operations that are not complete; undefined if there were none. */
  pending: Pending | undefined;
  /** Effects of its groups since all of them waited, if they are tracked. */
  lap: Lap | undefined;
}

export interface Block {
  readonly cluster: Cluster;
  /** Rank in the cluster. */
  readonly rank: number;
  readonly launch: LaunchState;
  index: number;
  coordinates: Dimensions;
  readonly shared: DataView;
  /** The bytes of `shared`, with their offset in the arena. */
  readonly sharedBytes: ArenaBlock;
  readonly warps: readonly Warp[];
  /** By number; created at first use. */
  readonly barriers: (Barrier | undefined)[];
  /** Created at first use. */
  tensorMemory: TensorMemory | undefined;
  /** Receives every instruction of the block. */
  observer: IssueObserver | undefined;
  /** The block's output. */
  readonly output: string[];
  /** Threads that have not exited. */
  liveThreads: number;
}

/** Threads waiting at one barrier resource. */
export interface Barrier {
  /**
   * Number of threads that must arrive, from the arriving instructions; 0 means all threads of the block that have not exited.
   */
  expected: number;
  /** Lanes that have arrived, by warp. */
  readonly arrived: Int32Array;
  /** Number of lanes that have arrived, including those that have exited since. */
  lanes: number;
  anyone: boolean;
  /** barrier.red: number of arrived threads whose predicate is true, and number of those with any predicate. */
  truths: number;
  voters: number;
  /** Write the reduction's result for the groups that wait for it. */
  readonly results: ((truths: number, voters: number) => void)[];
}

export interface TensorMemory {
  /** Lane by lane. */
  readonly words: Int32Array;
  /** By unit of columns: the allocation's first column + 1; 0 if free. */
  readonly owners: Int32Array;
  /** False after tcgen05.relinquish_alloc_permit. */
  mayAllocate: boolean;
  /** Set while a warp waits for the other block of the pair to allocate as many columns, too. */
  request: PairRequest | undefined;
}

interface PairRequest {
  readonly columns: number;
  /** Stores the address for the warp, and resumes it. */
  readonly answer: (column: number) => void;
}
