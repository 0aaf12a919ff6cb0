// Kept ranges of sections from which some bytes were discarded or moved. Relocations move with their bytes.

/** Ranges of a section's kept bytes, ascending, as triples: start, end, and new start. Other bytes are discarded. */
export type KeptRanges = readonly number[];

/** The new offset of the byte at `offset`; -1 if it is discarded. Without ranges, everything is kept. */
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

/** Kept ranges for all bytes up to `size`, unmoved, except `ranges`: pairs of start and end, ascending. */
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
