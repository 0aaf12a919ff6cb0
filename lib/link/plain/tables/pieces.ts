// Sections of a plain link (../link.ts) of which not every byte means something any more, or that do not stand as their file
// has them: which of their bytes go where. Relocations go with their bytes.

/** Runs of a section's bytes, ascending: where each starts and ends, and where it starts from now on. Other bytes are left out. */
export type Pieces = readonly number[];

/** Where the byte at `offset` goes; -1 where it is left out. Without pieces everything stays. */
export function placeIn(pieces: Pieces | undefined, offset: number): number {
  if (pieces === undefined) return offset;
  let low = 0;
  let high = pieces.length / 3;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[3 * middle + 1]! <= offset) low = middle + 1;
    else high = middle;
  }
  const at = 3 * low;
  return at < pieces.length && pieces[at]! <= offset ? offset - pieces[at]! + pieces[at + 2]! : -1;
}

/** All bytes up to `size`, where they are, but those of the ranges: start and end of each, ascending. */
export function piecesOutside(ranges: readonly number[], size: number): Pieces {
  const pieces: number[] = [];
  let from = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i]! > from) pieces.push(from, ranges[i]!, from);
    from = Math.max(from, ranges[i + 1]!);
  }
  if (from < size) pieces.push(from, size, from);
  return pieces;
}
