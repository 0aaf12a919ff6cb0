// cvt between integers and floating-point values, and between integers (PTX ISA 9.7.9.21, Integer Notes and Floating Point
// Notes). Floats to small floats: small-float.ts; f64 to f32: roundToF32. Functions of a type and a mode return a function of the
// value. An executor calls them once, when it decodes the instruction, so that execution needs no lookup of modes
// (cvt.rni.s32.f32: 4 ns instead of 20).

import { roundToOdd } from "./error-free.js";
import { roundToF32 } from "./f32.js";
import { byMode, type ByMode, settleF64, type Unary } from "./rounding.js";

/** Integer rounding: .rni nearest even, .rzi towards zero, .rmi towards minus infinity, .rpi towards plus infinity. */
export type IntegerRounding = "rni" | "rzi" | "rmi" | "rpi";

const TWO_52 = 2 ** 52;

function nearestEvenInteger(x: number): number {
  const size = Math.abs(x);
  // From 2^52 on every double is an integer; below, adding 2^52 leaves no bits for a fraction.
  if (!(size < TWO_52)) return x;
  if (size >= TWO_52 / 2) return x > 0 ? x + TWO_52 - TWO_52 : x - TWO_52 + TWO_52;
  // Handles both signs at once: a branch on the sign of data costs more than the rounding.
  const whole = x + 1.5 * TWO_52 - 1.5 * TWO_52;
  return whole === 0 ? x * 0 : whole;
}

/**
 * Rounds a floating-point value to an integral one (cvt.rni.f32.f32 and the like). The result has the operand's format, and a
 * zero has the operand's sign.
 */
export const roundToIntegral: Readonly<Record<IntegerRounding, Unary>> = {
  rni: nearestEvenInteger,
  rzi: Math.trunc,
  rmi: Math.floor,
  rpi: Math.ceil,
};

/** Integer types whose values are numbers. */
export type NarrowInt = "u8" | "s8" | "u16" | "s16" | "u32" | "s32";
/** Integer types whose values are bigints. */
export type WideInt = "u64" | "s64";

interface Range<T> {
  readonly min: T;
  readonly max: T;
  /** The result for NaN if the source is f64 or the destination is 64 bits wide: 1 << (bits - 1). */
  readonly ofNaN: T;
}

const NARROW_RANGE: Readonly<Record<NarrowInt, Range<number>>> = {
  u8: { min: 0, max: 0xff, ofNaN: 0x80 },
  s8: { min: -0x80, max: 0x7f, ofNaN: -0x80 },
  u16: { min: 0, max: 0xffff, ofNaN: 0x8000 },
  s16: { min: -0x8000, max: 0x7fff, ofNaN: -0x8000 },
  u32: { min: 0, max: 0xffffffff, ofNaN: 0x80000000 },
  s32: { min: -0x80000000, max: 0x7fffffff, ofNaN: -0x80000000 },
};

const WIDE_RANGE: Readonly<Record<WideInt, Range<bigint>>> = {
  u64: { min: 0n, max: 2n ** 64n - 1n, ofNaN: 2n ** 63n },
  s64: { min: -(2n ** 63n), max: 2n ** 63n - 1n, ofNaN: -(2n ** 63n) },
};

/**
 * Converts a float to an integer of at most 32 bits: rounded, then clamped to the type's range. NaN becomes 0, but 1 << (bits -
 * 1) if the source is f64.
 */
export function floatToNarrow(rounding: IntegerRounding, type: NarrowInt, isFromF64: boolean): Unary {
  const { min, max, ofNaN } = NARROW_RANGE[type];
  const round = roundToIntegral[rounding];
  const nan = isFromF64 ? ofNaN : 0;
  return (x) => {
    if (x !== x) return nan;
    const whole = round(x);
    // + 0: an integer has no negative zero.
    return whole < min ? min : whole > max ? max : whole + 0;
  };
}

/** Converts a float to a 64-bit integer: rounded, then clamped; NaN becomes 1 << 63. */
export function floatToWide(rounding: IntegerRounding, type: WideInt): (x: number) => bigint {
  const { min, max, ofNaN } = WIDE_RANGE[type];
  const [least, greatest] = [Number(min), Number(max)];
  const round = roundToIntegral[rounding];
  return (x) => {
    if (x !== x) return ofNaN;
    const whole = round(x);
    // `greatest` is rounded up to 2^63 or 2^64, which is out of range itself.
    if (whole <= least) return min;
    return whole >= greatest ? max : BigInt(whole);
  };
}

/** The rounding error of Number(x) for a 64-bit integer; zero or at least 1, so that its sign is right. */
function lostByNumber(x: bigint, nearest: number): number {
  return Number.isSafeInteger(nearest) ? 0 : Number(x - BigInt(nearest));
}

/** A 64-bit integer as a double rounded to odd, which a second rounding converts exactly to any smaller format. */
export function wideToOdd(x: bigint): number {
  const nearest = Number(x);
  return roundToOdd(nearest, lostByNumber(x, nearest));
}

/** 64-bit integer to f64. Integers of at most 32 bits need no conversion. */
export const wideToF64: ByMode<(x: bigint) => number> = byMode(Number, (mode) => {
  const settle = settleF64[mode];
  return (x) => {
    const nearest = Number(x);
    return settle(nearest, lostByNumber(x, nearest));
  };
});

/** 64-bit integer to f32. Integers of at most 32 bits: roundToF32. */
export const wideToF32: ByMode<(x: bigint) => number> = byMode(
  (x) => roundToF32.rn(wideToOdd(x)),
  (mode) => {
    const round = roundToF32[mode];
    return (x) => round(wideToOdd(x));
  },
);

/** Converts an integer of at most 32 bits, or the low 32 bits of a longer one, to another type by its low bits. */
export const lowBits: Readonly<Record<NarrowInt, Unary>> = {
  u8: (x) => x & 0xff,
  s8: (x) => (x << 24) >> 24,
  u16: (x) => x & 0xffff,
  s16: (x) => (x << 16) >> 16,
  u32: (x) => x >>> 0,
  s32: (x) => x | 0,
};

/** cvt.sat to an integer of at most 32 bits: clamped to its range. */
export function saturateToNarrow(type: NarrowInt): (x: number | bigint) => number {
  const { min, max } = NARROW_RANGE[type];
  return (x) => (x < min ? min : x > max ? max : Number(x));
}

/** cvt.sat to a 64-bit integer: clamped to its range. */
export function saturateToWide(type: WideInt): (x: number | bigint) => bigint {
  const { min, max } = WIDE_RANGE[type];
  return (x) => (x < min ? min : x > max ? max : BigInt(x));
}
