// The fast engine's interface to the interpreter: runs of generated code, and their results.

import type { Block } from "./block.js";
import type { Frame, Place, Program, ResultCopy } from "./frame.js";
import type { LaunchState } from "./launch.js";
import type { Group, Warp } from "./warp.js";

export interface FastEngine {
  readonly answer: GroupResult;
  /** Words of the context of generated code (fast/context.table.ts). */
  readonly context: Int32Array;
  /** Set if it tells observers what it runs. */
  readonly isObserved: boolean;
  /** The frame's unit; undefined if only the interpreter can run its function. */
  unitOf(frame: Frame): FastUnit | undefined;
  /**
   * Runs the groups of a warp, which must all be in compiled frames and not waiting; undefined if it cannot. Adds issued
   * instructions to the counters. Throws KernelFault, after setting the warp's pc to the fault.
   */
  schedule(warp: Warp, left: number): Scheduled | undefined;
  /** Makes the host start the next block, because the current one is not complete when its threads have exited. */
  deferBlockEnd(): void;
}

export interface FastUnit {
  /** Address of the function's record: HEADER.fn of its frames. */
  readonly record: number;
  /** Whether it makes calls in generated code. */
  readonly makesCalls: boolean;
  /** The record of a call at `pc`: 0 if generated code cannot make it, undefined while no code around it is compiled. */
  link(pc: number, linkage: Linkage): number | undefined;
  /** Whether generated code may call it: its frames begin with known contents of registers. */
  mayBeCalled(): boolean;
  /** Takes a free frame. */
  takeSpare(): Frame | undefined;
  /** Bytes of parameters that it reads without checks. */
  readonly parameterBytes: number;
  /**
   * Whether compiled code begins at that pc. Counts the requests, and compiles a block that is requested often, or will be in
   * this launch.
   */
  isReady(pc: number, launch: LaunchState): boolean;
  /**
   * Runs the group of the frame from `pc` on, between `floor` and `meeting` (launch/run-warp.ts). Throws KernelFault; the answer
   * then has the location.
   */
  run(frame: Frame, pc: number, mask: number, left: number, floor: number, meeting: number): GroupResult;
  /** Whether any of its blocks is compiled. */
  readonly hasCode: boolean;
  /**
   * For a kernel: runs turns of the block's warps, beginning with warp `first`, and of later blocks. `frame` is the frame of one
   * of the warps. Counts issued instructions. Throws KernelFault, after setting `cluster.running` to the faulting warp; the
   * block's index is then that of the last block that ran. Undefined if it cannot run them.
   */
  turn(block: Block, frame: Frame, first: number, limits: TurnLimits): TurnResult | undefined;
}

/** The result of running a group: one object, refilled each time. */
export interface GroupResult {
  reason: number;
  pc: number;
  /** Remaining budget, instructions issued, and lanes that executed them. */
  left: number;
  issued: number;
  threads: number;
  /** Lanes that take the branch at `pc`, for a split. */
  taken: number;
}

/** Limits of turns that follow each other in generated code. */
export interface TurnLimits {
  /** Instructions that a warp issues before the next warp's turn. */
  readonly share: number;
  /** Instructions of this block, and of each later one (`slice`), after which the host begins the next turn. */
  readonly quota: number;
  readonly slice: number;
  /** Maximum number of instructions that may be issued. */
  readonly allowance: number;
  /** The first block that may not follow. */
  readonly end: number;
}

/** The result of turns: one object, refilled each time. */
export interface TurnResult {
  /** Records of the warps, from the requested one on: fast/warp-records.ts. */
  records: Int32Array;
  /** Whether it is a later turn than the first one. */
  isLater: boolean;
  /** The warp that needs the interpreter; the warps before it have completed the turn. The number of warps if none does. */
  stopped: number;
  /** Rest of its group's turn, and of its share. */
  left: number;
  warpLeft: number;
  /** Lanes whose call, return or exit at the group's pc is counted but not executed yet; 0: the group continues at its pc. */
  undone: number;
}

/** The result of running all groups of a warp: one object, refilled each time. */
export interface Scheduled {
  /** Instructions that the warp may still issue. */
  warpLeft: number;
  /** The group whose turn the interpreter has to complete, and the rest of that turn; undefined if the share is used up. */
  group: Group | undefined;
  left: number;
  /** As in TurnResult. */
  undone: number;
}

/** A call of one function from one place. */
export interface Linkage {
  readonly program: Program;
  readonly arguments: readonly Copy[];
  readonly results: readonly ResultCopy[];
  /** Bytes of variable arguments, which follow the callee's frame. */
  readonly openBytes: number;
  /** Whether the call has no other target. */
  readonly isDirect: boolean;
  readonly passed: { readonly arguments: readonly Passed[]; readonly results: readonly Passed[] };
  /** Address of its record for generated code; 0 if that cannot make the call, undefined if unknown yet. */
  record: number | undefined;
}

/** Copies one formal's bytes between two frames of a warp. */
type Copy = (caller: Frame, callee: Frame, mask: number) => void;

/** Source and destination of a value that a call passes, each in its own frame. */
export interface Passed {
  readonly from: Actual;
  readonly to: Actual;
}

/** Location of an argument or a result. */
export type Actual =
  | { readonly kind: "memory"; readonly offset: number; readonly bytes: number }
  /** isPrepared: a value is put there before the call, as for a special register. */
  | { readonly kind: "place"; readonly place: Place; readonly isPrepared: boolean }
  /** The elements of a vector register, of `bytes` bytes each; passed as if they were one value. */
  | { readonly kind: "elements"; readonly places: readonly Place[]; readonly bytes: number };
