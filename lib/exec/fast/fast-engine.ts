// What the interpreter sees of the fast engine: runs of generated code, and what came of them.

import type { Block } from "../block.js";
import type { Frame } from "../frame.js";
import type { Group, Warp } from "../warp.js";

/** What came of running a group. Filled anew each time. */
export interface Answer {
  reason: number;
  pc: number;
  /** Budget that is left, instructions issued, lanes that executed them. */
  left: number;
  issued: number;
  threads: number;
  /** Lanes that take the branch at `pc`, for a split. */
  taken: number;
}

export interface FastUnit {
  /** Bytes of parameters that it reads without looking. */
  readonly parameterBytes: number;
  /** Whether compiled code begins at that pc. Counts, and compiles what is asked for often. */
  isReady(pc: number): boolean;
  /**
   * Runs the group of the frame from `pc` on, between `floor` and `meeting` (run-warp.ts). Throws KernelFault; the answer then
   * says where.
   */
  run(frame: Frame, pc: number, mask: number, left: number, floor: number, meeting: number): Answer;
  /**
   * Runs the groups of a warp, all of them in this frame and waiting for nothing; undefined where there is no code yet. Counts
   * what they issue. Throws KernelFault; the warp then stands where the fault is.
   */
  schedule(warp: Warp, frame: Frame, left: number): Scheduled | undefined;
  /**
   * A turn of the block's warps from `first` on, each a group of this function. Counts what they issue; undefined where there is
   * no code yet. Throws KernelFault; `cluster.running` then stands where the fault is.
   */
  turn(block: Block, frame: Frame, first: number, share: number): Turned | undefined;
}

/** What came of a block's turn. Filled anew each time. */
export interface Turned {
  /** Of the warps from the first on that was asked for: block-turn.ts. */
  records: Int32Array;
  /** The warp that needs the interpreter: those before it are through. The number of warps when none does. */
  stopped: number;
  /** Of that warp: why, the lanes that branch, what is left of its turn and of its share. */
  reason: number;
  taken: number;
  left: number;
  warpLeft: number;
}

/** What came of running all groups of a warp. Filled anew each time. */
export interface Scheduled {
  /** What the warp may still issue. */
  warpLeft: number;
  /** The group whose turn the interpreter has to end, and what is left of that turn; undefined when all is used up. */
  group: Group | undefined;
  left: number;
}

export interface FastEngine {
  readonly answer: Answer;
  /** The frame's function; undefined where the interpreter has to do all of it. */
  unitOf(frame: Frame): FastUnit | undefined;
}
