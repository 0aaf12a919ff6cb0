// A function's bound code, and the registers of one call of it by a group of lanes (frame.ts has their layout).

import type { LoadedFunction } from "../../load/process.js";
import type { FastUnit } from "./generated-code.js";
import type { Step } from "./step.js";
import type { Warp } from "./warp.js";

/** The data that all frames of a function share. */
export interface Program {
  readonly fn: LoadedFunction;
  /** Whether it is for launches with clusters, where addresses of shared variables have the block's rank. */
  readonly isClustered: boolean;
  readonly steps: readonly Step[];
  /** Initial content of the words: zeros, and the constants. */
  readonly image: Int32Array;
  /** The carry flag, if an instruction uses it. */
  readonly carry: Place | undefined;
  /** Byte offset of each frame variable from the frame's base in local memory; -1 for those in registers. */
  readonly variableOffsets: readonly number[];
  /** By variable: the register that holds it; undefined for those that are elsewhere. */
  readonly promoted: readonly (number | undefined)[];
  readonly registerCount: number;
  /** Where a register is. */
  readonly registerPlace: (register: number, selector?: string) => Place;
  /** Bytes of local memory that a frame needs. */
  readonly frameBytes: number;
  /** Registers of the module that it uses: PTX before 3.0. */
  readonly shared: readonly SharedPlace[];
  /** Frames that are not in use now; generated code keeps others of its own. */
  readonly pool: Frame[];
  /** All frames of the process in the arena, by their address. */
  readonly frames: Map<number, Frame>;
  /** Whether a frame that was used must have its initial content again; not where every register is written first. */
  needsImage: boolean;
  /** Its generated code, after the first use; null where it has none. */
  fast: FastUnit | null | undefined;
  /** Where launches are sanitized: the bits of a new frame that nothing has written. */
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
  /** Byte offset of the words in the arena; -1: not there. */
  readonly offset: number;
  warp: Warp;
  /** The caller's frame, and the pc at which its lanes resume; undefined for a kernel. */
  parent: Frame | undefined;
  returnPc: number;
  /** Where formal returns go in the caller's frame. */
  results: readonly ResultCopy[];
  /** Byte offset of this frame's variables in each lane's local memory, and the first byte behind them. */
  localBase: number;
  localTop: number;
  /** Calls below this one. */
  depth: number;
  /** The sanitizer's shadow of its registers. */
  shadow: RegisterShadow | undefined;
}

/** A copy from a callee's formal return to where the caller wants it. */
export interface ResultCopy {
  /** Index of the callee's frame variable. */
  readonly variable: number;
  /** Copies it for the lanes in `mask`; both frames are alive. */
  readonly copy: (callee: Frame, caller: Frame, mask: number) => void;
}

/** One register, or one element of a vector register. */
export interface SharedPlace {
  readonly place: Place;
  /** Byte offset in each thread's local memory. */
  readonly offset: number;
  readonly bytes: number;
}

/** Where an operand is: its first word, and the words from lane to lane (0 for a predicate). */
export interface Place {
  readonly word: number;
  readonly stride: 0 | 1 | 2 | 4;
}

export interface RegisterShadow {
  /** Undefined bits. Predicates have one bit per lane, as in the frame. */
  readonly undef: Int32Array;
  /** Number of the object that the value was derived from (objects.ts), 0 for none. At the first word of a value. */
  readonly object: Int32Array;
  /** Where undefined bits came from: number of an origin (origins.ts), 0 for the register itself. At the first word of a value. */
  readonly origin: Int32Array;
  /**
   * By a register's first word: the object of all lanes, if all bits are defined; else UNKNOWN. For most instructions this is
   * enough.
   */
  readonly uniform: Int32Array;
  /** Words of a frame that has just begun. */
  readonly image: Int32Array;
  readonly uniformImage: Int32Array;
  /** Lanes for which the frame was created. */
  lanes: number;
  /** Objects of the frame's variables, by variable. */
  readonly locals: Map<number, number>;
}
