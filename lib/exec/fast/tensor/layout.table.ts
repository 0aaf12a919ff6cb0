// Layout of the tensor unit's decoded operands, in bytes from the start of its memory. A row of A has 16 elements. B is stored as
// 16 rows along k, each with eight columns, the even ones first. Decoded operands are cached with their source bits, because
// loops repeat factors and the warps of a group share B.

export const SCRATCH = {
  /** A as f32, row by row. */
  valuesA: 0,
  /** Exponents of A as i16, row by row. */
  exponentsA: 1024,
  /** A's registers, and the kind as which they were decoded (a word; 0: none). */
  bitsA: 1536,
  kindA: 2048,
  /** B transposed, before it is decoded. */
  turned: 2304,
  /** C: four registers. */
  sums: 2432,
  /** A register of zeros. */
  zeros: 2944,
  /** A of wgmma from shared memory, as four registers. */
  packedA: 3072,
  /** B of wgmma: two registers for each eight columns, of at most 256. */
  packedB: 3584,
  /** Slots with eight columns of B each. */
  slots: 3584 + 32 * 256,
} as const;

/** Eight columns of B, in bytes from the start of a slot. */
export const SLOT = {
  /** f32 values and i16 exponents, by k. */
  values: 0,
  exponents: 512,
  /** Two registers, and the kind as which they were decoded. */
  bits: 768,
  kind: 1024,
} as const;

export const SLOT_BYTES = 1040;
/** Number of slots, a power of two: several times what a group multiplies at once. */
export const SLOTS = 128;

export const SCRATCH_BYTES = SCRATCH.slots + SLOTS * SLOT_BYTES;
/** Bytes of a register of 32 lanes, and of a row of sixteen decoded elements: values, exponents. */
export const REGISTER_BYTES = 128;
export const ROW_VALUES = 64;
export const ROW_EXPONENTS = 32;
