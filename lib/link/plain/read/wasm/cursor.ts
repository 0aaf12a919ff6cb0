// The place in the declarations of the file that is read: addresses.

import { notPlain } from "./leave";

export let cursor: usize = 0;
let end: usize = 0;

export function beginAt(start: usize, behind: usize): void {
  cursor = start;
  end = behind;
}

export function advance(bytes: u32): void {
  cursor += bytes;
}

/** Bytes up to the end. */
export function left(): u32 {
  return <u32>(end - cursor);
}

export function readU8(): u32 {
  if (cursor >= end) notPlain();
  return load<u8>(cursor++);
}

/** Unsigned LEB128 below 2^31. */
export function readVarU(): u32 {
  let value = readU8();
  if (value < 0x80) return value;
  value &= 0x7f;
  for (let shift: u32 = 7; shift <= 28; shift += 7) {
    const byte = readU8();
    if (shift == 28 && byte > 7) notPlain();
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  notPlain();
  return 0;
}

/** A number of up to 64 bits, as the writer has it. */
export function readVarU64(): u64 {
  let value: u64 = 0;
  for (let shift: u32 = 0; shift <= 63; shift += 7) {
    const byte = readU8();
    if ((shift == 63 && (byte & 0x7f) > 1) || (byte == 0 && shift > 0)) notPlain();
    value |= (<u64>(byte & 0x7f)) << shift;
    if (byte < 0x80) return value;
  }
  notPlain();
  return 0;
}

/** A count of things of at least `least` bytes each. */
export function readCount(least: u32): u32 {
  const count = readVarU();
  if (<u64>count * least > left()) notPlain();
  return count;
}
