// 2^x, log2, sin, cos and tanh in doubles, for approx.ts. Relative error below 1e-12 for f32 arguments: 20 bits more
// than any caller keeps.
//
// Math.exp, Math.sin and the rest are not used: the standard leaves their last bits to the engine, and results must not
// change with the version of Node. These use + - * / only, which IEEE 754 fixes, so they are the same everywhere.
// The fast engine computes the same, step by step, on vectors (lib/exec/fast/math.ts), from the constants that are exported.
// Series: Taylor for 2^x, sin and cos, atanh for log2; the arguments are small enough that minimax coefficients would
// save a term or two and cost a table whose origin has to be believed.

import { exponentOf, f64HighWord, f64LowWord, powerOfTwo } from "./bits.js";

// c[0] + z (c[1] + z (c[2] + ...)).
function polynomial(coefficients: readonly number[], z: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * z + coefficients[i]!;
  return sum;
}

/** 1/first!, then every `step`-th reciprocal factorial up to 1/last!, with the sign changing if `alternates`. */
function reciprocalFactorials(first: number, step: number, last: number, alternates: boolean): readonly number[] {
  const coefficients: number[] = [];
  let factorial = 1;
  for (let n = 1; n <= last; n++) {
    factorial *= n;
    if (n < first || (n - first) % step !== 0) continue;
    const isMinus = alternates && coefficients.length % 2 === 1;
    coefficients.push((isMinus ? -1 : 1) / factorial);
  }
  return coefficients;
}

export const LN_2 = 0.6931471805599453;
export const EXP = [1, ...reciprocalFactorials(1, 1, 13, false)];

/** 2^x; 0 and Infinity well outside the range of every format that callers round to. */
export function exp2(x: number): number {
  if (x > 1000) return Infinity;
  if (x < -1000) return 0;
  const whole = Math.floor(x + 0.5);
  return polynomial(EXP, (x - whole) * LN_2) * powerOfTwo(whole);
}

export const SQRT_2 = 1.4142135623730951;
export const TWO_OVER_LN_2 = 2.8853900817779268;
export const ATANH = [1, 1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11, 1 / 13, 1 / 15, 1 / 17, 1 / 19, 1 / 21];

/** log2 x of a normal double x > 0: ln m = 2 atanh((m - 1) / (m + 1)), m within a factor sqrt(2) of 1. */
export function log2(x: number): number {
  const floor = exponentOf(x);
  const mantissa = x * powerOfTwo(-floor);
  const isUpperHalf = mantissa > SQRT_2;
  const m = isUpperHalf ? mantissa / 2 : mantissa;
  const s = (m - 1) / (m + 1);
  return (isUpperHalf ? floor + 1 : floor) + s * TWO_OVER_LN_2 * polynomial(ATANH, s * s);
}

export const SIN = reciprocalFactorials(1, 2, 15, true);
export const COS = [1, ...reciprocalFactorials(2, 2, 16, true).map((c) => -c)];

// sin(r + quadrant * pi/2), |r| <= pi/4.
function sinInQuadrant(r: number, quadrant: number): number {
  const size = (quadrant & 1) === 0 ? r * polynomial(SIN, r * r) : polynomial(COS, r * r);
  return (quadrant & 2) === 0 ? size : -size;
}

export const TWO_OVER_PI = 0.6366197723675814;
/** pi/2 in two parts: 33 bits, so that products with a 20-bit quadrant count are exact, and the rest. */
export const HALF_PI_HIGH = 1.5707963267341256;
export const HALF_PI_LOW = 6.077100506506192e-11;
const HALF_PI = 1.5707963267948966;

/** sin(x + quadrants * pi/2) of an f32 x: 0 quadrants for sin, 1 for cos. Infinity and NaN give NaN. */
export function sinPlusQuadrants(x: number, quadrants: number): number {
  if (Math.abs(x) < 2 ** 20) {
    const count = Math.floor(x * TWO_OVER_PI + 0.5);
    return sinInQuadrant(x - count * HALF_PI_HIGH - count * HALF_PI_LOW, count + quadrants);
  }
  return Number.isFinite(x) ? sinOfLarge(x, quadrants) : NaN;
}

const TWO_OVER_PI_BITS = 256;
/** floor(2/pi * 2^256). */
const TWO_OVER_PI_SCALED = 0xa2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561n;

// Payne and Hanek: x is an integer times a power of two, so the quadrants are counted exactly, up to the end of 2/pi.
function sinOfLarge(x: number, quadrants: number): number {
  const size = Math.abs(x);
  const exponent = exponentOf(size) - 52;
  const significand = (BigInt((f64HighWord(size) & 0xfffff) | 0x100000) << 32n) | BigInt(f64LowWord(size) >>> 0);
  const fractionBits = TWO_OVER_PI_BITS - exponent;
  const scaled = significand * TWO_OVER_PI_SCALED;
  const count = (scaled + (1n << BigInt(fractionBits - 1))) >> BigInt(fractionBits);
  const fraction = Number(scaled - (count << BigInt(fractionBits))) * powerOfTwo(-fractionBits);
  const quadrant = Number(count & 3n);
  return x > 0
    ? sinInQuadrant(fraction * HALF_PI, quadrant + quadrants)
    : sinInQuadrant(-fraction * HALF_PI, quadrants - quadrant);
}

export const TWO_LOG2_E = 2.8853900817779268;

/** Hyperbolic tangent. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  // Below, x - x^3/3 is right to x^4; above, cancellation costs at most 12 bits of 53.
  if (size < 2 ** -12) return x * (1 - (x * x) / 3);
  const result = 1 - 2 / (exp2(size * TWO_LOG2_E) + 1);
  return x < 0 ? -result : result;
}
