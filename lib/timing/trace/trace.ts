// A block's trace, as the timing model replays it: for each warp the passages that it executed (schedule/plan.ts), and for each
// memory access the transactions after coalescing. Compact, because all resident blocks are in memory at once: a loop takes one
// run for all its iterations.

import type { Steps } from "../../base/steps.js";

/** One warp's part. Its cells are consecutive, in an array that all warps of the block share. */
export interface WarpTrace {
  readonly cells: Float64Array;
  /** From `firstRun` to `endRun` pairs of cells: a passage and its repeat count. */
  readonly firstRun: number;
  readonly endRun: number;
  /**
   * From here on pairs of cells, for each memory instruction with a lane whose guard held, in the order of the text: a word (see
   * packAccess), and the index of its first line. A line is 128-byte line number * 16 + mask of its 32-byte sectors; for mbarriers
   * the address, and the counts of a wait.
   */
  readonly firstAccess: number;
  /** The continuation, if a block runs in step with the model (in-step.ts); more may follow while it is open. */
  next: WarpTrace | undefined;
  isOpen: boolean;
}

/** Warp instructions, and lanes whose guard held, as the engine counts them. */
export interface InstructionCounts {
  readonly warpInstructions: number;
  readonly threadInstructions: number;
}

export interface BlockTrace extends InstructionCounts {
  /** The cells of all warps. */
  readonly cells: Float64Array;
  readonly warps: readonly WarpTrace[];
}

/** Cells of an access. */
export const ACCESS_CELLS = 2;

/** Arrays of cells of blocks that have ended, for reuse: by the binary logarithm of their length. */
export type TracePool = Float64Array[][];

export const createTracePool = (): TracePool => Array.from({ length: 31 }, () => []);

/** An array of at least `cells` cells, with any contents. */
export function takeCells(pool: TracePool, cells: number): Float64Array {
  const size = 32 - Math.clz32(Math.max(1, cells) - 1);
  return pool[size]?.pop() ?? new Float64Array(size < pool.length ? 2 ** size : cells);
}

/** Returns an array that `takeCells` gave, and that nothing refers to any more. */
export function releaseCells(pool: TracePool, cells: Float64Array): void {
  pool[31 - Math.clz32(cells.length)]?.push(cells);
}

/** The source of blocks, one by one in ascending order of their index. */
export interface BlockSource {
  readonly blocks: number;
  /** Blocks run in step with the model. */
  readonly inStep: boolean;
  /** Undefined: there are no more (the kernel faulted). */
  readonly traceOf: (block: number) => Steps<BlockTrace | undefined>;
  /**
   * A block that runs in step has been replayed to the end of its trace: warp `warp` could continue at cycle `at`. Runs it
   * further, and extends the traces. Returns counts of the new instructions.
   */
  readonly more: (block: number, warp: number, at: number) => Steps<InstructionCounts>;
  /** Polled: whether a signal has stopped the launch; nothing after that is timed. */
  readonly isStopped: () => boolean;
}

/** Spaces that are timed separately. The first two are windows of the unified L1. */
export const accessSpaces = ["global", "local", "shared", "const"] as const;
export type TimedSpace = (typeof accessSpaces)[number];

/** Maximum number of lines that describe one access. */
export const mostLines = 4095;
const mostWavefronts = 1023;
const mostConflicts = 63;

/**
 * Bits 0-1 space, 2-13 lines, 14-23 wavefronts; for stores 24-29 average number of written bytes of a sector; for others, with
 * the same bits, the maximum number of lanes on one address.
 */
export function packAccess(space: number, lines: number, wavefronts: number, conflicts: number): number {
  return (
    space |
    (Math.min(lines, mostLines) << 2) |
    (Math.min(wavefronts, mostWavefronts) << 14) |
    (Math.min(conflicts, mostConflicts) << 24)
  );
}

export const spaceOf = (access: number): number => access & 3;
export const linesOf = (access: number): number => (access >>> 2) & 4095;
export const wavefrontsOf = (access: number): number => (access >>> 14) & 1023;
export const bytesPerSectorOf = (access: number): number => (access >>> 24) & 63;
export const conflictsOf = (access: number): number => (access >>> 24) & 63;
