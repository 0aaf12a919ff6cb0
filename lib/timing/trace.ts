// What a block did, as the timing model replays it: per warp the instructions in the order of issue, and for each access to
// memory what it comes to after coalescing. Compact, because all blocks that are resident at once are held: straight-line
// code takes one run for many instructions.

import type { Steps } from "../base/steps.js";

/** One warp's part. */
export interface WarpTrace {
  /**
   * Pairs of words: static instruction (lowering.ts) * 2, plus 1 when no lane's guard held; and for how many instructions in
   * a row, each the successor of the one before in the text.
   */
  readonly runs: Uint32Array;
  /** One word for each memory instruction with a lane whose guard held: see packAccess. */
  readonly accesses: Uint32Array;
  /** The lines of those accesses, in order: 128-byte line number * 16 + mask of its 32-byte sectors. */
  readonly lines: Float64Array;
}

export interface BlockTrace {
  readonly warps: readonly WarpTrace[];
  /** Warp instructions, and lanes whose guard held, as the engine counts them. */
  readonly warpInstructions: number;
  readonly threadInstructions: number;
}

/** Where blocks come from, one by one in rising order of their index. */
export interface BlockSource {
  readonly blocks: number;
  /** Undefined: there are no more (the kernel faulted). */
  readonly traceOf: (block: number) => Steps<BlockTrace | undefined>;
  /** Asked now and then: a signal has stopped the launch, and nothing more is timed. */
  readonly isStopped: () => boolean;
}

/** Spaces that are timed apart. Windows of the unified L1 for the first two. */
export const accessSpaces = ["global", "local", "shared", "const"] as const;
export type TimedSpace = (typeof accessSpaces)[number];

/** Most lines that one access is described by. */
export const mostLines = 255;
const mostWavefronts = 1023;
const mostConflicts = 63;

/** Bits 0-1 space, 2-9 lines, 10-19 wavefronts, 20-25 lanes of an atomic on one address. */
export function packAccess(space: number, lines: number, wavefronts: number, conflicts: number): number {
  return (
    space |
    (Math.min(lines, mostLines) << 2) |
    (Math.min(wavefronts, mostWavefronts) << 10) |
    (Math.min(conflicts, mostConflicts) << 20)
  );
}

export const spaceOf = (access: number): number => access & 3;
export const linesOf = (access: number): number => (access >>> 2) & 255;
export const wavefrontsOf = (access: number): number => (access >>> 10) & 1023;
export const conflictsOf = (access: number): number => (access >>> 20) & 63;
