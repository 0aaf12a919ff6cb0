// The retained ranges of sections of which some bytes were left out or moved. Relocations go with their bytes.

/** Runs of a section's bytes, ascending: where each starts and ends, and where it starts from now on. Other bytes are left out. */
export type KeptRanges = readonly number[];

/** Where the byte at `offset` goes; -1 where it is left out. Without ranges everything stays. */
export function offsetIn(ranges: KeptRanges | undefined, offset: number): number {
  if (ranges === undefined) return offset;
  let low = 0;
  let high = ranges.length / 3;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[3 * middle + 1]! <= offset) low = middle + 1;
    else high = middle;
  }
  const at = 3 * low;
  return at < ranges.length && ranges[at]! <= offset ? offset - ranges[at]! + ranges[at + 2]! : -1;
}

/** All bytes up to `size`, where they are, but those of the ranges: start and end of each, ascending. */
export function rangesOutside(ranges: readonly number[], size: number): KeptRanges {
  const kept: number[] = [];
  let from = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i]! > from) kept.push(from, ranges[i]!, from);
    from = Math.max(from, ranges[i + 1]!);
  }
  if (from < size) kept.push(from, size, from);
  return kept;
}
