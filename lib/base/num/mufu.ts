// The special function unit (MUFU) of a GPU, bit for bit: table interpolation as in Oberman and Siu, "A high-performance
// area-efficient multifunction interpolator" (ARITH 2005), with the tables of mufu-tables.table.ts. Values are bits of an f32 as
// an int32. approx.ts has the other steps of PTX instructions.
//
// The argument is reduced to a segment s and a 17-bit offset X in it. S = c0[s] + c1[s] * X + c2[s] * SQ(X) in units of 2^-unit,
// exact in a double; only the square is truncated. The result keeps the upper 24 bits; the rest is truncated. Subnormal operands
// count as zeros of their sign (except for tanh), and results below 2^-126 are zeros.

import { F32_NAN_BITS, f64HighWord, f64LowWord } from "./bits.js";
import type { MufuTable, MufuTables } from "./mufu-tables.table.js";
import type { Unary } from "./rounding.js";

/** Upper word of an f64 NaN. */
const F64_HIGH_NAN = 0x7fffffff;

const NAN = F32_NAN_BITS;
const INFINITY = 0x7f800000;
const ONE = 0x3f800000;
const SIGN = -0x80000000;
const FRACTION = 0x7fffff;
const BIAS = 127;

export interface Mufu {
  readonly rcp: Unary;
  readonly rsqrt: Unary;
  readonly sqrt: Unary;
  readonly ex2: Unary;
  readonly lg2: Unary;
  /** sin and cos of an argument in turns: 1.0 is 2 pi. */
  readonly sin: Unary;
  readonly cos: Unary;
  readonly tanh: Unary;
  /** Functions from the upper word of an f64 to the upper word of the result. */
  readonly rcp64: Unary;
  readonly rsqrt64: Unary;
}

/**
 * SQ(X): the square of a 17-bit number in units of 2^19, without the partial products below 2^19. With X = h * 2^10 + l * 4 +
 * ..., that is 2 h^2 and, for the bits h_i and l_j, the sum of h_i * l_j * 2^(i+j-6) with i + j >= 6. Two bits of h at a time.
 */
export function truncatedSquare(x: number): number {
  const h = x >> 10;
  const l = (x >> 2) & 0xff;
  const upper = (((h & 0x60) * l) >> 6) + (((h & 0x18) * (l & 0xfc)) >> 6);
  return 2 * h * h + upper + (((h & 0x06) * (l & 0xf0)) >> 6) + (((h & 0x01) * (l & 0xc0)) >> 6);
}

/** Computes S for a segment and an offset. */
type Interpolate = (segment: number, x: number) => number;

function interpolator({ unit, c0Unit, c2Unit, bias, c0, c1, c2 }: MufuTable): Interpolate {
  const constant = Float64Array.from(c0, (c) => c * 2 ** (unit - c0Unit) + bias);
  const linear = Float64Array.from(c1);
  const quadratic = Float64Array.from(c2, (c) => c * 2 ** (unit - c2Unit));
  return (segment, x) => constant[segment]! + linear[segment]! * x + quadratic[segment]! * truncatedSquare(x);
}

/** The f32 of v * 2^unit, v >= 0, truncated to 24 bits; zero below 2^-126. */
function pack(sign: number, v: number, unit: number): number {
  if (v <= 0) return sign;
  const high = f64HighWord(v);
  const exponent = (high >>> 20) - 1023 + unit + BIAS;
  if (exponent <= 0) return sign;
  if (exponent >= 255) return sign | INFINITY;
  return sign | (exponent << 23) | ((high & 0xfffff) << 3) | (f64LowWord(v) >>> 29);
}

const isNaN32 = (x: number): boolean => (x & 0x7fffffff) > INFINITY;
const exponentField = (x: number): number => (x >>> 23) & 0xff;

/** Segment and offset of a 23-bit fraction in 64 segments. */
const segmentOf = (fraction: number): number => fraction >> 17;
const offsetOf = (fraction: number): number => fraction & 0x1ffff;

function createRcp({ rcp: table }: MufuTables): Unary {
  const interpolate = interpolator(table);
  return (x) => {
    const sign = x & SIGN;
    const exponent = exponentField(x);
    if (exponent === 255) return isNaN32(x) ? NAN : sign;
    if (exponent === 0) return sign | INFINITY;
    const s = interpolate((x >> 16) & 0x7f, (x & 0xffff) << 1);
    return pack(sign, s, BIAS - exponent - table.unit);
  };
}

/**
 * rsqrt and sqrt of positive normal numbers, with one table for even exponents and another for odd ones. `infinite` and `ofZero`
 * are the results for +Infinity and zeros.
 */
function ofRoot(finite: Unary, infinite: number, ofZero: Unary): Unary {
  return (x) => {
    if (isNaN32(x)) return NAN;
    if (exponentField(x) === 0) return ofZero(x & SIGN);
    if (x < 0) return NAN;
    return x === INFINITY ? infinite : finite(x);
  };
}

function createRsqrt({ rsqrt1, rsqrt2 }: MufuTables): Unary {
  const [even, odd] = [interpolator(rsqrt1), interpolator(rsqrt2)];
  const finite = (x: number): number => {
    const k = exponentField(x) - BIAS;
    const fraction = x & FRACTION;
    const isOdd = (k & 1) !== 0;
    // Powers of four are exact; the table's value is one unit less.
    if (!isOdd && fraction === 0) return (BIAS - k / 2) << 23;
    const s = (isOdd ? odd : even)(segmentOf(fraction), offsetOf(fraction));
    return pack(0, s, -(k >> 1) - (isOdd ? rsqrt2 : rsqrt1).unit);
  };
  return ofRoot(finite, 0, (sign) => sign | INFINITY);
}

function createSqrt({ sqrt1, sqrt2 }: MufuTables): Unary {
  const [even, odd] = [interpolator(sqrt1), interpolator(sqrt2)];
  const finite = (x: number): number => {
    const k = exponentField(x) - BIAS;
    const fraction = x & FRACTION;
    const isOdd = (k & 1) !== 0;
    const s = (isOdd ? odd : even)(segmentOf(fraction), offsetOf(fraction));
    return pack(0, s, (k >> 1) - (isOdd ? sqrt2 : sqrt1).unit);
  };
  return ofRoot(finite, INFINITY, (sign) => sign);
}

function createEx2({ ex2: table }: MufuTables): Unary {
  const interpolate = interpolator(table);
  return (x) => {
    const exponent = exponentField(x);
    if (exponent >= BIAS + 8) {
      if (isNaN32(x)) return NAN;
      return x < 0 ? 0 : INFINITY;
    }
    // |x| in units of 2^-23, truncated; 31 bits.
    const significand = (x & FRACTION) | 0x800000;
    let fixed = 0;
    if (exponent >= BIAS) fixed = significand << (exponent - BIAS);
    else if (exponent >= BIAS - 23) fixed = significand >> (BIAS - exponent);
    // The ones' complement, except for whole numbers.
    if (x < 0) fixed = (fixed & FRACTION) === 0 ? -fixed : ~fixed;
    const fraction = fixed & FRACTION;
    return pack(0, interpolate(segmentOf(fraction), offsetOf(fraction)), (fixed >> 23) - table.unit);
  };
}

function createLg2({ lg2: table }: MufuTables): Unary {
  const interpolate = interpolator(table);
  // The two lowest bits of S are dropped.
  const unit = table.unit - 2;
  return (x) => {
    if (isNaN32(x)) return NAN;
    if (exponentField(x) === 0) return SIGN | INFINITY;
    if (x < 0) return NAN;
    if (x === INFINITY) return x;
    if (x === ONE) return 0;
    const fraction = x & FRACTION;
    const s = Math.floor(interpolate(segmentOf(fraction), offsetOf(fraction)) / 4);
    const v = (exponentField(x) - BIAS) * 2 ** unit + s;
    return v < 0 ? pack(SIGN, -v - 1, -unit) : pack(0, v, -unit);
  };
}

/** sin of x turns plus `quarters` of a turn; cos ignores the sign of x. */
function createSine({ sin: table }: MufuTables, quarters: 0 | 1): Unary {
  const interpolate = interpolator(table);
  const signMask = quarters === 0 ? SIGN : 0;
  return (x) => {
    const exponent = exponentField(x);
    if (exponent === 255) return NAN;
    // |x| in units of 2^-25, truncated, modulo 2^25.
    const significand = (x & FRACTION) | 0x800000;
    const shift = exponent - (BIAS - 2);
    let fixed = 0;
    if (shift >= 0 && shift < 25) fixed = significand << shift;
    else if (shift < 0 && shift > -24) fixed = significand >> -shift;
    const quadrant = (fixed >>> 23) + quarters;
    const fraction = ((quadrant & 1) === 0 ? fixed : ~fixed) & FRACTION;
    const sign = (x & signMask) ^ ((quadrant & 2) << 30);
    return pack(sign, interpolate(segmentOf(fraction), offsetOf(fraction)), -table.unit);
  };
}

function createTanh({ tanh: table }: MufuTables): Unary {
  const { unit, firstExponent, firstSegment, segmentBits } = table;
  const interpolate = interpolator(table);
  return (x) => {
    if (isNaN32(x)) return NAN;
    const binade = exponentField(x) - firstExponent;
    if (binade < 0) return x;
    if (binade >= firstSegment.length) return (x & SIGN) | ONE;
    const fraction = (x & FRACTION) >> (6 - segmentBits[binade]!);
    return pack(x & SIGN, interpolate(firstSegment[binade]! + segmentOf(fraction), offsetOf(fraction)), -unit);
  };
}

const HIGH_INFINITY = 0x7ff00000;

/** RCP64H and RSQ64H: the f32 operation on the upper 20 bits of the fraction, by exponents of 11 bits. */
function onHighWord(rcp: Unary, isRoot: boolean): Unary {
  return (x) => {
    const sign = x & SIGN;
    const field = (x >>> 20) & 0x7ff;
    if ((x & 0x7fffffff) > HIGH_INFINITY) return F64_HIGH_NAN;
    if (field === 0) return sign | HIGH_INFINITY;
    if (isRoot && sign !== 0) return F64_HIGH_NAN;
    if (field === 0x7ff) return sign;
    const k = field - 1023;
    const odd = isRoot ? k & 1 : 0;
    const result = rcp(((BIAS + odd) << 23) | ((x & 0xfffff) << 3));
    const exponent = exponentField(result) - BIAS + 1023 - (isRoot ? (k - odd) / 2 : k);
    return exponent <= 0 ? sign : sign | (exponent << 20) | ((result & FRACTION) >> 3);
  };
}

export function createMufu(tables: MufuTables): Mufu {
  const [rcp, rsqrt] = [createRcp(tables), createRsqrt(tables)];
  return {
    rcp,
    rsqrt,
    sqrt: createSqrt(tables),
    ex2: createEx2(tables),
    lg2: createLg2(tables),
    sin: createSine(tables, 0),
    cos: createSine(tables, 1),
    tanh: createTanh(tables),
    rcp64: onHighWord(rcp, false),
    rsqrt64: onHighWord(rsqrt, true),
  };
}
