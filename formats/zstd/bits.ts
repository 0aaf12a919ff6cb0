// Bit streams of Zstandard (RFC 8878, section 4). Numbers are stored low bits first. Table descriptions are read forward, and
// everything coded with the tables backward.
import { malformed } from "../bytes/malformed.js";

/** The `count` bits (at most 25) that begin at bit `at` of `bytes`; bits outside are zero. */
export function bitsAt(bytes: Uint8Array, at: number, count: number): number {
  if (at < 0) return count + at <= 0 ? 0 : bitsAt(bytes, 0, count + at) << -at;
  const i = at >>> 3;
  const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
  return (word >>> (at & 7)) & ((1 << count) - 1);
}

/** A stream that is read from its end to its start. */
export interface BackwardBits {
  readonly bytes: Uint8Array;
  /** Offset of the bytes in the input, for errors. */
  readonly base: number;
  /** Unread bits; negative if more were read than exist. */
  left: number;
}

/** Opens a stream; the highest set bit of the last byte marks its end. */
export function openBackward(bytes: Uint8Array, base: number): BackwardBits {
  const last = bytes.at(-1) ?? 0;
  if (last === 0) malformed("malformed", base + bytes.length, "Zstandard: a bit stream without its end mark");
  return { bytes, base, left: 8 * bytes.length - 8 + (31 - Math.clz32(last)) };
}

/** The next `count` bits, at most 25. */
export function takeBits(bits: BackwardBits, count: number): number {
  if (count === 0) return 0;
  bits.left -= count;
  return bitsAt(bits.bytes, bits.left, count);
}

/** The next `count` bits, at most 32, as an unsigned number. */
export function takeWide(bits: BackwardBits, count: number): number {
  if (count <= 16) return takeBits(bits, count);
  const high = takeBits(bits, count - 16);
  return high * 0x10000 + takeBits(bits, 16);
}

/** Checks that a stream has been read completely. */
export function checkUsedUp(bits: BackwardBits, what: string): void {
  if (bits.left !== 0)
    malformed(
      "malformed",
      bits.base,
      `Zstandard: ${what}: ${bits.left < 0 ? "too few" : "too many"} bits in the stream`,
    );
}
