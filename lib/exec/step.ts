// A bound instruction, the input of the engine's inner loop. Binding resolves every operand to a place in the frame, so that a
// running kernel needs no lookup by name, kind or type.

import type { Frame } from "./frame.js";
import type { MergeKey } from "./merged-collective.js";
import type { Watch } from "./sanitize/watch.js";
import type { TensorUnit } from "./tensor/quick.js";
import type { Group, Warp } from "./warp.js";

/** Does the instruction for the lanes in `mask`, which is never 0. */
export type LaneOp = (frame: Frame, mask: number) => void;

/** Does the same by the fast engine's tensor unit where that can, else by itself. */
export type QuickOp = (frame: Frame, mask: number, unit: TensorUnit) => void;

/**
 * An instruction that moves lanes about: branches, calls, barriers. `active` are the group's lanes whose guard holds, maybe
 * none. It sets the group's pc itself. Returns true when the group may continue from there: same frame, same lanes.
 */
export type ControlOp = (warp: Warp, group: Group, active: number) => boolean;

/** The lanes that a collective instruction (shfl.sync, vote.sync ...) needs before it can execute. */
export interface Members {
  /** All that are named by the lanes in `active`. */
  readonly named: (frame: Frame, active: number) => number;
  /**
   * Those in `active` that may go: with every live lane that their own mask names, which has to have the same mask. `here` are
   * the lanes of the group, those with a false guard among them.
   */
  readonly ready: (frame: Frame, active: number, here: number, live: number) => number;
}

/** Of an instruction for the whole warp. */
export const everyLane: Members = {
  named: () => -1,
  ready: (_, active, here, live) => ((live & ~here) === 0 ? active : 0),
};

export interface Step {
  /** Word of the guard's predicate, or -1. */
  readonly guard: number;
  /** -1 for `@!p`: the predicate's bits are flipped. */
  readonly flip: number;
  /** One of these two. */
  readonly lanes: LaneOp | undefined;
  readonly control: ControlOp | undefined;
  /** The fast engine's replacement for `lanes`. */
  readonly quick?: QuickOp | undefined;
  /** Set for collectives: wait until these lanes have come. */
  readonly members: Members | undefined;
  /** For collectives: what others must share to execute with this one from elsewhere. */
  readonly mergeKey: MergeKey | undefined;
  /** Accesses memory: an observer receives the addresses. */
  readonly memory: boolean;
  /** Where launches are sanitized: looks at the instruction before it is executed. */
  readonly watch?: Watch | undefined;
  /** May be part of a spin loop (atomics, volatile loads, fences, nanosleep): costs a group its patience sooner. */
  readonly spins: boolean;
  /** Reads a clock. */
  readonly readsClock: boolean;
}

/** The share of a group's patience that an instruction typical of spin loops costs (run-warp.ts). */
export const SPIN_COST = 256;

/** Instructions that a group may issue while others of its warp are ready. */
export const PATIENCE = 16_384;

/** A warp that has used its share up with fewer instructions than this part of it spent it on what spin loops are made of. */
export const SPINNING_SHARE = 1 / 8;
