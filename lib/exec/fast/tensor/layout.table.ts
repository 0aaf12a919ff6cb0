// Where the tensor unit's generated code keeps what it has decoded, in bytes from the start of its memory. A row of A has 16
// elements, a row of B (eight columns, the even ones first) likewise one for each of 16 along k.

export const SCRATCH = {
  /** Of A: f32, row by row. */
  valuesA: 0,
  /** i16, row by row. */
  exponentsA: 1024,
  /** Of eight columns of B: f32, by k. */
  valuesB: 1536,
  exponentsB: 2048,
  /** B as it is turned, before it is decoded. */
  turned: 2304,
  /** C: four registers. */
  sums: 2432,
  /** A register of zeros. */
  zeros: 2944,
  /** A of wgmma from shared memory, as four registers. */
  packedA: 3072,
  /** B of wgmma: two registers for each eight columns, of at most 256. */
  packedB: 3584,
} as const;

export const SCRATCH_BYTES = SCRATCH.packedB + 32 * 256;
/** Bytes of a register of 32 lanes, and of what is decoded of one element or of a row of sixteen. */
export const REGISTER_BYTES = 128;
export const ROW_VALUES = 64;
export const ROW_EXPONENTS = 32;
