// A bound instruction, the input of the engine's inner loop. Binding resolves every operand to a place in the frame, so that a
// running kernel needs no lookup by name, kind or type.

import type { Opcode } from "../../isa/opcode.js";
import type { Frame, Place } from "./frame.js";
import type { Watch } from "./sanitizer.js";
import type { Group, Warp } from "./warp.js";

export interface Step {
  /** Word of the guard predicate; -1 without a guard. */
  readonly guard: number;
  /** -1 for `@!p`: the predicate's bits are flipped; otherwise 0. */
  readonly flip: number;
  /** One of `lanes` and `control` is set. */
  readonly lanes: LaneOp | undefined;
  readonly control: ControlOp | undefined;
  /** The replacement for `lanes` that uses the fast engine's tensor unit. */
  readonly quick?: QuickOp | undefined;
  /** For collectives: the lanes that must arrive before it executes. */
  readonly members: Members | undefined;
  /** For collectives: what an instruction elsewhere must share to execute together with this one. */
  readonly mergeKey: MergeKey | undefined;
  /** Whether it accesses memory: an observer receives the addresses. */
  readonly memory: boolean;
  /** In sanitized launches: checks the instruction before it executes. */
  readonly watch?: Watch | undefined;
  /** May be part of a spin loop (atomics, volatile loads, fences, nanosleep): uses up a group's patience faster. */
  readonly spins: boolean;
  /** Whether it reads a clock. */
  readonly readsClock: boolean;
}

/** Executes the instruction for the lanes in `mask`, which is never 0. */
export type LaneOp = (frame: Frame, mask: number) => void;

/** Does the same with the fast engine's tensor unit if that supports it, otherwise by itself. */
export type QuickOp = (frame: Frame, mask: number, unit: TensorUnit) => void;

/**
 * An instruction that changes a group's pc, frame or lanes: branches, calls, barriers. `active` are the group's lanes whose guard
 * holds; may be none. It sets the group's pc itself. Returns true if the group may continue from there: same frame, same lanes.
 */
export type ControlOp = (warp: Warp, group: Group, active: number) => boolean;

/** The lanes that a collective instruction (shfl.sync, vote.sync ...) needs before it can execute. */
export interface Members {
  /** All lanes that are named by the lanes in `active`. */
  readonly named: (frame: Frame, active: number) => number;
  /**
   * Lanes in `active` that may execute: every live lane that their own mask names is there with the same mask. `here` are the
   * lanes of the group, including those with a false guard.
   */
  readonly ready: (frame: Frame, active: number, here: number, live: number) => number;
}

/** Two instructions merge if these match. */
export interface MergeKey {
  readonly opcode: Opcode;
  readonly operands: readonly BoundOperand[];
}

/** An operand of a bound instruction. Lists of them are in the order in which the meaning bound them. */
export interface BoundOperand {
  readonly place: Place;
  readonly access: "read" | "write";
  readonly negated: boolean;
}

export interface TensorUnit {
  /** Decodes A for the following tiles: two registers for each block. Undefined for types that the unit does not support. */
  prepareOf(type: string): ((a: readonly number[], blocks: 1 | 2) => boolean) | undefined;
  /** Computes one tile with the prepared A. Returns false if it wrote nothing. */
  tileOf(type: string): ((operands: TileOperands) => boolean) | undefined;
  /** Copies eight pieces of 16 bytes, at `offsets` from `from`, to the register at `to`; addresses are in the arena. */
  readonly gather: (to: number, from: number, ...offsets: Eight) => void;
  /** Address of a register of zeros. */
  readonly zeros: number;
  /** The unit's memory as words, its address `base`, and the byte offsets in it for matrices from shared memory. */
  readonly packed: Int32Array;
  readonly packedA: number;
  readonly packedB: number;
  readonly base: number;
}

/** Operands of a tile: byte addresses, in the arena, of registers of 32 lanes. */
export interface TileOperands {
  /** One register for each block of eight along k. */
  readonly b: readonly number[];
  /**
   * Identifies the source of B. The unit keeps what it has decoded of B under this number, and reuses it if B's bits are the
   * same.
   */
  readonly key: number;
  readonly c: readonly number[];
  readonly d: readonly number[];
  readonly blocks: 1 | 2;
}

type Eight = readonly [number, number, number, number, number, number, number, number];
