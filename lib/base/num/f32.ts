// Single precision add, sub, mul, fma, div, rcp, sqrt, correctly rounded in all four modes (PTX ISA 9.7.3.3 to 9.7.3.6, 9.7.3.8,
// 9.7.3.13, 9.7.3.15), computed in doubles.
//
// Nearest: for + - * / sqrt, rounding to 53 bits and then to 24 gives the right result, because 53 >= 2 * 24 + 2 (Figueroa 1995).
// With subnormal results, sums and products are exact in a double, and a quotient that is not a midpoint is at least 2^-49
// (relative) away from one. fma has no such bound: fround(a * b + c) is wrong if c is about 2^24 times the product and the
// product is slightly more or less than half a place of c. Directed: the rounding error (or its sign) is known exactly, and
// settleF32 steps. .ftz and .sat are flushF32, flushResultF32 and saturateUnit applied to these; `lifted` has the functions that
// flushResultF32 takes.

import { f64LowWord } from "./bits.js";
import { roundToOdd, sumError } from "./error-free.js";
import {
  type Binary,
  byMode,
  type ByMode,
  LIFT,
  settleF32,
  type RoundingMode,
  type Ternary,
  type Unary,
  zeroSumTowardsMinus,
} from "./rounding.js";

const fround = Math.fround;

/** Converts any double to f32: cvt.f32.f64, and the last step of operations that are exact in doubles. */
export const roundToF32: ByMode<Unary> = byMode<Unary>(fround, (mode) => {
  const settle = settleF32[mode];
  return (exact) => {
    const nearest = fround(exact);
    return settle(nearest, exact - nearest);
  };
});

// The sum of two doubles in the range of products of f32 values. If the double sum is not the nearest f32, they differ by at
// least one place of the double, which is more than the double's rounding error.
const sum: ByMode<Binary> = byMode<Binary>(
  (a, b) => {
    const total = a + b;
    // Only a double that ends in 28 zero bits can be an f32 or a midpoint between two (subnormal ones included); any
    // other lies on the same side of all of them as the exact sum.
    if ((f64LowWord(total) & 0x0fffffff) !== 0) return fround(total);
    return fround(roundToOdd(total, sumError(a, b, total)));
  },
  (mode) => {
    const settle = settleF32[mode];
    return (a, b) => {
      const total = a + b;
      if (total === 0 && mode === "rm") return zeroSumTowardsMinus(a, b);
      const nearest = fround(total);
      return settle(nearest, total - nearest || sumError(a, b, total));
    };
  },
);

/** a + b. */
export const addF32: ByMode<Binary> = { ...sum, rn: (a, b) => fround(a + b) };

/** a - b. */
export const subF32: ByMode<Binary> = byMode<Binary>(
  (a, b) => fround(a - b),
  (mode) => (a, b) => sum[mode](a, -b),
);

/** a * b; exact in a double before it is rounded. */
export const mulF32: ByMode<Binary> = byMode<Binary>(
  (a, b) => fround(a * b),
  (mode) => (a, b) => roundToF32[mode](a * b),
);

/** a * b + c, rounded once. */
export const fmaF32: ByMode<Ternary> = byMode<Ternary>(
  (a, b, c) => sum.rn(a * b, c),
  (mode) => (a, b, c) => sum[mode](a * b, c),
);

/** a / b; the sign of the residual a - nearest * b is exact in a double. */
export const divF32: ByMode<Binary> = byMode<Binary>(
  (a, b) => fround(a / b),
  (mode) => {
    const settle = settleF32[mode];
    return (a, b) => {
      const nearest = fround(a / b);
      const residual = a - nearest * b;
      return settle(nearest, b < 0 ? -residual : residual);
    };
  },
);

/** 1 / a. */
export const rcpF32: ByMode<Unary> = byMode<Unary>(
  (a) => fround(1 / a),
  (mode) => (a) => divF32[mode](1, a),
);

/** Square root. */
export const sqrtF32: ByMode<Unary> = byMode<Unary>(
  (a) => fround(Math.sqrt(a)),
  (mode) => {
    const settle = settleF32[mode];
    return (a) => {
      const nearest = fround(Math.sqrt(a));
      return settle(nearest, a - nearest * nearest);
    };
  },
);

const liftedBy = (make: (mode: RoundingMode) => Ternary): ByMode<Ternary> =>
  byMode<Ternary>(make("rn"), (mode) => make(mode));

/**
 * Results times 2^64, for flushResultF32: of operations that may round a subnormal result up to 2^-126. Sums are exact there, and
 * roots are larger.
 */
export const lifted = {
  mul: liftedBy((mode) => (a, b) => mulF32[mode](a * LIFT, b)),
  fma: liftedBy((mode) => (a, b, c) => fmaF32[mode](a * LIFT, b, c * LIFT)),
  div: liftedBy((mode) => (a, b) => divF32[mode](a * LIFT, b)),
  rcp: liftedBy((mode) => (a) => divF32[mode](LIFT, a)),
  /** cvt.f32.f64. */
  cvt: liftedBy((mode) => (a) => roundToF32[mode](a * LIFT)),
};
