// Asynchronous operations that have been issued and are not complete, and waits at mbarriers.

import type { LoadedFunction } from "../../load/process.js";
import type { Program } from "./frame.js";
import type { Spot, Warp } from "./warp.js";

/** The pending operations of a cluster. */
export interface Pending {
  readonly groups: Map<Warp, Map<GroupKind, Groups>>;
  /** By the memory that contains the barrier, and its offset there. */
  readonly signals: Map<ArrayBufferLike, Map<number, Signals>>;
  /** Operations on tensor memory, in issue order, which is also their order of completion. */
  tensor: (() => void)[];
  /** Number of operations on tensor memory that are complete. */
  tensorDone: number;
  serial: number;
}

/** When asynchronous operations complete. */
export type AsyncMode = "early" | "late";

/** Kinds of groups that threads commit and wait for independently of each other. */
export type GroupKind = "copy" | "bulk" | "wgmma" | "tensor-store";

/** The groups of one kind of a warp's threads. */
export interface Groups {
  /**
   * By lane: the number of the group that its next operations belong to. Operations keep this array: a commit makes another one.
   */
  open: Int32Array;
  issued: Issued[];
}

/** The signals of one mbarrier, in the order of issue. */
interface Signals {
  readonly at: Spot;
  readonly queue: Signal[];
  /** Polls of a phase that the pending signals do not complete. */
  unsuccessfulPolls: number;
}

/** An operation that ends with a signal on an mbarrier. */
export interface Signal {
  readonly complete: () => void;
  /** Its effect on the barrier. */
  readonly signal: (barrier: Mbarrier) => Mbarrier;
}

export interface Issued {
  readonly read: LaneOperations["read"] | undefined;
  readonly complete: LaneOperations["complete"];
  readonly end: LaneOperations["end"] | undefined;
  /** Lanes whose operation is not complete. */
  mask: number;
  /** By lane: the number of its group. */
  readonly groups: Int32Array;
  /** Position in the order of issue. */
  readonly serial: number;
}

/** An instruction's operations, one of each lane in `mask`. */
export interface LaneOperations {
  /** Reads a lane's source now; without it, `complete` reads the source. */
  readonly read?: (lane: number) => void;
  readonly complete: (lane: number) => void;
  /** Called when all lanes' operations are complete. */
  readonly end?: () => void;
}

export interface Mbarrier {
  /** Arrivals that each phase expects. */
  readonly expected: number;
  readonly pending: number;
  /** Bytes that asynchronous operations have yet to transfer; negative if they arrived before they were expected. */
  readonly bytes: number;
  /** 1 for layout v1, whose phases each have a report. */
  readonly layout: number;
  readonly phase: number;
}

// ------------------------------------------------------------------------------------------------------------ deadlocks

/** A waiting group, as it was when its wait timed out. */
export interface StalledGroup {
  readonly warp: Warp;
  readonly pc: number;
  readonly mask: number;
  /** Registers of the call and of its callers. */
  readonly registers: readonly { readonly program: Program; readonly words: Int32Array }[];
  readonly local: Uint8Array;
  readonly printed: number;
}

/** The effects of a cluster's groups between two times at which all of them wait. */
export interface Lap {
  readonly stuck: readonly StalledGroup[];
  /** Indices of executed instructions. */
  readonly executed: Map<LoadedFunction, Set<number>>;
  /** Whether nothing was written, and nothing read that another cluster may change. */
  isIdle: boolean;
}
