// A 64-bit unsigned word from a number or a bigint.

/** Throws RangeError for a value that is not an integer from 0 to 2^64 - 1. */
export function checkU64(value: number | bigint): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  const wide = BigInt(value);
  if (wide < 0n || wide > 0xffff_ffff_ffff_ffffn) throw new RangeError(`${wide} does not fit 64 bits`);
}
