// Variable-length integers: LEB128 as DWARF 5 section 7.6 and the WebAssembly core specification 5.2.2 define it, and zigzag
// encoding (…, -1 -> 1, 1 -> 2, …) for signed values that are mostly small. Values below 2^32 take a fast path; 64-bit values use
// bigint. A reader accepts padded encodings (WebAssembly linkers write them) up to the length that the value's width allows, and
// nothing longer.
import { malformed } from "./malformed.js";
import type { ByteReader } from "./reader.js";
import type { ByteWriter } from "./writer.js";

const U64_MAX = 0xffff_ffff_ffff_ffffn;
/** Values up to here, and their doubles (times two), fit 31 bits, which engines store without a heap allocation. */
const SMALL = 0x1fff_ffff;

/** Unsigned LEB128 of an integer from 0 to 2^53 - 1. */
export function writeVarU(writer: ByteWriter, value: number): void {
  if (value >= 0 && value < 0x80) return writer.u8(value);
  // Nearly all other values take two bytes and need no double arithmetic.
  if (value >= 0x80 && value < 0x4000 && (value | 0) === value) {
    writer.u8((value & 0x7f) | 0x80);
    return writer.u8(value >> 7);
  }
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not an unsigned safe integer`);
  let rest = value;
  while (rest >= 0x80) {
    writer.u8((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  writer.u8(rest);
}

/** Unsigned LEB128; fails above 2^53 - 1. */
export function readVarU(reader: ByteReader, what: string): number {
  const start = reader.position;
  const first = reader.u8(what);
  if (first < 0x80) return first;
  let value = first & 0x7f;
  let scale = 0x80;
  for (let length = 2; length <= 8; length++) {
    const byte = reader.u8(what);
    value += (byte & 0x7f) * scale;
    if (value > Number.MAX_SAFE_INTEGER) break;
    if (byte < 0x80) return value;
    scale *= 0x80;
  }
  return malformed("out-of-range", start, `${what}: a variable-length integer above 2^53 - 1`);
}

/** Unsigned LEB128 of an integer from 0 to 2^64 - 1. */
export function writeVarU64(writer: ByteWriter, value: bigint): void {
  if (value < 0n || value > U64_MAX) throw new RangeError(`${value} does not fit 64 bits`);
  let rest = value;
  while (rest >= 0x80n) {
    writer.u8(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  writer.u8(Number(rest));
}

/** Unsigned LEB128; fails above 2^64 - 1. */
export function readVarU64(reader: ByteReader, what: string): bigint {
  const start = reader.position;
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.u8(what);
    value |= BigInt(byte & 0x7f) << shift;
    if (value > U64_MAX) break;
    if (byte < 0x80) return value;
  }
  return malformed("out-of-range", start, `${what}: a variable-length integer above 64 bits`);
}

/** Zigzag LEB128 of an integer whose magnitude is at most 2^52. */
export function writeVarS(writer: ByteWriter, value: number): void {
  writeVarU(writer, value < 0 ? -2 * value - 1 : 2 * value);
}

/** Zigzag LEB128; fails outside ±2^52. */
export function readVarS(reader: ByteReader, what: string): number {
  const coded = readVarU(reader, what);
  return coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
}

/** Zigzag LEB128 of a signed 64-bit integer. */
export function writeVarS64(writer: ByteWriter, value: bigint): void {
  // Use numbers if possible: most values are small, and each step with bigints allocates one.
  const small = Number(value);
  if (small >= -SMALL && small <= SMALL) return writeVarS(writer, small);
  if (value !== BigInt.asIntN(64, value)) throw new RangeError(`${value} does not fit 64 signed bits`);
  writeVarU64(writer, BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
}

/** Zigzag LEB128 of at most 64 bits. */
export function readVarS64(reader: ByteReader, what: string): bigint {
  const coded = readVarU64(reader, what);
  return (coded >> 1n) ^ -(coded & 1n);
}

/** Signed (two's-complement) LEB128, as WebAssembly constants and DWARF operands use it. */
export function writeSleb128(writer: ByteWriter, value: number | bigint): void {
  if (typeof value === "number" && value >= -64 && value < 64) return writer.u8(value & 0x7f);
  let rest = BigInt(value);
  for (;;) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    if (rest === (byte & 0x40 ? -1n : 0n)) return writer.u8(byte);
    writer.u8(byte | 0x80);
  }
}

/** Signed (two's-complement) LEB128 of at most 64 bits. */
export function readSleb128(reader: ByteReader, what: string): bigint {
  const start = reader.position;
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = reader.u8(what);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) {
      const signed = byte & 0x40 ? value - (1n << (shift + 7n)) : value;
      if (signed === BigInt.asIntN(64, signed)) return signed;
      break;
    }
  }
  return malformed("out-of-range", start, `${what}: a variable-length integer above 64 bits`);
}
