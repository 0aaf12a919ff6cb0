// Free ranges of a span of addresses, sorted and joined with their neighbours. An allocation uses the lowest range that is large
// enough, so that used bytes gather at the low end.

export interface Range {
  readonly offset: number;
  readonly size: number;
}

export interface FreeRanges {
  /** Allocates `size` bytes and returns their offset; undefined if no range is long enough. */
  take(size: number): number | undefined;
  /** Removes and returns the free range that ends at `end`. */
  takeBefore(end: number): Range | undefined;
  /** Frees a range, which must be in use. */
  add(range: Range): void;
}

export function createFreeRanges(): FreeRanges {
  const ranges: Range[] = [];
  /** Index of the first range at or above the offset. */
  const indexOf = (offset: number): number => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ranges[middle]!.offset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    take(size) {
      const index = ranges.findIndex((range) => range.size >= size);
      if (index < 0) return undefined;
      const { offset, size: there } = ranges[index]!;
      const rest = there === size ? [] : [{ offset: offset + size, size: there - size }];
      ranges.splice(index, 1, ...rest);
      return offset;
    },
    takeBefore(end) {
      const index = indexOf(end) - 1;
      const range = ranges[index];
      if (range === undefined || range.offset + range.size !== end) return undefined;
      ranges.splice(index, 1);
      return range;
    },
    add({ offset, size }) {
      const index = indexOf(offset);
      const before = ranges[index - 1];
      const after = ranges[index];
      const joinsBefore = before !== undefined && before.offset + before.size === offset;
      const joinsAfter = after?.offset === offset + size;
      const from = joinsBefore ? before.offset : offset;
      const to = joinsAfter ? after.offset + after.size : offset + size;
      ranges.splice(joinsBefore ? index - 1 : index, Number(joinsBefore) + Number(joinsAfter), {
        offset: from,
        size: to - from,
      });
    },
  };
}
