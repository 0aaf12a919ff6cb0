// Numbers: finds their end and kind, and computes their value. PTX ISA 9.0 sections 4.5.1 and 4.5.2. Extents as in ptxas 13.0:
// only `U` is a suffix, `09` and `0x` are no numbers, and bit patterns have exactly 8 or 16 digits.

import { FLOAT, FLOAT32_BITS, FLOAT64_BITS, INTEGER } from "./token.js";

const ZERO = 0x30;
const DOT = 0x2e;
const UPPER_U = 0x55;

/** Whether a byte is a digit in a base up to 16; false for undefined (past the end). */
function isDigit(byte: number | undefined, base: number): boolean {
  if (byte === undefined) return false;
  const value = byte <= 0x39 ? byte - ZERO : (byte | 0x20) - 0x57;
  return value >= 0 && value < base && (byte <= 0x39 || (byte | 0x20) >= 0x61);
}

/** End of the run of digits that begins at `at`. */
function digitsEnd(bytes: Uint8Array, at: number, base: number, limit = bytes.length): number {
  while (at < limit && isDigit(bytes[at], base)) at++;
  return at;
}

/** End of an exponent `e+12` at `at`; `at` itself if there is none. */
function exponentEnd(bytes: Uint8Array, at: number): number {
  if ((bytes[at]! | 0x20) !== 0x65) return at;
  const sign = bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? 1 : 0;
  const end = digitsEnd(bytes, at + 1 + sign, 10);
  return end > at + 1 + sign ? end : at;
}

const suffixEnd = (bytes: Uint8Array, at: number): number => (bytes[at] === UPPER_U ? at + 1 : at);

/** End of the longest number that begins at `start`, where there is a digit, or a dot before one. */
export function numberEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] === ZERO) {
    const digits = start + 2;
    switch (bytes[start + 1]! | 0x20) {
      case 0x78: // x
        if (isDigit(bytes[digits], 16)) return suffixEnd(bytes, digitsEnd(bytes, digits, 16));
        break;
      case 0x62: // b
        if (isDigit(bytes[digits], 2)) return suffixEnd(bytes, digitsEnd(bytes, digits, 2));
        break;
      case 0x66: // f
        if (digitsEnd(bytes, digits, 16, digits + 8) === digits + 8) return digits + 8;
        break;
      case 0x64: // d
        if (digitsEnd(bytes, digits, 16, digits + 16) === digits + 16) return digits + 16;
        break;
    }
  }
  const whole = digitsEnd(bytes, start, 10);
  if (bytes[whole] === DOT) return exponentEnd(bytes, digitsEnd(bytes, whole + 1, 10));
  const exponent = exponentEnd(bytes, whole);
  if (exponent > whole) return exponent;
  return suffixEnd(bytes, bytes[start] === ZERO ? digitsEnd(bytes, start, 8) : whole);
}

/** The token kind of the number in [start, end), a range found by numberEnd. */
export function numberKind(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === ZERO && end > start + 1) {
    switch (bytes[start + 1]! | 0x20) {
      case 0x66:
        return FLOAT32_BITS;
      case 0x64:
        return FLOAT64_BITS;
      case 0x78:
      case 0x62:
        return INTEGER;
    }
  }
  const last = bytes[end - 1] === UPPER_U ? end - 1 : end;
  return digitsEnd(bytes, start, 10) === last ? INTEGER : FLOAT;
}

/** Longest number that is converted, in characters: converting longer ones takes more than linear time. */
export const LONGEST_NUMBER = 4096;

/** The value of an INTEGER token's text, including its suffix. */
export function integerValue(text: string): bigint {
  const digits = text.endsWith("U") ? text.slice(0, -1) : text;
  const octal = digits.length > 1 && /^0[0-7]/.test(digits);
  return BigInt(octal ? `0o${digits.slice(1)}` : digits);
}

/**
 * Whether ptxas 13.0 reports an INTEGER token's text as an overflow: a digit follows a value of 2^63 or more. It truncates other
 * literals of more than 64 bits silently.
 */
export function integerOverflows(text: string): boolean {
  const match = /^(0[xX]|0[bB]|0(?=[0-7]))?([0-9a-fA-F]+)/.exec(text)!;
  const base =
    match[1] === undefined
      ? 10n
      : match[1].length === 1
        ? 8n
        : match[1].endsWith("b") || match[1].endsWith("B")
          ? 2n
          : 16n;
  // Literals too short to exceed 64 bits, which most are.
  if (match[2]!.length <= (base === 10n ? 19 : base === 16n ? 16 : base === 8n ? 21 : 64)) return false;
  let value = 0n;
  for (const digit of match[2]!) {
    if (value >> 63n === 1n) return true;
    value = BigInt.asUintN(64, value * base + BigInt(Number.parseInt(digit, 16)));
  }
  return false;
}

const floatBits = new DataView(new ArrayBuffer(8));

/** The number of the hexadecimal digits in [start, end), at most sixteen. */
export function hexadecimalBits(bytes: Uint8Array, start: number, end: number): bigint {
  let high = 0;
  let low = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    high = (high << 4) | (low >>> 28);
    low = (low << 4) | (byte <= 0x39 ? byte - ZERO : (byte | 0x20) - 0x57);
  }
  if (high === 0) return BigInt(low >>> 0);
  floatBits.setInt32(0, high);
  floatBits.setInt32(4, low);
  return floatBits.getBigUint64(0);
}

/** The IEEE double bits of a FLOAT token's text. */
export function decimalFloatBits(text: string): bigint {
  floatBits.setFloat64(0, Number(text));
  return floatBits.getBigUint64(0);
}

const MIN_NORMAL = 2 ** -1022;

/** Whether ptxas 13.0 reports a FLOAT token's text as an overflow: it is above or below the range of normal f64 numbers. */
export function decimalOverflows(text: string): boolean {
  const value = Number(text);
  return value === Infinity || (value < MIN_NORMAL && /^[0.]*[1-9]/.test(text));
}

/** The decimal text of IEEE double bits, which converts back to the same bits and always has a dot or an exponent. */
export function decimalFloatText(bits: bigint): string {
  floatBits.setBigUint64(0, bits);
  const text = String(floatBits.getFloat64(0));
  if (text === "Infinity") return "1e400";
  return /[.e]/.test(text) ? text : `${text}.0`;
}
