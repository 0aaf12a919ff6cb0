// The .approx and .full instructions (PTX ISA 9.7.3.8 div, 9.7.3.13 rcp, 9.7.3.14 rcp.approx.ftz.f64, 9.7.3.15 sqrt, 9.7.3.16
// rsqrt, 9.7.3.17 rsqrt.approx.ftz.f64, 9.7.3.18 sin, 9.7.3.19 cos, 9.7.3.20 lg2, 9.7.3.21 ex2, 9.7.3.22 tanh, 9.7.4.9 and
// 9.7.4.10 for halves), bit for bit as on an H200: the special function unit (mufu.ts) and the ordinary f32 instructions that
// ptxas adds, which the forms without .ftz need for subnormal numbers.
//
// Values are represented by bits: int32 for f32, unsigned for halves, the two words of an f64. PTX does not define these results;
// they are sm_90's, and are used for every target.

import { exponentOf, F32_NAN_BITS, f32FromBits, f32ToBits, f64FromWords, f64HighWord, f64LowWord } from "./bits.js";
import { fmaF64 } from "./f64.js";
import { createMufu } from "./mufu.js";
import { mufuTables } from "./mufu-tables.table.js";
import { type Binary, flushF32, type Unary } from "./rounding.js";
import { smallDecoder, smallEncoder, type SmallFloat } from "./small-float.js";

const fround = Math.fround;
const mufu = createMufu(mufuTables.sm_90);

const INFINITY = 0x7f800000;
const SIGN = -0x80000000;
/** 2^-126 and 2^126. */
const MIN_NORMAL = 0x00800000;
const LARGE = 0x7e800000;

const magnitude = (x: number): number => x & 0x7fffffff;
const isSmall = (x: number): boolean => magnitude(x) < MIN_NORMAL;
const isLarge = (x: number): boolean => magnitude(x) > LARGE && magnitude(x) <= INFINITY;

/** The bits of x * by, where `by` is a power of two. */
const scaled = (x: number, by: number): number => f32ToBits(fround(f32FromBits(x) * by));

/** The factor that brings the reciprocal's operand and its result into the range of normal numbers. */
function reciprocalScale(x: number): number {
  if (isSmall(x)) return 2 ** 24;
  return isLarge(x) ? 2 ** -2 : 1;
}

export const rcpApproxFtzF32 = mufu.rcp;
export function rcpApproxF32(x: number): number {
  const scale = reciprocalScale(x);
  return scale === 1 ? mufu.rcp(x) : scaled(mufu.rcp(scaled(x, scale)), scale);
}

export const rsqrtApproxFtzF32 = mufu.rsqrt;
export const rsqrtApproxF32 = (x: number): number =>
  isSmall(x) ? scaled(mufu.rsqrt(scaled(x, 2 ** 24)), 2 ** 12) : mufu.rsqrt(x);

export const sqrtApproxFtzF32 = mufu.sqrt;
export const sqrtApproxF32 = (x: number): number =>
  isSmall(x) ? scaled(mufu.sqrt(scaled(x, 2 ** 24)), 2 ** -12) : mufu.sqrt(x);

export const lg2ApproxFtzF32 = mufu.lg2;
export const lg2ApproxF32 = (x: number): number =>
  isSmall(x) ? f32ToBits(fround(f32FromBits(mufu.lg2(scaled(x, 2 ** 24))) - 24)) : mufu.lg2(x);

export const ex2ApproxFtzF32 = mufu.ex2;
export function ex2ApproxF32(x: number): number {
  if (!(f32FromBits(x) < -126)) return mufu.ex2(x);
  const root = f32FromBits(mufu.ex2(scaled(x, 0.5)));
  return f32ToBits(fround(root * root));
}

/** 1 / (2 pi) = 0xa2f983 * 2^-26, the constant in the unit's instructions. */
const TURNS_SIGNIFICAND = 0xa2f983;

/** x / (2 pi), rounded towards zero to 24 bits; values below 2^-126 count as zero. */
function turnsOf(x: number): number {
  const exponent = (x >>> 23) & 0xff;
  if (exponent === 255) return F32_NAN_BITS;
  if (exponent < 4) return x & SIGN;
  // 48 bits, exact.
  const product = ((x & 0x7fffff) | 0x800000) * TURNS_SIGNIFICAND;
  const high = f64HighWord(product);
  const field = exponent - 3 + ((high >>> 20) - 1023 - 46);
  return (x & SIGN) | (field << 23) | ((high & 0xfffff) << 3) | (f64LowWord(product) >>> 29);
}

/** The same functions with and without .ftz. */
export const sinApproxF32 = (x: number): number => mufu.sin(turnsOf(x));
export const cosApproxF32 = (x: number): number => mufu.cos(turnsOf(x));
export const tanhApproxF32 = mufu.tanh;

// -------------------------------------------------------------------------------------------------------------- quotients

/** Smallest product that rounds to a normal number with an unbounded exponent. */
const MIN_ROUNDED = 2 ** -126 * (1 - 2 ** -25);

/**
 * a * b with .ftz: rounded to 24 bits with an unbounded exponent, then flushed to zero below 2^-126. A product that only rounds
 * up to 2^-126 in steps of 2^-149 is therefore zero, too.
 */
function mulFtz(a: number, b: number): number {
  const product = flushF32(a) * flushF32(b);
  return Math.abs(product) < MIN_ROUNDED ? product * 0 : fround(product);
}

const reciprocal = (x: number): number => f32FromBits(mufu.rcp(x));

/** a * (1 / b) with divisor and dividend multiplied by `scale`. */
function divScaled(a: number, b: number, scale: number): number {
  const dividend = fround(f32FromBits(a) * scale);
  return f32ToBits(fround(reciprocal(scaled(b, scale)) * dividend));
}

/** For |b| > 2^126 the reciprocal is zero. */
export const divApproxF32: Binary = (a, b) => divScaled(a, b, isSmall(b) ? 2 ** 24 : 1);
export const divFullF32: Binary = (a, b) => divScaled(a, b, reciprocalScale(b));

export const divApproxFtzF32: Binary = (a, b) => f32ToBits(mulFtz(f32FromBits(a), reciprocal(b)));
export function divFullFtzF32(a: number, b: number): number {
  if (!isLarge(b)) return divApproxFtzF32(a, b);
  const dividend = mulFtz(f32FromBits(a), 0.25);
  return f32ToBits(mulFtz(reciprocal(f32ToBits(mulFtz(f32FromBits(b), 0.25))), dividend));
}

// ----------------------------------------------------------------------------------------------------------------- halves

function onSmall(operation: Unary): (format: SmallFloat) => Unary {
  return (format) => {
    const decode = smallDecoder(format);
    const cutOff = smallEncoder(format, "rz");
    const beyond = 2 ** (exponentOf(decode(format.maxFinite)) + 1);
    return (bits) => {
      const result = f32FromBits(operation(f32ToBits(decode(bits))));
      return result >= beyond ? format.infinity : cutOff(result);
    };
  };
}

/** ex2.approx and tanh.approx of f16 and bf16, bits to bits; the f32 result is truncated. .ftz has no effect for bf16. */
export const ex2ApproxSmall = onSmall(mufu.ex2);
export const tanhApproxSmall = onSmall(mufu.tanh);

// -------------------------------------------------------------------------------------------------------------------- f64

/** rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: bits 63..32 in, bits 63..32 out; bits 31..0 of d are zero. */
export const rcpApproxF64High = mufu.rcp64;
export const rsqrtApproxF64High = mufu.rsqrt64;

const fma = fmaF64.rn;

/** rsqrt.approx.f64 of a positive normal number: one Newton step from the unit's result for the upper word. */
function rsqrtStep(x: number): number {
  const y = f64FromWords(mufu.rsqrt64(f64HighWord(x)), 0);
  const error = fma(x, -(y * y), 1);
  return fma(fma(error, 0.375, 0.5), y * error, y);
}

const HIGH_INFINITY = 0x7ff00000;
const HIGH_QUIET = 0x00080000;

/** rsqrt.approx.f64 as words: reads x[from] and x[from + 1], the upper one, and writes `to`. */
export function rsqrtApproxF64(words: Int32Array, to: number, from: number): void {
  const [low, high] = [words[from]!, words[from + 1]!];
  const size = high & 0x7fffffff;
  const put = (upper: number, lower: number): void => {
    words[to] = lower;
    words[to + 1] = upper;
  };
  if (size > HIGH_INFINITY || (size === HIGH_INFINITY && low !== 0)) put(high | HIGH_QUIET, low);
  else if (size === 0 && low === 0) put(high | HIGH_INFINITY, 0);
  else if (high < 0) put(-HIGH_QUIET, 0);
  else if (size === HIGH_INFINITY) put(0, 0);
  else {
    const x = f64FromWords(high, low);
    const root = size < 0x00100000 ? rsqrtStep(x * 2 ** 54) * 2 ** 27 : rsqrtStep(x);
    put(f64HighWord(root), f64LowWord(root));
  }
}
