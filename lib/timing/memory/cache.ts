// Tags of a sectored cache: 128-byte lines of four 32-byte sectors, set-associative, least recently used. The number of sets
// is odd, so that power-of-two strides spread over them, as hashed indices do on the chips.

import { remainder } from "./scatter.js";

export interface Cache {
  readonly sets: number;
  readonly ways: number;
  /** Its first entry in the arrays, which several caches may share. */
  readonly first: number;
  /** Line + 1, so that a new array is an empty cache without being written. */
  readonly tags: Float64Array;
  /** Per entry: when it was used last, as counted by `clock`. */
  readonly used: Float64Array;
  clock: number;
  /** Per entry: sectors present, sectors to be written back, the cycle at which the last of them arrives. */
  readonly valid: Uint8Array;
  readonly dirty: Uint8Array;
  readonly arrival: Float64Array;
  /** What the last `allocateLine` threw out: its line and dirty sectors. */
  readonly evicted: { line: number; dirty: number };
}

const LINE_BYTES = 128;
const NO_LINE = -1;

/** A cache of about `bytes` bytes; at least one set. */
export const createCache = (bytes: number, ways: number): Cache => createCaches(1, bytes, ways)[0]!;

/** Such caches with arrays in common: the host's caches then hold one array's header for all of them. */
export function createCaches(count: number, bytes: number, ways: number): readonly Cache[] {
  const half = Math.floor(bytes / LINE_BYTES / ways / 2);
  const sets = Math.max(1, half * 2 - 1);
  const entries = sets * ways;
  const [tags, used, arrival] = [0, 1, 2].map(() => new Float64Array(count * entries)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const [valid, dirty] = [new Uint8Array(count * entries), new Uint8Array(count * entries)];
  return Array.from({ length: count }, (_, i) => ({
    ...{ sets, ways, tags, used, valid, dirty, arrival },
    first: i * entries,
    clock: 0,
    evicted: { line: NO_LINE, dirty: 0 },
  }));
}

/** The entry that holds `line`, freshly used; -1 when none does. */
export function findLine(cache: Cache, line: number): number {
  const { tags, ways } = cache;
  const from = cache.first + remainder(line, cache.sets) * ways;
  const tag = line + 1;
  for (let i = from; i < from + ways; i++) {
    if (tags[i] !== tag) continue;
    cache.used[i] = ++cache.clock;
    return i;
  }
  return -1;
}

/** A fresh entry for `line`, which `findLine` did not find. `evicted` describes its previous contents. */
export function allocateLine(cache: Cache, line: number): number {
  const { tags, used, ways, evicted } = cache;
  const from = cache.first + remainder(line, cache.sets) * ways;
  let oldest = from;
  for (let i = from + 1; i < from + ways; i++) if (used[i]! < used[oldest]!) oldest = i;
  evicted.line = tags[oldest]! - 1;
  evicted.dirty = cache.dirty[oldest]!;
  tags[oldest] = line + 1;
  used[oldest] = ++cache.clock;
  cache.valid[oldest] = 0;
  cache.dirty[oldest] = 0;
  cache.arrival[oldest] = 0;
  return oldest;
}

/** Sectors in a mask of four. */
export function countSectors(mask: number): number {
  return (mask & 1) + ((mask >>> 1) & 1) + ((mask >>> 2) & 1) + ((mask >>> 3) & 1);
}
