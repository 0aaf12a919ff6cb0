// A block (CTA), the cluster that it belongs to, its barriers and tensor memory.

import type { Dimensions } from "../../base/dimensions.js";
import type { Stretch } from "../../load/arena.js";
import type { LaunchState } from "./launch.js";
import type { IssueObserver } from "./observer.js";
import type { Lap, Pending } from "./pending.js";
import type { Warp } from "./warp.js";

/**
 * Blocks that run together and see each other's shared memory: PTX ISA 9.0 section 2.2.2. A launch without clusters has
 * clusters of one block.
 */
export interface Cluster {
  /** By rank. */
  readonly blocks: readonly Block[];
  /** Threads that have not exited. */
  liveThreads: number;
  /** barrier.cluster: lanes that have arrived and are not released yet, for each warp. */
  readonly arrived: Map<Warp, number>;
  /** Warp whose turn it is, or was last. */
  running: Warp | undefined;
  /** The launch's count of instructions at which others have a turn. */
  sliceEnd: number;
  /** Turns in a row in which it has only spun. */
  idleTurns: number;
  /** Asynchronous operations that are not complete; undefined where there were none. */
  pending: Pending | undefined;
  /** The effects of its groups since all have waited, if they are tracked. */
  lap: Lap | undefined;
}

export interface Block {
  readonly cluster: Cluster;
  /** In the cluster. */
  readonly rank: number;
  readonly launch: LaunchState;
  index: number;
  coordinates: Dimensions;
  readonly shared: DataView;
  /** The same bytes, and where they are in the arena. */
  readonly sharedBytes: Stretch;
  readonly warps: readonly Warp[];
  /** By number; made when first used. */
  readonly barriers: (Barrier | undefined)[];
  /** Made when first used. */
  tensorMemory: TensorMemory | undefined;
  /** Is told every instruction. */
  observer: IssueObserver | undefined;
  /** The block's output. */
  readonly output: string[];
  /** Threads that have not exited. */
  liveThreads: number;
}

/** Threads waiting at one barrier resource. */
export interface Barrier {
  /** Threads that must come, as the arriving instructions say; 0: all threads of the block that have not exited. */
  expected: number;
  /** Lanes that have come, for each warp. */
  readonly arrived: Int32Array;
  /** How many lanes they are. */
  lanes: number;
  anyone: boolean;
  /** barrier.red: how many of those that came brought a true predicate, and how many brought one at all. */
  truths: number;
  voters: number;
  /** Writes the reduction's result for the groups that wait for it. */
  readonly results: ((truths: number, voters: number) => void)[];
}

export interface TensorMemory {
  /** Lane by lane. */
  readonly words: Int32Array;
  /** By unit of columns: the allocation's first column + 1; 0: free. */
  readonly owners: Int32Array;
  /** Until tcgen05.relinquish_alloc_permit. */
  mayAllocate: boolean;
  /** A warp waits for the other block of the pair to allocate as many columns, too. */
  request: PairRequest | undefined;
}

interface PairRequest {
  readonly columns: number;
  /** Stores the address for the warp, and resumes it. */
  readonly answer: (column: number) => void;
}
