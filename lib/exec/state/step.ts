// A bound instruction, the input of the engine's inner loop. Binding resolves every operand to a place in the frame, so that a
// running kernel needs no lookup by name, kind or type.

import type { Opcode } from "../../isa/opcode.js";
import type { Frame, Place } from "./frame.js";
import type { Watch } from "./sanitizer.js";
import type { Group, Warp } from "./warp.js";

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

/** Two instructions merge if these match. */
export interface MergeKey {
  readonly opcode: Opcode;
  readonly operands: readonly BoundOperand[];
}

/** An operand of a bound instruction, in the order in which its meaning bound them. */
export interface BoundOperand {
  readonly place: Place;
  readonly access: "read" | "write";
  readonly negated: boolean;
}

export interface TensorUnit {
  /** Decodes A for the tiles to come: two registers for each block. Undefined for types that the unit does not have. */
  prepareOf(type: string): ((a: readonly number[], blocks: 1 | 2) => boolean) | undefined;
  /** One tile with the A that was prepared; false: nothing was written. */
  tileOf(type: string): ((operands: TileOperands) => boolean) | undefined;
  /** Eight pieces of 16 bytes, at the offsets behind `from`, to the register at `to`; addresses in the arena. */
  readonly gather: (to: number, from: number, ...offsets: Eight) => void;
  /** Address of a register of zeros. */
  readonly zeros: number;
  /** The unit's memory as words, from `base` on, and where in it matrices from shared memory are put, in bytes. */
  readonly packed: Int32Array;
  readonly packedA: number;
  readonly packedB: number;
  readonly base: number;
}

// What a meaning may ask of the fast engine's tensor unit (exec/fast/tensor): products of 16-bit floats with f32 sums, a tile of 16
// rows and 8 columns at a time, with the same bits as step.ts. It refuses operands that are no ordinary numbers.

/** Byte addresses of registers of 32 lanes, in the arena. */
export interface TileOperands {
  /** One register for each block of eight along k. */
  readonly b: readonly number[];
  /** Where B comes from: what the unit has decoded of it is kept by this number, and used again where B's bits are the same. */
  readonly key: number;
  readonly c: readonly number[];
  readonly d: readonly number[];
  readonly blocks: 1 | 2;
}

type Eight = readonly [number, number, number, number, number, number, number, number];
