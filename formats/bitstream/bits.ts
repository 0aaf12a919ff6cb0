// Bits of an LLVM bitstream (LLVM, "LLVM Bitcode File Format", "Primitives"): fixed-width and variable-width integers, low
// bits first, in 32-bit little-endian words.
import { malformed } from "../bytes/malformed.js";

/** A place in a stream of bits. Offsets are bits from the start of the stream; those of errors are bytes of the file. */
export interface BitReader {
  /** Bits read so far. */
  at: number;
  /** No bit from here on is read. */
  readonly end: number;
  /** Byte of the file that holds the next bit. */
  readonly offset: number;
  /** An unsigned integer of at most 32 bits. */
  fixed(width: number): number;
  /** An integer in chunks of `width` bits; NaN where it exceeds 2^53, and then `wide` has it. */
  variable(width: number): number;
  /** The value of the last `variable` that returned NaN; below 2^64. */
  readonly wide: bigint;
  /** Skips to the next multiple of 32 bits. */
  align(): void;
}

/** Bit positions are 32-bit integers. */
const MOST_BYTES = 2 ** 28;

/** Reads `bytes`, which begin at byte `base` of the file. */
export function openBits(bytes: Uint8Array, base: number): BitReader {
  if (bytes.length > MOST_BYTES)
    malformed("limit", base, `a bitstream of ${bytes.length} bytes; at most ${MOST_BYTES} are read`);
  let padded = bytes;
  if (bytes.length % 4 !== 0) {
    padded = new Uint8Array((bytes.length + 3) & ~3);
    padded.set(bytes);
  }
  const view = new DataView(padded.buffer, padded.byteOffset, padded.byteLength);
  const end = bytes.length * 8;
  let at = 0;
  let wide = 0n;

  function fixed(width: number): number {
    if (width > end - at) malformed("truncated", base + (at >>> 3), `${width} bits needed, ${end - at} left`);
    if (width === 0) return 0;
    const word = (at >>> 5) << 2;
    const shift = at & 31;
    let value = view.getUint32(word, true) >>> shift;
    if (shift + width > 32) value |= view.getUint32(word + 4, true) << (32 - shift);
    at += width;
    return width === 32 ? value >>> 0 : value & ((1 << width) - 1);
  }

  function variable(width: number): number {
    const start = at;
    const more = 2 ** (width - 1);
    let chunk = fixed(width);
    if (chunk < more) return chunk;
    let value = chunk - more;
    for (let shift = width - 1; shift + width - 1 <= 53; shift += width - 1) {
      chunk = fixed(width);
      if (chunk < more) return value + chunk * 2 ** shift;
      value += (chunk - more) * 2 ** shift;
    }
    at = start;
    return variableWide(width);
  }

  /** The slow form, for values that a number may not hold. */
  function variableWide(width: number): number {
    const start = at;
    const more = 2 ** (width - 1);
    let value = 0n;
    for (let shift = 0; ; shift += width - 1) {
      const chunk = fixed(width);
      if (shift >= 64) malformed("out-of-range", base + (start >>> 3), "an integer of more than 64 bits");
      value |= BigInt(chunk % more) << BigInt(shift);
      if (chunk < more) break;
    }
    value = BigInt.asUintN(64, value);
    if (value <= Number.MAX_SAFE_INTEGER) return Number(value);
    wide = value;
    return NaN;
  }

  return {
    get at() {
      return at;
    },
    set at(bit) {
      at = bit;
    },
    end,
    get offset() {
      return base + (at >>> 3);
    },
    fixed,
    variable,
    get wide() {
      return wide;
    },
    align() {
      at = Math.min((at + 31) & ~31, end);
    },
  };
}
