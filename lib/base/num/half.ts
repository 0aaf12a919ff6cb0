// Half precision arithmetic on bits, f16 and bf16, one lane or two (PTX ISA 9.7.4.1 to 9.7.4.8). Computed in doubles and rounded
// to the format. Sums and products of two halves are exact in a double, or so far from any midpoint that double rounding is
// harmless (53 >= 2 * 11 + 2, as in f32.ts). For fma it is not: its double sum is rounded to odd first. A computation in f32
// (fma.rn.f32 and a cvt) would round twice. .sat and .relu are saturateUnitSmall and reluSmall applied to these; .ftz is
// flushSmall of operands.

import { maxNaN, maxNumber, minNaN, minNumber } from "./compare.js";
import { sumToOdd } from "./error-free.js";
import { type Binary, type Ternary, type Unary } from "./rounding.js";
import { BF16, F16, flushingEncoder, smallDecoder, smallEncoder, type SmallFloat } from "./small-float.js";

/** Operations on bits of one format; results rounded to nearest even, NaN results canonical. */
export interface HalfArithmetic {
  readonly add: Binary;
  readonly sub: Binary;
  readonly mul: Binary;
  readonly fma: Ternary;
  readonly min: Binary;
  readonly max: Binary;
  readonly minNaN: Binary;
  readonly maxNaN: Binary;
  /** A NaN becomes the canonical one, as in the other operations (an H200's records). */
  readonly neg: Unary;
  readonly abs: Unary;
}

function arithmetic(format: SmallFloat, encode = smallEncoder(format, "rn")): HalfArithmetic {
  const decode = smallDecoder(format);
  const { signBit, firstNaN, nan } = format;
  const isNaNBits = (bits: number): boolean => (bits & (signBit - 1)) >= firstNaN;
  const onValues =
    (operation: Binary): Binary =>
    (a, b) =>
      encode(operation(decode(a), decode(b)));
  return {
    add: (a, b) => encode(decode(a) + decode(b)),
    sub: (a, b) => encode(decode(a) - decode(b)),
    mul: (a, b) => encode(decode(a) * decode(b)),
    fma: (a, b, c) => encode(sumToOdd(decode(a) * decode(b), decode(c))),
    min: onValues(minNumber),
    max: onValues(maxNumber),
    minNaN: onValues(minNaN),
    maxNaN: onValues(maxNaN),
    neg: (a) => (isNaNBits(a) ? nan : a ^ signBit),
    abs: (a) => (isNaNBits(a) ? nan : a & (signBit - 1)),
  };
}

export const f16: HalfArithmetic = arithmetic(F16);
export const bf16: HalfArithmetic = arithmetic(BF16);

/**
 * Operations with .ftz: results are zero if they are below 2^-14 after rounding to 11 bits with an unbounded exponent. A result
 * that only rounds up to 2^-14 in subnormal steps is zero, too (flushResultF32 in rounding.ts has the same rule).
 */
export const f16Flushed: HalfArithmetic = arithmetic(F16, flushingEncoder(F16));

/** .xorsign.abs of a min or max of magnitudes: the exclusive or of the operands' signs, unless the result is NaN. */
export function withXorSignHalf(format: SmallFloat, magnitude: number, a: number, b: number): number {
  return magnitude >= format.firstNaN ? magnitude : magnitude | ((a ^ b) & format.signBit);
}

/**
 * Magnitude of the NaN that a tensor copy stores for elements outside the tensor. PTX does not define its bits; recorded on an
 * H200.
 */
const OOB_NAN = 0x7ff7;
const isOutOfBounds = (bits: number): boolean => (bits & 0x7fff) === OOB_NAN;

/**
 * fma.oob (9.7.4.4): +0.0 if a factor is the NaN that marks an element out of bounds; the summand may be that NaN (an H100, all
 * 65536 bits of each operand).
 */
export function outOfBoundsIsZero(operation: Ternary): Ternary {
  return (a, b, c) => (isOutOfBounds(a) || isOutOfBounds(b) ? 0 : operation(a, b, c));
}

/** Two 16-bit lanes as a b32 (uint32). */
function pack2(high: number, low: number): number {
  return ((high << 16) | (low & 0xffff)) >>> 0;
}

/** An operation on halves, applied to both lanes of a .f16x2 or .bf16x2 (b32 in, uint32 out). */
export function inBothLanes1(operation: Unary): Unary {
  return (a) => pack2(operation(a >>> 16), operation(a & 0xffff));
}

export function inBothLanes2(operation: Binary): Binary {
  return (a, b) => pack2(operation(a >>> 16, b >>> 16), operation(a & 0xffff, b & 0xffff));
}

export function inBothLanes3(operation: Ternary): Ternary {
  return (a, b, c) => pack2(operation(a >>> 16, b >>> 16, c >>> 16), operation(a & 0xffff, b & 0xffff, c & 0xffff));
}
