// Selects the elements of B that correspond to the stored elements of a sparse A: PTX ISA 9.0 sections 9.7.14.6.1 and 9.7.15.6.1.
// Half of A's elements are stored, with an index of two bits each (tf32: of four); pairs of 4-bit elements share one. The place
// of the metadata, and the effect of indices that the ISA does not define, are those of an H200.

import { elementBits } from "./arithmetic.js";

/** Places of the metadata of a matrix with sixteen rows. */
interface RowMetadata {
  /** Thread that holds the bits from `bit` on, and where in its register they begin. */
  place(row: number, bit: number, selector: number): readonly [thread: number, shift: number];
}

/** Elements of 16 bits and more: 16 bits of metadata a row in a thread. Rows 8 to 15 are in the upper half of the register. */
function wideMetadata(stored: number, bitsEach: number): RowMetadata {
  const holders = (stored * bitsEach) / 16;
  return {
    place: (row, bit, selector) => [4 * (row & 7) + selector * holders + (bit >> 4), 16 * (row >> 3) + (bit & 15)],
  };
}

/** Elements of 8 and 4 bits: 32 bits of metadata a row in a thread. Rows 8 to 15 are in the next thread. */
function narrowMetadata(bitsEachRow: number): RowMetadata {
  const holders = bitsEachRow / 16;
  return {
    place: (row, bit, selector) => [4 * (row & 7) + selector * holders + (row >> 3) + 2 * (bit >> 5), bit & 31],
  };
}

/**
 * For a row of A and all `n` columns of B, writes to `selected`, column by column, the elements that correspond to A's stored
 * elements. `metadata` is the register of the 32 threads; B has all of its k elements in a column.
 */
export type Select = (metadata: Int32Array, row: number, b: Int32Array, n: number, selected: Int32Array) => void;

/** `stored` elements of A in a row: half of K. */
export function selectorOf(type: string, stored: number, selector: number): Select {
  const bits = elementBits(type);
  if (type === "tf32") return selectHalves(stored, selector);
  // 4-bit elements come in pairs.
  const group = bits === 4 ? 2 : 1;
  const { place } = bits >= 16 ? wideMetadata(stored, 2) : narrowMetadata((2 * stored) / group);
  return (metadata, row, b, n, selected) => {
    for (let s = 0; s < stored; s++) {
      const [thread, shift] = place(row, 2 * Math.floor(s / group), selector);
      const index = (metadata[thread]! >>> shift) & 3;
      const k = Math.floor(s / (2 * group)) * 4 * group + index * group + (s % group);
      for (let column = 0; column < n; column++) selected[column * stored + s] = b[column * 2 * stored + k]!;
    }
  };
}

/**
 * tf32: two indices choose the low and the high half of a value among the four 16-bit halves of two elements of B. The ISA
 * defines only 0b0100 and 0b1110, the whole first and second element.
 */
function selectHalves(stored: number, selector: number): Select {
  const { place } = wideMetadata(stored, 4);
  const half = (low: number, high: number, index: number): number =>
    ((index & 2) === 0 ? low : high) >>> (16 * (index & 1));
  return (metadata, row, b, n, selected) => {
    for (let s = 0; s < stored; s++) {
      const [thread, shift] = place(row, 4 * s, selector);
      const nibble = metadata[thread]! >>> shift;
      for (let column = 0; column < n; column++) {
        const at = 2 * (column * stored + s);
        const [first, second] = [b[at]!, b[at + 1]!];
        const low = half(first, second, nibble & 3) & 0xffff;
        selected[column * stored + s] = low | (half(first, second, (nibble >>> 2) & 3) << 16);
      }
    }
  };
}
