// The zero-column mask of tcgen05.mma.ws: PTX ISA 9.0 section 9.7.16.4.3. Its text calls the columns of B that are used the skip
// span; its examples and CUTLASS do the reverse, and so does this code.

export interface ColumnMask {
  /** Columns by which B is shifted: column 0 of the product is column `shift` of B. */
  readonly shift: number;
  /** Whether B's column is zero. */
  readonly isZero: (column: number) => boolean;
}

export const NO_MASK: ColumnMask = { shift: 0, isZero: () => false };

export function readColumnMask(low: number, high: number, m: number, n: number): ColumnMask {
  const shift = (high >>> 24) & 0x3f;
  const skipped = ((high >>> 8) & 0xff) + 1;
  const used = ((high >>> 16) & 0xff) + 1;
  const each = n / (m === 128 ? 1 : m === 64 ? 2 : 4);
  if (((high >>> 7) & 1) === 0) return { shift, isZero: () => false };
  return {
    shift,
    isZero: (column) => {
      const part = Math.floor(column / each);
      const start = (low >>> (8 * part)) & 0xff;
      const at = ((column % each) + start) % (skipped + used);
      const beginsSkipped = ((high >>> part) & 1) === 1;
      return beginsSkipped ? at < skipped : at >= used;
    },
  };
}
