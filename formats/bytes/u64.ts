// A 64-bit unsigned word from a number or a bigint. Numbers of 32 bits are written as two halves: sizes and offsets nearly
// always are such, and making a bigint of each was a third of the time of writing a symbol table.

/** Throws RangeError for what is not a whole number from 0 to 2^64 - 1. */
export function checkU64(value: number | bigint): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  const wide = BigInt(value);
  if (wide < 0n || wide > 0xffff_ffff_ffff_ffffn) throw new RangeError(`${wide} does not fit 64 bits`);
}

/** Writes `value` at `offset` of `view`, little endian. */
export function setU64(view: DataView, offset: number, value: number | bigint): void {
  checkU64(value);
  if (typeof value === "bigint" || value > 0xffff_ffff) return view.setBigUint64(offset, BigInt(value), true);
  view.setUint32(offset, value, true);
  view.setUint32(offset + 4, 0, true);
}
