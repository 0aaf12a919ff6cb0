// Bits of an LLVM bitstream (LLVM, "LLVM Bitcode File Format", "Primitives"): fixed-width and variable-width integers, low
// bits first, in 32-bit little-endian words.
import { malformed } from "../bytes/malformed.js";

/** A position in a stream of bits. Offsets are bits from the start of the stream; those of errors are bytes of the file. */
export interface BitReader {
  readonly words: Int32Array;
  /** Byte offset in the file at which the stream begins. */
  readonly base: number;
  /** Bits read so far. */
  at: number;
  /** The end of the stream, in bits. */
  readonly end: number;
  /** The value of the last `readVariable` that returned NaN; below 2^64. */
  wide: bigint;
}

/** Bit positions are 32-bit integers. */
const MAX_BYTES = 2 ** 28;

/** Reads `bytes`, which begin at byte `base` of the file. */
export function openBits(bytes: Uint8Array, base: number): BitReader {
  if (bytes.length > MAX_BYTES)
    malformed("limit", base, `a bitstream of ${bytes.length} bytes; at most ${MAX_BYTES} are read`);
  return { words: wordsOf(bytes), base, at: 0, end: bytes.length * 8, wide: 0n };
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Word-aligned copies of unaligned streams, cached because a stream is opened again for each function. */
const copies = new WeakMap<Uint8Array, Int32Array>();

function wordsOf(bytes: Uint8Array): Int32Array {
  const { buffer, byteOffset, length } = bytes;
  if (isLittleEndian && byteOffset % 4 === 0 && length % 4 === 0) return new Int32Array(buffer, byteOffset, length / 4);
  let words = copies.get(bytes);
  if (words === undefined) copies.set(bytes, (words = copyOf(bytes)));
  return words;
}

function copyOf(bytes: Uint8Array): Int32Array {
  const words = new Int32Array((bytes.length + 3) >>> 2);
  const view = new DataView(words.buffer);
  bytes.forEach((byte, i) => void view.setUint8(i, byte));
  if (!isLittleEndian) words.forEach((_, i) => void (words[i] = view.getInt32(4 * i, true)));
  return words;
}

/** Byte offset in the file of the next bit. */
export const offsetOf = ({ base, at }: BitReader): number => base + (at >>> 3);

/** An unsigned integer of at most 32 bits. */
export function readFixed(bits: BitReader, width: number): number {
  const { at, words } = bits;
  if (width > bits.end - at) malformed("truncated", offsetOf(bits), `${width} bits needed, ${bits.end - at} left`);
  if (width === 0) return 0;
  const word = at >>> 5;
  const shift = at & 31;
  let value = words[word]! >>> shift;
  if (shift + width > 32) value |= words[word + 1]! << (32 - shift);
  bits.at = at + width;
  return width === 32 ? value >>> 0 : value & ((1 << width) - 1);
}

/** Appends `count` integers of at most 31 bits each. */
export function readFixedList(bits: BitReader, width: number, count: number, into: number[]): void {
  const { words } = bits;
  let { at } = bits;
  if (width * count > bits.end - at)
    malformed("truncated", offsetOf(bits), `${width * count} bits needed, ${bits.end - at} left`);
  const mask = (1 << width) - 1;
  for (let left = count; left > 0; left--) {
    const word = at >>> 5;
    const first = at & 31;
    let value = words[word]! >>> first;
    if (first + width > 32) value |= words[word + 1]! << (32 - first);
    into.push(value & mask);
    at += width;
  }
  bits.at = at;
}

/** A variable-width integer in chunks of `width` bits. NaN if it exceeds 2^53; `wide` is the value then. */
export function readVariable(bits: BitReader, width: number): number {
  const { words, end } = bits;
  const more = 1 << (width - 1);
  let { at } = bits;
  let value = 0;
  // Fast path for values up to 31 bits, which are nearly all values of a file: integer arithmetic only.
  for (let shift = 0; shift + width <= 31 && at + width <= end; shift += width - 1) {
    const word = at >>> 5;
    const first = at & 31;
    let chunk = words[word]! >>> first;
    if (first + width > 32) chunk |= words[word + 1]! << (32 - first);
    at += width;
    value |= (chunk & (more - 1)) << shift;
    if ((chunk & more) === 0) {
      bits.at = at;
      return value;
    }
  }
  return readLong(bits, width);
}

/** `readVariable` for values of any size. */
function readLong(bits: BitReader, width: number): number {
  const start = bits.at;
  const more = 2 ** (width - 1);
  let value = 0;
  for (let shift = 0; shift + width - 1 <= 53; shift += width - 1) {
    const chunk = readFixed(bits, width);
    if (chunk < more) return value + chunk * 2 ** shift;
    value += (chunk - more) * 2 ** shift;
  }
  bits.at = start;
  return readWide(bits, width);
}

/** The slow form with bigints, for values that a double may not hold. */
function readWide(bits: BitReader, width: number): number {
  const start = offsetOf(bits);
  const more = 2 ** (width - 1);
  let value = 0n;
  for (let shift = 0; ; shift += width - 1) {
    const chunk = readFixed(bits, width);
    if (shift >= 64) malformed("out-of-range", start, "an integer of more than 64 bits");
    value |= BigInt(chunk % more) << BigInt(shift);
    if (chunk < more) break;
  }
  value = BigInt.asUintN(64, value);
  if (value <= Number.MAX_SAFE_INTEGER) return Number(value);
  bits.wide = value;
  return NaN;
}

/** Skips to the next multiple of 32 bits. */
export function align(bits: BitReader): void {
  bits.at = Math.min((bits.at + 31) & ~31, bits.end);
}
