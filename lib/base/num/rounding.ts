// Rounding modes (PTX ISA 6.5.2; the modifiers of 9.7.3 and 9.7.9.21) and the code that they share.
//
// Directed rounding uses one method: compute the nearest value, find the sign of the rounding error, and step one place if the
// mode requires it. `settle` is that last step. JavaScript cannot change the rounding mode of the host's FPU; rounding exact
// rationals for every operation was rejected as a hundred times slower.

import { nextDownF32, nextDownF64, nextUpF32, nextUpF64 } from "./bits.js";

/** .rn nearest even, .rz towards zero, .rm towards minus infinity, .rp towards plus infinity. */
export type RoundingMode = "rn" | "rz" | "rm" | "rp";

/** .rna: nearest, ties away from zero. PTX allows it for cvt to tf32 only (9.7.9.21). */
export type CvtRoundingMode = RoundingMode | "rna";

// Functions on numbers, by the number of operands.
export type Unary = (a: number) => number;
export type Binary = (a: number, b: number) => number;
export type Ternary = (a: number, b: number, c: number) => number;

/** One function for each rounding mode; an executor selects it once, when it decodes the instruction. */
export type ByMode<F> = Readonly<Record<RoundingMode, F>>;

/** Makes an operation from its nearest form and a function that makes its directed forms. */
export function byMode<F>(nearest: F, directed: (mode: Exclude<RoundingMode, "rn">) => F): ByMode<F> {
  return { rn: nearest, rz: directed("rz"), rm: directed("rm"), rp: directed("rp") };
}

/** All modes, in the order of tables and tests. */
export const ROUNDING_MODES: readonly RoundingMode[] = ["rn", "rz", "rm", "rp"];

/**
 * Returns the value in the mode from the nearest value and the sign of (exact - nearest). An `error` of NaN (an operand was
 * infinite or NaN) means exact. Overflow needs no special case: the nearest value is then infinite, the error has the opposite
 * sign, and one step back from infinity is the largest finite value.
 */
type Settle = (nearest: number, error: number) => number;

function settling(nextUp: (x: number) => number, nextDown: (x: number) => number): ByMode<Settle> {
  return {
    rn: (nearest) => nearest,
    rz: (nearest, error) => {
      if (error < 0 && nearest > 0) return nextDown(nearest);
      return error > 0 && nearest < 0 ? nextUp(nearest) : nearest;
    },
    rm: (nearest, error) => (error < 0 ? nextDown(nearest) : nearest),
    rp: (nearest, error) => (error > 0 ? nextUp(nearest) : nearest),
  };
}

export const settleF32: ByMode<Settle> = settling(nextUpF32, nextDownF32);
export const settleF64: ByMode<Settle> = settling(nextUpF64, nextDownF64);

/** The smallest normal f32, 2^-126. */
const MIN_NORMAL_F32 = 2 ** -126;

/** .ftz of an f32 operand, or of a result that is exact: a subnormal becomes a zero of the same sign (9.7.3). */
export function flushF32(x: number): number {
  return x < MIN_NORMAL_F32 && x > -MIN_NORMAL_F32 ? x * 0 : x;
}

/** Factor that moves a result out of the subnormals, so that it is rounded to as many bits as any other. */
export const LIFT = 2 ** 64;

/**
 * .ftz of a rounded f32 result. Hardware flushes results below 2^-126 after rounding to 24 bits with an unbounded exponent; a
 * subnormal has fewer bits and may round up to 2^-126. `lifted` decides that case: it returns the result for a, b and c times
 * 2^64, rounded in the same mode.
 */
export function flushResultF32(x: number, lifted: Ternary, a: number, b = 0, c = 0): number {
  if (x !== MIN_NORMAL_F32 && x !== -MIN_NORMAL_F32) return flushF32(x);
  return Math.abs(lifted(a, b, c)) < MIN_NORMAL_F32 * LIFT ? x * 0 : x;
}

/** .sat: clamps to [+0.0, 1.0]; NaN and -0.0 become +0.0 (9.7.3). */
export function saturateUnit(x: number): number {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}

/**
 * The .rm sum of two operands known to add up to zero. An exactly zero sum has the sign of both operands if they agree, otherwise
 * +0.0, but -0.0 in .rm (IEEE 754-2019, 6.3).
 */
export function zeroSumTowardsMinus(a: number, b: number): number {
  return Object.is(a, 0) && Object.is(b, 0) ? 0 : -0;
}
