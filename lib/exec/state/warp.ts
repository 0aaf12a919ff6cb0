// A warp, its groups of lanes that execute together, and why a group waits (machine/warp.ts picks the group that runs).

import type { ArenaBlock } from "../../load/arena.js";
import type { Block } from "./block.js";
import type { Frame } from "./frame.js";

export interface Warp {
  readonly block: Block;
  /** Number in its block. */
  readonly index: number;
  /** Lanes that have not exited. */
  live: number;
  readonly groups: Group[];
  /** The group that runs, or ran last. */
  current: Group | undefined;
  /** Local memory: lane l's bytes begin at l * localStride. It grows with the depth of calls. */
  local: DataView;
  /** The bytes of `local`, with their offset in the arena. */
  localBytes: ArenaBlock;
  localStride: number;
  /** Instructions issued by this warp, which %clock reads if no model runs in step. */
  clock: number;
  /** The model's time at the warp's last read of a clock; -1 if no model runs in step. */
  time: number;
}

export interface Group {
  frame: Frame;
  pc: number;
  mask: number;
  wait: Wait | undefined;
  /** Scheduling turns for which the group yields to others. */
  penalty: number;
  /** In sanitized launches: the last instruction that it has executed since its lanes were combined. */
  previous?: number;
}

/** Why a group does not run. */
export type Wait =
  /** bar.sync and its variants: until the block's barrier opens. */
  | { readonly kind: "barrier"; readonly barrier: number }
  /** barrier.cluster.wait: until every thread of the cluster has arrived. */
  | { readonly kind: "cluster" }
  /** tcgen05.alloc: until that many columns are free, or the other block of the pair allocates, too. */
  | { readonly kind: "tensor-memory"; readonly columns: number }
  /** A collective: until the lanes that it names are in the group, too, or the `missing` ones have exited. */
  | { readonly kind: "collective"; readonly members: number; readonly missing: number }
  /** A read of a clock: until the timing model has reached it (observer.ts). */
  | { readonly kind: "clock" }
  /** bar.warp.sync: until all named lanes have reached one, at any instruction. */
  | { readonly kind: "warp"; readonly members: number }
  /** A wait at mbarriers, at the group's pc: until one of the phases ends, or it times out (async/waiting.ts). */
  | {
      readonly kind: "mbarrier";
      readonly awaited: readonly AwaitedPhase[];
      /** Writes the result, given the lanes whose phase is complete, and resumes the group. */
      readonly answer: (over: number) => void;
      /** Number of its warp's turns that it has lasted. */
      turns: number;
    };

/** A phase that some lanes wait for, by its parity. */
export interface AwaitedPhase {
  readonly at: Spot;
  readonly phase: number;
  readonly lanes: number;
}

/** Location of a lane's bytes. One object, refilled for each lane. */
export interface Spot {
  view: DataView;
  offset: number;
}
