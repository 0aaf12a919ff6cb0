// Tags of a sectored cache: 128-byte lines of four 32-byte sectors, set-associative, least recently used. The number of sets
// is odd, so that power-of-two strides spread over them, as hashed indices do on the chips.

export interface Cache {
  /** The entry that holds `line`, freshly used; -1 when none does. */
  readonly find: (line: number) => number;
  /** A fresh entry for `line`, which `find` did not find. `evicted` describes its previous contents. */
  readonly allocate: (line: number) => number;
  /** Per entry: sectors present, sectors to be written back, the cycle at which the last of them arrives. */
  readonly valid: Uint8Array;
  readonly dirty: Uint8Array;
  readonly arrival: Float64Array;
  /** What the last `allocate` threw out: its line and dirty sectors. */
  readonly evicted: { line: number; dirty: number };
}

const LINE_BYTES = 128;
const NO_LINE = -1;

/** A cache of about `bytes` bytes; at least one set. */
export function createCache(bytes: number, ways: number): Cache {
  const half = Math.floor(bytes / LINE_BYTES / ways / 2);
  const sets = Math.max(1, half * 2 - 1);
  const entries = sets * ways;
  /** Line + 1, so that a new array is an empty cache without being written. */
  const tags = new Float64Array(entries);
  const used = new Float64Array(entries);
  const valid = new Uint8Array(entries);
  const dirty = new Uint8Array(entries);
  const arrival = new Float64Array(entries);
  const evicted = { line: NO_LINE, dirty: 0 };
  let clock = 0;
  return {
    valid,
    dirty,
    arrival,
    evicted,
    find: (line) => {
      const from = (line % sets) * ways;
      const tag = line + 1;
      for (let i = from; i < from + ways; i++) {
        if (tags[i] !== tag) continue;
        used[i] = ++clock;
        return i;
      }
      return -1;
    },
    allocate: (line) => {
      const from = (line % sets) * ways;
      let oldest = from;
      for (let i = from + 1; i < from + ways; i++) if (used[i]! < used[oldest]!) oldest = i;
      evicted.line = tags[oldest]! - 1;
      evicted.dirty = dirty[oldest]!;
      tags[oldest] = line + 1;
      used[oldest] = ++clock;
      valid[oldest] = 0;
      dirty[oldest] = 0;
      arrival[oldest] = 0;
      return oldest;
    },
  };
}

/** Sectors in a mask of four. */
export function countSectors(mask: number): number {
  return (mask & 1) + ((mask >>> 1) & 1) + ((mask >>> 2) & 1) + ((mask >>> 3) & 1);
}
