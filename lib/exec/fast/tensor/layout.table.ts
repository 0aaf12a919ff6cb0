// Where the tensor unit's generated code keeps what it has decoded, in bytes from the start of its memory. A row of A has 16
// elements, a row of B (eight columns, the even ones first) likewise one for each of 16 along k. What was decoded is kept with the
// bits that it came of: loops come with the same factors again, and the warps of a group with the same B.

export const SCRATCH = {
  /** Of A: f32, row by row. */
  valuesA: 0,
  /** i16, row by row. */
  exponentsA: 1024,
  /** A's registers, and what it was decoded as (a word, 0 for nothing). */
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
  /** Of B, eight columns each. */
  slots: 3584 + 32 * 256,
} as const;

/** Eight columns of B, in bytes from the start of a slot. */
export const SLOT = {
  /** f32 and i16, by k. */
  values: 0,
  exponents: 512,
  /** Two registers, and what they were decoded as. */
  bits: 768,
  kind: 1024,
} as const;

export const SLOT_BYTES = 1040;
/** A power of two: what a group multiplies at a time fits in several times. */
export const SLOTS = 128;

export const SCRATCH_BYTES = SCRATCH.slots + SLOTS * SLOT_BYTES;
/** Bytes of a register of 32 lanes, and of a row of sixteen decoded elements: values, exponents. */
export const REGISTER_BYTES = 128;
export const ROW_VALUES = 64;
export const ROW_EXPONENTS = 32;
