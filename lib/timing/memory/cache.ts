// Tags of a sectored cache: 128-byte lines of four 32-byte sectors, set-associative, least recently used. The number of sets
// is odd, so that power-of-two strides spread over them, as hashed indices do on the chips.

import { remainder } from "./scatter.js";

/**
 * One array holds all of it, set after set: the L2's tags and times are 13 MB, far more than the host's caches, and a lookup that
 * touches one piece of memory costs it less than half of one that touches five.
 */
export interface Cache {
  readonly sets: number;
  readonly ways: number;
  /** The first cell of its sets: several caches may share one array. */
  readonly first: number;
  /**
   * For each set the tags of all ways, followed by their other fields in the same order: FIELD. A tag is the line number plus
   * one, so that a new array is an empty cache without initialisation. An entry is the index of its tag.
   */
  readonly cells: Float64Array;
  /** Counts uses. */
  clock: number;
  /** The line that the last `allocateLine` evicted, and its dirty sectors. */
  readonly evicted: { line: number; dirty: number };
}

/**
 * `used`: time of the last use, counted by `clock`; `arrival`: cycle; `sectors`: those present, with the dirty ones in the
 * upper bits.
 */
const FIELD = { used: 1, arrival: 2, sectors: 3, count: 4 } as const;
const SECTOR_BITS = 4;
const SECTORS = 2 ** SECTOR_BITS - 1;
const LINE_BYTES = 128;
const NO_LINE = -1;

/** A cache of about `bytes` bytes; at least one set. */
export const createCache = (bytes: number, ways: number): Cache => createCaches(1, bytes, ways)[0]!;

/** Several such caches. */
export function createCaches(count: number, bytes: number, ways: number): readonly Cache[] {
  const half = Math.floor(bytes / LINE_BYTES / ways / 2);
  const sets = Math.max(1, half * 2 - 1);
  const size = sets * ways * FIELD.count;
  const cells = new Float64Array(count * size);
  return Array.from({ length: count }, (_, i) => ({
    ...{ sets, ways, cells },
    first: i * size,
    clock: 0,
    evicted: { line: NO_LINE, dirty: 0 },
  }));
}

/** The first tag of the set of `line`. */
const setOf = ({ first, sets, ways }: Cache, line: number): number =>
  first + remainder(line, sets) * (ways * FIELD.count);

/** The entry of `line`, marked as used; -1 if there is none. */
export function findLine(cache: Cache, line: number): number {
  const { cells, ways } = cache;
  const from = setOf(cache, line);
  const tag = line + 1;
  for (let i = from; i < from + ways; i++) {
    if (cells[i] !== tag) continue;
    cells[i + FIELD.used * ways] = ++cache.clock;
    return i;
  }
  return -1;
}

/** A fresh entry for `line`, which `findLine` did not find. `evicted` describes its previous contents. */
export function allocateLine(cache: Cache, line: number): number {
  const { cells, ways, evicted } = cache;
  const from = setOf(cache, line);
  const used = FIELD.used * ways;
  let oldest = from;
  for (let i = from + 1; i < from + ways; i++) if (cells[i + used]! < cells[oldest + used]!) oldest = i;
  evicted.line = cells[oldest]! - 1;
  evicted.dirty = cells[oldest + FIELD.sectors * ways]! >> SECTOR_BITS;
  cells[oldest] = line + 1;
  cells[oldest + used] = ++cache.clock;
  cells[oldest + FIELD.arrival * ways] = 0;
  cells[oldest + FIELD.sectors * ways] = 0;
  return oldest;
}

/** The sectors of an entry that are present. */
export const sectorsOf = ({ cells, ways }: Cache, entry: number): number =>
  cells[entry + FIELD.sectors * ways]! & SECTORS;

/** Marks more sectors of an entry as present. */
export function addSectors({ cells, ways }: Cache, entry: number, sectors: number): void {
  const at = entry + FIELD.sectors * ways;
  cells[at] = cells[at]! | sectors;
}

/** Marks sectors of an entry as dirty. */
export function soilSectors({ cells, ways }: Cache, entry: number, sectors: number): void {
  const at = entry + FIELD.sectors * ways;
  cells[at] = cells[at]! | (sectors << SECTOR_BITS);
}

/** The cycle at which the last sector of an entry arrives. */
export const arrivalOf = ({ cells, ways }: Cache, entry: number): number => cells[entry + FIELD.arrival * ways]!;

export function setArrival({ cells, ways }: Cache, entry: number, at: number): void {
  cells[entry + FIELD.arrival * ways] = at;
}

/** Marks all sectors as arrived. */
export function settleArrivals({ cells, first, sets, ways }: Cache): void {
  for (let set = 0; set < sets; set++) {
    const at = first + (set * FIELD.count + FIELD.arrival) * ways;
    cells.fill(0, at, at + ways);
  }
}

/** Sectors in a mask of four. */
export function countSectors(mask: number): number {
  return (mask & 1) + ((mask >>> 1) & 1) + ((mask >>> 2) & 1) + ((mask >>> 3) & 1);
}
