// Sizes of a random kernel's launches, their initial data, and offsets of their results.

import { randomFrom, type Random } from "../../oracle/random.js";
import { chance, pick, registerCounts } from "./builder.js";
import { BLOB_BYTES, COUNTER_CELLS, SLICE_BYTES } from "./memory.js";

export type Extent = readonly [x: number, y: number, z: number];

export interface Shape {
  readonly grid: Extent;
  readonly block: Extent;
  /** Number of launches of the kernel, one after the other on the same memory. */
  readonly launches: number;
  /** Whether its module has the references of textures.ts. */
  readonly textured?: boolean;
}

export const INPUT_BYTES = 1024;
/** Bytes of `out` for each thread: 8 for each register. */
export const THREAD_BYTES = 8 * Object.values(registerCounts).reduce((sum, count) => sum + count, 0);
export const COUNTER_BYTES = 8 * COUNTER_CELLS;

export const volume = ([x, y, z]: Extent): number => x * y * z;
export const threadsOf = ({ grid, block }: Pick<Shape, "grid" | "block">): number => volume(grid) * volume(block);

/** Blocks of one warp, of several, of part of a warp, and of several dimensions. */
const blockShapes: readonly Extent[] = [
  [32, 1, 1],
  [64, 1, 1],
  [96, 1, 1],
  [40, 1, 1],
  [17, 1, 1],
  [8, 4, 2],
  [5, 9, 1],
  [128, 1, 1],
  [1, 64, 1],
  [3, 5, 7],
  [16, 16, 1],
  [1, 1, 1],
];

/** Threads of a grid with many blocks, which C runs one by one. */
const MAX_THREADS = 12_000;

export function randomShape(random: Random): Shape {
  const block = pick(random, blockShapes);
  const launches = chance(random, 25) ? 2 + random.below(2) : 1;
  return { grid: randomGrid(random, Math.floor(MAX_THREADS / volume(block))), block, launches };
}

function randomGrid(random: Random, most: number): Extent {
  const upTo = (n: number): number => 1 + random.below(n);
  const choice = random.below(100);
  if (choice < 45) return [upTo(3), 1, 1];
  if (choice < 70) return [upTo(4), upTo(3), upTo(3)];
  const blocks = Math.min(most, choice < 88 ? 10 + random.below(50) : 100 + random.below(300));
  if (chance(random, 50)) return [blocks, 1, 1];
  const [z, y] = [upTo(3), upTo(7)];
  return [Math.max(1, Math.floor(blocks / (z * y))), y, z];
}

// ------------------------------------------------------------------------------------------------------------------ data

/** Initial data of the kernel. Each further launch increments every byte of the input and of the array parameter. */
export interface KernelData {
  readonly input: Uint8Array;
  readonly counters: Uint8Array;
  readonly blob: Uint8Array;
  readonly slices: Uint8Array;
}

export function dataOf(kernel: Pick<Shape, "grid" | "block"> & { readonly seed: number }): KernelData {
  const random = randomFrom(kernel.seed ^ 0x5bd1e995);
  const bytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => random.below(256));
  return {
    input: bytes(INPUT_BYTES + 8),
    counters: bytes(COUNTER_BYTES),
    blob: bytes(BLOB_BYTES),
    slices: bytes(SLICE_BYTES * threadsOf(kernel)),
  };
}

/** Bytes of `out` that one launch writes. */
export const outputBytes = (shape: Pick<Shape, "grid" | "block">): number =>
  threadsOf(shape) * THREAD_BYTES + volume(shape.grid) * COUNTER_BYTES;
