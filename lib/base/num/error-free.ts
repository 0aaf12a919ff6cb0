// Error-free transforms: the error of rounding to nearest, as a double. Knuth, TAOCP 2, 4.2.2 (TwoSum); Dekker 1971 (product);
// Boldo and Melquiond 2008, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd" (round to
// odd).

import { f64FromWords, f64HighWord, f64LowWord } from "./bits.js";

/** (a + b) - sum exactly, where sum is a + b rounded to nearest and no step overflows. */
export function sumError(a: number, b: number, sum: number): number {
  const bRounded = sum - a;
  return a - (sum - bRounded) + (b - bRounded);
}

/**
 * (a + b) - sum exactly, for any operands. With the larger operand first, no step overflows unless the sum did; then the error is
 * an infinity with the opposite sign. NaN if an operand is infinite.
 */
export function sumErrorAnyRange(a: number, b: number, sum: number): number {
  return Math.abs(a) >= Math.abs(b) ? b - (sum - a) : a - (sum - b);
}

const SPLITTER = 2 ** 27 + 1;

/** a * b - product exactly, where product is a * b rounded to nearest; requires `isProductSafe`. */
export function productError(a: number, b: number, product: number): number {
  const aScaled = SPLITTER * a;
  const aHigh = aScaled - (aScaled - a);
  const aLow = a - aHigh;
  const bScaled = SPLITTER * b;
  const bHigh = bScaled - (bScaled - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** Whether no step of productError overflows or loses bits below the smallest subnormal. */
export function isProductSafe(a: number, b: number, product: number): boolean {
  const size = Math.abs(product);
  return size > 2 ** -900 && size < 2 ** 960 && Math.abs(a) < 2 ** 960 && Math.abs(b) < 2 ** 960;
}

/**
 * The sum rounded to odd: `sum` is the nearest double and `error` its rounding error. If the error is not zero, the result is the
 * neighbour with an odd last bit on the error's side. Rounding it to a format with at least two bits fewer, in any mode, gives
 * the same as rounding the exact value.
 */
export function roundToOdd(sum: number, error: number): number {
  if (!(error < 0 || error > 0)) return sum;
  const low = f64LowWord(sum);
  if ((low & 1) !== 0) return sum;
  const high = f64HighWord(sum);
  if (error > 0 === sum > 0) return f64FromWords(high, low | 1);
  return f64FromWords(low === 0 ? high - 1 : high, low - 1);
}

/** a + b rounded to odd; no step may overflow. */
export function sumToOdd(a: number, b: number): number {
  const sum = a + b;
  return roundToOdd(sum, sumError(a, b, sum));
}
