// A function's bound code, and the registers of one call of it by a group of lanes (machine/frame.ts has their layout).

import type { LoadedFunction } from "../../load/process.js";
import type { FastUnit } from "./generated-code.js";
import type { Step } from "./step.js";
import type { Warp } from "./warp.js";

/** The data that all frames of a function share. */
export interface Program {
  readonly fn: LoadedFunction;
  /** Whether it is for launches with clusters, where addresses of shared variables include the block's rank. */
  readonly isClustered: boolean;
  readonly steps: readonly Step[];
  /** Initial content of the words: zeros, and the constants. */
  readonly image: Int32Array;
  /** The carry flag, if an instruction uses it. */
  readonly carry: Place | undefined;
  /** Byte offset of each frame variable from the frame's base in local memory; -1 for those in registers. */
  readonly variableOffsets: readonly number[];
  /** By variable: the register that holds it; undefined if none does. */
  readonly promoted: readonly (number | undefined)[];
  readonly registerCount: number;
  /** Place of a register. */
  readonly registerPlace: (register: number, selector?: string) => Place;
  /** Bytes of local memory that a frame needs. */
  readonly frameBytes: number;
  /** Module registers that the function uses: PTX before 3.0. */
  readonly shared: readonly SharedPlace[];
  /** Frames that are not in use; generated code keeps frames of its own. */
  readonly pool: Frame[];
  /** All frames of the process in the arena, by address. */
  readonly frames: Map<number, Frame>;
  /** Whether a used frame must get its initial content again; false if every register is written first. */
  needsImage: boolean;
  /** Its generated code, after the first use; null if it has none. */
  fast: FastUnit | null | undefined;
  /** In sanitized launches: the undefined bits of a new frame. */
  readonly undefinedImage?: Int32Array;
}

export interface Frame {
  readonly program: Program;
  readonly words: Int32Array;
  readonly unsigned: Uint32Array;
  readonly floats: Float32Array;
  readonly doubles: Float64Array;
  readonly longs: BigInt64Array;
  readonly ulongs: BigUint64Array;
  /** Byte offset of the words in the arena; -1 if they are not in it. */
  readonly offset: number;
  warp: Warp;
  /** The caller's frame, and the pc at which its lanes resume; undefined for a kernel. */
  parent: Frame | undefined;
  returnPc: number;
  /** Copies of formal returns to the caller's frame. */
  results: readonly ResultCopy[];
  /** Byte offset of this frame's variables in each lane's local memory, and of the first byte after them. */
  localBase: number;
  localTop: number;
  /** Number of calls below this one. */
  depth: number;
  /** The sanitizer's shadow of its registers. */
  shadow: RegisterShadow | undefined;
}

/** A copy of a callee's formal return to its destination in the caller. */
export interface ResultCopy {
  /** Index of the callee's frame variable. */
  readonly variable: number;
  /** Copies it for the lanes in `mask`, while both frames are alive. */
  readonly copy: (callee: Frame, caller: Frame, mask: number) => void;
}

/** A module register, or one element of a vector register: its place in the frame, and in local memory. */
export interface SharedPlace {
  readonly place: Place;
  /** Byte offset in each thread's local memory. */
  readonly offset: number;
  readonly bytes: number;
}

/** Place of an operand: its first word, and the distance in words from lane to lane (0 for a predicate). */
export interface Place {
  readonly word: number;
  readonly stride: 0 | 1 | 2 | 4;
}

export interface RegisterShadow {
  /** Undefined bits. Predicates have one bit per lane, as in the frame. */
  readonly undef: Int32Array;
  /** Number of the object that the value was derived from (sanitize/objects.ts), 0 for none. Stored at a value's first word. */
  readonly object: Int32Array;
  /**
   * Origin of undefined bits: a number of the sanitizer's list (sanitize/sanitizer.ts), 0 for the register itself. Stored at a
   * value's first word.
   */
  readonly origin: Int32Array;
  /**
   * By a register's first word: the object of all lanes, if all bits are defined; otherwise UNKNOWN. This suffices for most
   * instructions.
   */
  readonly uniform: Int32Array;
  /** Initial contents of `undef` and `uniform`. */
  readonly image: Int32Array;
  readonly uniformImage: Int32Array;
  /** Lanes for which the frame was created. */
  lanes: number;
  /** Objects of the frame's variables, by variable. */
  readonly locals: Map<number, number>;
}
