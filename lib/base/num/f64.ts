// Double precision add, sub, mul, fma, div, rcp, sqrt, correctly rounded in all four modes (PTX ISA 9.7.3.3 to 9.7.3.6, 9.7.3.8,
// 9.7.3.13, 9.7.3.15). The host itself rounds + - * / and sqrt to nearest. The directed modes use the nearest value and the exact
// sign of its rounding error: from error-free transforms or, near the ends of the range, from big integers.
//
// NaN payloads: by 9.7.3 f64 instructions support them; a JS number has none. An executor that needs them calls `nanOperandF64`
// with the operands' bits before it computes.

import { F64_NAN_BITS } from "./bits.js";
import { isProductSafe, productError, sumError, sumErrorAnyRange, sumToOdd } from "./error-free.js";
import { fmaNearest, signOfFmaMinus } from "./exact-f64.js";
import {
  type Binary,
  byMode,
  type ByMode,
  settleF64,
  type Ternary,
  type Unary,
  zeroSumTowardsMinus,
} from "./rounding.js";

const isFinite = Number.isFinite;

/** a + b. */
export const addF64: ByMode<Binary> = byMode<Binary>(
  (a, b) => a + b,
  (mode) => {
    const settle = settleF64[mode];
    return (a, b) => {
      const sum = a + b;
      if (sum === 0 && mode === "rm") return zeroSumTowardsMinus(a, b);
      return settle(sum, sumErrorAnyRange(a, b, sum));
    };
  },
);

/** a - b. */
export const subF64: ByMode<Binary> = byMode<Binary>(
  (a, b) => a - b,
  (mode) => (a, b) => addF64[mode](a, -b),
);

// The sign of a * b - product; NaN if the product is not a result of rounding.
function errorOfProduct(a: number, b: number, product: number): number {
  if (isProductSafe(a, b, product)) return productError(a, b, product);
  if (!isFinite(a) || !isFinite(b)) return NaN;
  return isFinite(product) ? signOfFmaMinus(a, b, 0, product) : -product;
}

/** a * b. */
export const mulF64: ByMode<Binary> = byMode<Binary>(
  (a, b) => a * b,
  (mode) => {
    const settle = settleF64[mode];
    return (a, b) => {
      const product = a * b;
      return settle(product, errorOfProduct(a, b, product));
    };
  },
);

// The sign of target - a * b, if a * b is within a few places of target.
function signOfResidual(target: number, a: number, b: number): number {
  const product = a * b;
  if (isProductSafe(a, b, product)) return target - product - productError(a, b, product);
  return -signOfFmaMinus(a, b, -target, 0);
}

/** a / b. */
export const divF64: ByMode<Binary> = byMode<Binary>(
  (a, b) => a / b,
  (mode) => {
    const settle = settleF64[mode];
    return (a, b) => {
      const quotient = a / b;
      if (!isFinite(a) || !isFinite(b) || b === 0) return quotient;
      if (!isFinite(quotient)) return settle(quotient, -quotient);
      const residual = signOfResidual(a, quotient, b);
      return settle(quotient, b < 0 ? -residual : residual);
    };
  },
);

/** 1 / a. */
export const rcpF64: ByMode<Unary> = byMode<Unary>(
  (a) => 1 / a,
  (mode) => (a) => divF64[mode](1, a),
);

/** Square root. */
export const sqrtF64: ByMode<Unary> = byMode<Unary>(Math.sqrt, (mode) => {
  const settle = settleF64[mode];
  return (a) => {
    const root = Math.sqrt(a);
    return isFinite(root) ? settle(root, signOfResidual(a, root, root)) : root;
  };
});

function isFmaSafe(a: number, b: number, c: number, product: number): boolean {
  return isProductSafe(a, b, product) && Math.abs(c) < 2 ** 960;
}

// With product + productLow + c = high + rest exactly: the rest, rounded to odd. Rounding high + rest then equals rounding the
// exact value (Boldo and Melquiond). The caller computes middle = c + productLow and high = product + middle.
function restOfFma(c: number, product: number, productLow: number, middle: number, high: number): number {
  return sumToOdd(sumError(c, productLow, middle), sumError(product, middle, high));
}

function fmaNearestOutOfRange(a: number, b: number, c: number): number {
  if (a === 0 || b === 0 || !isFinite(a) || !isFinite(b)) return a * b + c;
  return isFinite(c) ? fmaNearest(a, b, c) : c;
}

function fmaRn(a: number, b: number, c: number): number {
  const product = a * b;
  if (!isFmaSafe(a, b, c, product)) return fmaNearestOutOfRange(a, b, c);
  const productLow = productError(a, b, product);
  const middle = c + productLow;
  const high = product + middle;
  return high + restOfFma(c, product, productLow, middle, high);
}

// The sign of a * b + c - nearest, for finite operands; high - nearest is exact.
function errorOfFma(a: number, b: number, c: number, nearest: number): number {
  const product = a * b;
  if (!isFmaSafe(a, b, c, product)) return signOfFmaMinus(a, b, c, nearest);
  const productLow = productError(a, b, product);
  const middle = c + productLow;
  const high = product + middle;
  return high - nearest + restOfFma(c, product, productLow, middle, high);
}

/** a * b + c, rounded once. */
export const fmaF64: ByMode<Ternary> = byMode<Ternary>(fmaRn, (mode) => {
  const settle = settleF64[mode];
  return (a, b, c) => {
    if (a === 0 || b === 0) return addF64[mode](a * b, c);
    const nearest = fmaRn(a, b, c);
    if (!isFinite(a) || !isFinite(b) || !isFinite(c)) return nearest;
    if (!isFinite(nearest)) return settle(nearest, -nearest);
    const error = errorOfFma(a, b, c, nearest);
    return nearest === 0 && error === 0 && mode === "rm" ? -0 : settle(nearest, error);
  };
});

const QUIET_BIT = 1n << 51n;

/** Whether these are the bits of a NaN. */
export function isNaNBits(bits: bigint): boolean {
  return (bits & 0x7fffffffffffffffn) > 0x7ff0000000000000n;
}

/**
 * The bits of the NaN that an f64 operation returns for these operands' bits: the first NaN operand with its payload and the
 * quiet bit set. Without a NaN operand: the canonical NaN.
 */
export function nanOperandF64(...operands: readonly bigint[]): bigint {
  const first = operands.find(isNaNBits);
  return first === undefined ? F64_NAN_BITS : first | QUIET_BIT;
}
