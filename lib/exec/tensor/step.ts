// One step of the tensor core: an accumulator and all products of the step are aligned to the largest exponent among them, cut
// there, added exactly, and rounded once. No order of summation exists inside a step. The rules were derived from records of an
// H200 (testdata/hardware/h200/tensor); docs/tensor.md describes them.
//
// A term is below 2^28 units of the last place kept, and a sum of 33 terms below 2^34, so doubles represent them exactly.

import { powerOfTwo } from "../../base/num/bits.js";
import { F16 } from "../../base/num/small-float.js";
import type { Accumulation } from "./cores.table.js";
import { CLASS, type Factors, F32, NO_EXPONENT } from "./number.js";

/** Type of an accumulator or a result. */
export type SumType = "f32" | "f16";

const sumFormats = { f32: F32, f16: F16 } as const;

/** Distance below the largest exponent from which on a term contributes nothing. */
const FARTHEST = 31;

/**
 * Adds the products of `count` elements of a and b, from `aAt` and `bAt` on, to c. `c` holds bits of type `cType`, the result
 * bits of type `dType`. Zeros are not terms: they do not raise the largest exponent. A NaN result is positive with all other bits
 * set; a zero result is +0.
 */
export function step(
  { alignmentBits, f32FractionBits }: Accumulation,
  a: Factors,
  aAt: number,
  b: Factors,
  bAt: number,
  count: number,
  c: number,
  cType: SumType,
  dType: SumType,
): number {
  const format = sumFormats[cType];
  const magnitude = c & (format.signBit - 1);
  const cNegative = (c & format.signBit) !== 0;
  const { significands: sa, exponents: ea } = a;
  const { significands: sb, exponents: eb } = b;

  let special = magnitude >= format.infinityBits ? specialOf(magnitude >= format.firstNaN, cNegative) : 0;
  const field = magnitude >> format.mantissaBits;
  const cExponent = format.minExponent + (field > 0 ? field - 1 : 0);
  let largest = magnitude === 0 || special !== 0 ? 2 * NO_EXPONENT : cExponent;
  if (a.hasSpecials || b.hasSpecials)
    for (let i = 0; i < count; i++)
      if ((a.classes[aAt + i]! | b.classes[bAt + i]!) !== CLASS.finite)
        special |= specialProduct(a, aAt + i, b, bAt + i);
  if (special !== 0) return specialResult(special, dType);
  for (let i = 0; i < count; i++) {
    const exponent = ea[aAt + i]! + eb[bAt + i]!;
    if (exponent > largest) largest = exponent;
  }
  if (largest < NO_EXPONENT / 2) return 0;

  let sum = 0;
  if (magnitude !== 0 && largest - cExponent < FARTHEST) {
    const implicit = 1 << format.mantissaBits;
    const significand = field === 0 ? magnitude : (magnitude & (implicit - 1)) | implicit;
    const places = alignmentBits - format.mantissaBits - (largest - cExponent);
    const cut = places >= 0 ? significand << places : significand >> Math.min(-places, FARTHEST);
    sum = cNegative ? -cut : cut;
  }
  // A product is below 4 and so a term below 2^28 units: it is an int32.
  const places = alignmentBits - a.fractionBits - b.fractionBits;
  for (let i = 0; i < count; i++) {
    const distance = largest - ea[aAt + i]! - eb[bAt + i]!;
    if (distance >= FARTHEST) continue;
    const product = Math.imul(sa[aAt + i]!, sb[bAt + i]!);
    sum += product < 0 ? -((-product << places) >> distance) : (product << places) >> distance;
  }
  return roundSum(sum, largest - alignmentBits, dType, dType === "f32" ? f32FractionBits : F16.mantissaBits);
}

// Kinds of infinities and NaNs among c and the products, as bits.
const PLUS = 1;
const MINUS = 2;
const NAN = 4;

const specialOf = (isNaN: boolean, negative: boolean): number => (isNaN ? NAN : negative ? MINUS : PLUS);

/** Kind of a product with at least one factor that is not finite. */
function specialProduct(a: Factors, i: number, b: Factors, j: number): number {
  const [ka, kb] = [a.classes[i]!, b.classes[j]!];
  if (ka === CLASS.nan || kb === CLASS.nan) return NAN;
  // Infinity times zero.
  if ((ka === CLASS.finite && a.significands[i] === 0) || (kb === CLASS.finite && b.significands[j] === 0)) return NAN;
  const negativeA = ka === CLASS.finite ? a.significands[i]! < 0 : ka === CLASS.negativeInfinite;
  const negativeB = kb === CLASS.finite ? b.significands[j]! < 0 : kb === CLASS.negativeInfinite;
  return negativeA === negativeB ? PLUS : MINUS;
}

function specialResult(special: number, type: SumType): number {
  const { nan, infinityBits, signBit } = sumFormats[type];
  if ((special & NAN) !== 0 || special === (PLUS | MINUS)) return nan;
  return special === PLUS ? infinityBits : infinityBits | signBit | 0;
}

/**
 * Rounds sum * 2^scale to `fractionBits` fraction bits: toward zero for f32, to nearest even for f16. Subnormal results have
 * fewer fraction bits. Overflow gives infinity for both types; a result of zero is +0.
 */
export function roundSum(sum: number, scale: number, type: SumType, fractionBits: number): number {
  if (sum === 0) return 0;
  const { mantissaBits, minExponent, signBit, infinityBits } = sumFormats[type];
  const size = Math.abs(sum);
  const exponent = Math.max(exponentOfInteger(size) + scale, minExponent);
  const shift = scale - exponent + fractionBits;
  // `size` is below 2^53: scaling it is exact, and a shift below -100 leaves nothing.
  const exact = shift < -100 ? 0 : size * powerOfTwo(shift);
  let kept = Math.floor(exact);
  if (type === "f16") {
    const rest = exact - kept;
    if (rest > 0.5 || (rest === 0.5 && (kept & 1) === 1)) kept++;
  }
  if (kept === 0) return 0;
  // A carry out of the mantissa moves into the exponent field.
  const bits = (exponent - minExponent) * (1 << mantissaBits) + kept * (1 << (mantissaBits - fractionBits));
  const limited = bits >= infinityBits ? infinityBits : bits;
  return sum < 0 ? limited | signBit | 0 : limited;
}

/** Position of the leading bit of an integer from 1 to 2^53. */
function exponentOfInteger(size: number): number {
  return size < 2 ** 32 ? 31 - Math.clz32(size) : 63 - Math.clz32(Math.floor(size / 2 ** 32));
}
