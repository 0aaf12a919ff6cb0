// Tags of a sectored cache: 128-byte lines of four 32-byte sectors, set-associative, least recently used. The number of sets
// is odd, so that power-of-two strides spread over them, as hashed indices do on the chips.

/**
 * One array holds all of it, set after set: the L2's and its copies' are 13 MB, far more than the host's caches, so a lookup costs
 * as much as the memory that it touches.
 */
export interface Cache {
  readonly sets: number;
  readonly ways: number;
  /** The first cell of its sets: several caches may share one array. */
  readonly first: number;
  /**
   * Two cells for each way: the line's number among those of its set plus one, times STATES, plus its sectors; and the cycle at which
   * its last sector arrives. The ways of a set are in the order of their use, the last one first. A new array is an empty cache.
   */
  readonly cells: Float64Array;
  /** The line that the last `touchLine` evicted, and its dirty sectors: EVICTED. */
  readonly evicted: Float64Array;
}

const WAY_CELLS = 2;
const ARRIVAL = 1;
/** The sectors that are present are in the lower four bits of a state, the dirty ones in the upper. */
const SECTOR_BITS = 4;
const SECTORS = 2 ** SECTOR_BITS - 1;
const STATES = 2 ** (2 * SECTOR_BITS);
const LINE_BYTES = 128;
export const EVICTED = { line: 0, dirty: 1, count: 2 } as const;

/** A cache of about `bytes` bytes; at least one set. */
export const createCache = (bytes: number, ways: number): Cache => createCaches(1, bytes, ways)[0]!;

/** Several such caches. */
export function createCaches(count: number, bytes: number, ways: number): readonly Cache[] {
  const half = Math.floor(bytes / LINE_BYTES / ways / 2);
  const sets = Math.max(1, half * 2 - 1);
  const size = sets * ways * WAY_CELLS;
  const cells = new Float64Array(count * size);
  return Array.from({ length: count }, (_, i) => ({
    sets,
    ways,
    first: i * size,
    cells,
    evicted: new Float64Array(EVICTED.count),
  }));
}

/**
 * The entry of `line`, which is now the most recently used of its set: valid until the next call. A line that was not there takes
 * the place of the least recently used one, and has no sectors.
 */
export function touchLine(cache: Cache, line: number): number {
  const { cells, sets, ways, first, evicted } = cache;
  const number = Math.floor(line / sets);
  const set = line - number * sets;
  const entry = first + set * ways * WAY_CELLS;
  const last = entry + (ways - 1) * WAY_CELLS;
  const empty = (number + 1) * STATES;
  let at = entry;
  let state = cells[at]! - empty;
  while ((state < 0 || state >= STATES) && at < last) {
    at += WAY_CELLS;
    state = cells[at]! - empty;
  }
  const isFound = state >= 0 && state < STATES;
  if (isFound && at === entry) return entry;
  let used = empty;
  let arrival = 0;
  if (isFound) {
    used = cells[at]!;
    arrival = cells[at + ARRIVAL]!;
  } else {
    const before = cells[at]!;
    evicted[EVICTED.line] = (Math.floor(before / STATES) - 1) * sets + set;
    evicted[EVICTED.dirty] = (before & (STATES - 1)) >>> SECTOR_BITS;
  }
  for (; at > entry; at -= WAY_CELLS) {
    cells[at] = cells[at - WAY_CELLS]!;
    cells[at + ARRIVAL] = cells[at - WAY_CELLS + ARRIVAL]!;
  }
  cells[entry] = used;
  cells[entry + ARRIVAL] = arrival;
  return entry;
}

/** The sectors of an entry that are present. */
export const sectorsOf = ({ cells }: Cache, entry: number): number => cells[entry]! & SECTORS;

/** Marks more sectors of an entry as present. */
export function addSectors({ cells }: Cache, entry: number, sectors: number): void {
  const state = cells[entry]!;
  cells[entry] = state + (sectors & ~state);
}

/** Marks sectors of an entry as dirty. */
export function soilSectors({ cells }: Cache, entry: number, sectors: number): void {
  const state = cells[entry]!;
  cells[entry] = state + ((sectors << SECTOR_BITS) & ~state);
}

/** The cycle at which the last sector of an entry arrives. */
export const arrivalOf = ({ cells }: Cache, entry: number): number => cells[entry + ARRIVAL]!;

export function setArrival({ cells }: Cache, entry: number, at: number): void {
  cells[entry + ARRIVAL] = at;
}

/** Marks all sectors as arrived. */
export function settleArrivals({ cells, first, sets, ways }: Cache): void {
  const end = first + sets * ways * WAY_CELLS;
  for (let at = first; at < end; at += WAY_CELLS) cells[at + ARRIVAL] = 0;
}

/** Sectors in a mask of four. */
export function countSectors(mask: number): number {
  return (mask & 1) + ((mask >>> 1) & 1) + ((mask >>> 2) & 1) + ((mask >>> 3) & 1);
}
