// Reads lists of code ranges (`.debug_ranges`) and of locations (`.debug_loc`), DWARF 4 sections 2.17.3 and 2.6.2. The ends of a
// range include the offsets of their addresses in the section, because PTX writes addresses as labels.

import { decoding } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";

/** One end of a range. */
export interface RangeEnd {
  /** Offset of the address in the section. */
  readonly at: number;
  /** The address as encoded. */
  readonly value: bigint;
}

export interface ListedRange {
  readonly begin: RangeEnd;
  readonly end: RangeEnd;
  /** The location that is valid in the range; empty in a list of ranges. */
  readonly expression: Uint8Array;
}

export interface RangeListOptions {
  readonly offset: number;
  readonly addressBytes: number;
  readonly hasExpressions: boolean;
  /** Whether the address at an offset is a label. Two zeros that are not labels end the list. */
  readonly isLabel: (at: number) => boolean;
}

export function readRangeList(
  bytes: Uint8Array,
  { offset, addressBytes, hasExpressions, isLabel }: RangeListOptions,
): Result<readonly ListedRange[]> {
  return decoding(() => {
    const reader = new ByteReader(bytes);
    reader.seek(offset, "list of ranges");
    const highest = 2n ** BigInt(8 * addressBytes) - 1n;
    const readEnd = (): RangeEnd => {
      const at = reader.position;
      return { at, value: addressBytes === 4 ? BigInt(reader.u32("address")) : reader.u64("address") };
    };
    const ranges: ListedRange[] = [];
    for (;;) {
      const [begin, end] = [readEnd(), readEnd()];
      const isPlain = !isLabel(begin.at) && !isLabel(end.at);
      if (isPlain && begin.value === 0n && end.value === 0n) return ranges;
      // A base address entry, which nvcc and LLVM do not write for PTX, because labels are absolute.
      if (isPlain && begin.value === highest) continue;
      const expression = hasExpressions ? reader.view8(reader.u16("size of a location"), "location") : NO_BYTES;
      ranges.push({ begin, end, expression });
    }
  });
}

const NO_BYTES = new Uint8Array();
