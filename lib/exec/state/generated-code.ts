// The fast engine's interface to the interpreter: runs of generated code, and their results.

import type { Block } from "./block.js";
import type { Frame, Place, Program, ResultCopy } from "./frame.js";
import type { LaunchState } from "./launch.js";
import type { Group, Warp } from "./warp.js";

export interface FastEngine {
  readonly answer: Answer;
  /** Words of the context of generated code (context.table.ts). */
  readonly context: Int32Array;
  /** The frame's function; undefined where the interpreter has to do all of it. */
  unitOf(frame: Frame): FastUnit | undefined;
  /**
   * Runs the groups of a warp, all of them in compiled frames and none waiting; undefined if it cannot. Counts issued
   * instructions. Throws KernelFault, after setting the warp's pc to the fault.
   */
  schedule(warp: Warp, left: number): Scheduled | undefined;
  /** The host starts the next block, because the current one is not complete when its threads have exited. */
  stay(): void;
}

export interface FastUnit {
  /** Where the function's record is: HEADER.fn of its frames. */
  readonly record: number;
  /** Whether it makes calls in generated code. */
  readonly makesCalls: boolean;
  /** The record of a call at `pc`: 0 where generated code cannot make it, undefined while there is no code around it. */
  link(pc: number, linkage: Linkage): number | undefined;
  /** Whether generated code may call it: its frames begin with known contents of registers. */
  mayBeCalled(): boolean;
  /** A free frame. */
  takeSpare(): Frame | undefined;
  /** Bytes of parameters that it reads without looking. */
  readonly parameterBytes: number;
  /**
   * Whether compiled code begins at that pc. Counts the requests, and compiles a block that is requested often, or will be in
   * such a launch.
   */
  isReady(pc: number, launch: LaunchState): boolean;
  /**
   * Runs the group of the frame from `pc` on, between `floor` and `meeting` (run-warp.ts). Throws KernelFault; the answer then
   * says where.
   */
  run(frame: Frame, pc: number, mask: number, left: number, floor: number, meeting: number): Answer;
  /** Whether any of its blocks is compiled. */
  readonly hasCode: boolean;
  /**
   * For a kernel: turns of the block's warps, the first from warp `first` on, one of which has `frame` as its frame, and of later
   * blocks. Counts issued instructions. Throws KernelFault, after setting `cluster.running` to the faulting warp; the block's
   * index is then that of the last block that ran. Undefined if it cannot run them.
   */
  turn(block: Block, frame: Frame, first: number, limits: TurnLimits): Turned | undefined;
}

/** The result of running a group. One object, filled anew each time. */
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

/** How far turns go by themselves. */
export interface TurnLimits {
  /** Instructions that a warp issues before the next one's turn. */
  readonly share: number;
  /** Instructions of this block, and of one behind it, after which its next turn is for the host to begin. */
  readonly quota: number;
  readonly slice: number;
  /** Instructions that may be issued at all. */
  readonly allowance: number;
  /** The first block that may not follow. */
  readonly end: number;
}

/** The result of turns. One object, filled anew each time. */
export interface Turned {
  /** Records of the warps, from the requested one on: warp-records.ts. */
  records: Int32Array;
  /** Whether it is a later turn than the one that was begun with. */
  isLater: boolean;
  /** The warp that needs the interpreter: those before it are through. The number of warps when none does. */
  stopped: number;
  /** The rest of its group's turn, and of its share. */
  left: number;
  warpLeft: number;
  /** Lanes whose call, return or exit at the group's pc is counted but not executed yet; 0: the group continues at its pc. */
  undone: number;
}

/** The result of running all groups of a warp. One object, filled anew each time. */
export interface Scheduled {
  /** Instructions that the warp may still issue. */
  warpLeft: number;
  /** The group whose turn the interpreter has to complete, and the rest of that turn; undefined when the share is used up. */
  group: Group | undefined;
  left: number;
  /** As of turns. */
  undone: number;
}

/** A call to one function from one place. */
export interface Linkage {
  readonly program: Program;
  readonly arguments: readonly Copy[];
  readonly results: readonly ResultCopy[];
  /** Bytes of variable arguments, which lie behind the callee's frame. */
  readonly openBytes: number;
  /** Whether the call goes nowhere else. */
  readonly isDirect: boolean;
  readonly passed: { readonly arguments: readonly Passed[]; readonly results: readonly Passed[] };
  /** Its record's address for generated code; 0 if that cannot call it, undefined if unknown yet. */
  record: number | undefined;
}

/** Copies one formal's bytes between two frames of a warp. */
type Copy = (caller: Frame, callee: Frame, mask: number) => void;

/** From where to where a value goes: in the one frame, and in the other. */
export interface Passed {
  readonly from: Actual;
  readonly to: Actual;
}

/** Where an argument or result is on the caller's side. */
export type Actual =
  | { readonly kind: "memory"; readonly offset: number; readonly bytes: number }
  /** Prepared: where something is put before the call, as a special register is. */
  | { readonly kind: "place"; readonly place: Place; readonly isPrepared: boolean }
  /** The elements of a vector register, of so many bytes each; passed as if they were one value. */
  | { readonly kind: "elements"; readonly places: readonly Place[]; readonly bytes: number };
