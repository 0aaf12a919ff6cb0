// Operands of the tensor core as integers: value = significand * 2^(exponent - mantissaBits). A subnormal operand keeps its
// significand and has the exponent of the smallest normal number: it is neither normalised nor flushed.

import { BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, type SmallFloat, TF32 } from "../../base/num/small-float.js";

/** f32, described as in base/num/small-float.ts, because accumulators are decoded like operands. */
export const F32: SmallFloat = {
  mantissaBits: 23,
  minExponent: -126,
  signBit: 0x80000000,
  maxFinite: 0x7f7fffff,
  infinity: 0x7f800000,
  nan: 0x7fffffff,
  firstNaN: 0x7f800001,
  infinityBits: 0x7f800000,
};

/** Position of an element's bits in a register, and their encoding. */
export interface NumberFormat {
  readonly float: SmallFloat;
  /** Bits of an element in a register or in memory. */
  readonly width: number;
  /** Low bits of the register that are ignored: cut, not rounded. */
  readonly ignored: number;
}

const plain = (float: SmallFloat, width: number): NumberFormat => ({ float, width, ignored: 0 });

/** Formats by PTX type name. 6-bit types occupy the low bits of a byte. */
export const numberFormats: Readonly<Record<string, NumberFormat>> = {
  f16: plain(F16, 16),
  bf16: plain(BF16, 16),
  tf32: { float: TF32, width: 32, ignored: 13 },
  f32: plain(F32, 32),
  e4m3: plain(E4M3, 8),
  e5m2: plain(E5M2, 8),
  e3m2: plain(E3M2, 8),
  e2m3: plain(E2M3, 8),
  /** In the middle of its byte (bits 2 to 5): PTX ISA 9.0 section 9.7.14.5.14. */
  e2m1: { float: E2M1, width: 8, ignored: 2 },
  /** Two elements per byte, for kind::mxf4 and kind::mxf4nvf4. This is not a PTX type name. */
  "e2m1.packed": plain(E2M1, 4),
};

/** The class of an operand: finite, or which special value. */
export const CLASS = { finite: 0, infinite: 1, negativeInfinite: 2, nan: 3 } as const;

/** Decoded operands, as parallel arrays. */
export interface Factors {
  /** Signed; 0 for zeros, infinities and NaNs. */
  readonly significands: Int32Array;
  /**
   * Unbiased exponents, for significands with the point after the leading bit of a normal number. NO_EXPONENT if the significand
   * is 0.
   */
  readonly exponents: Int32Array;
  readonly classes: Uint8Array;
  /** Some operand is infinite or NaN. */
  hasSpecials: boolean;
  /** Fraction bits of the significands. */
  readonly fractionBits: number;
}

/** Lower than every exponent, even after another exponent is added. */
export const NO_EXPONENT = -(2 ** 20);

export function createFactors(count: number, fractionBits: number): Factors {
  return {
    significands: new Int32Array(count),
    exponents: new Int32Array(count),
    classes: new Uint8Array(count),
    hasSpecials: false,
    fractionBits,
  };
}

/** Decodes `count` elements of `bits`; `negate` flips their signs. */
export function decodeFactors(
  { float, ignored }: NumberFormat,
  bits: Int32Array,
  count: number,
  negate: boolean,
  factors: Factors,
): void {
  const { significands, exponents, classes } = factors;
  const { mantissaBits, minExponent, signBit, infinityBits, firstNaN } = float;
  const implicit = 1 << mantissaBits;
  const flip = negate ? signBit : 0;
  factors.hasSpecials = false;
  for (let i = 0; i < count; i++) {
    const x = (bits[i]! >>> ignored) ^ flip;
    const magnitude = x & (signBit - 1);
    const negative = (x & signBit) !== 0;
    if (magnitude >= infinityBits) {
      significands[i] = 0;
      exponents[i] = NO_EXPONENT;
      factors.hasSpecials = true;
      classes[i] = magnitude >= firstNaN ? CLASS.nan : negative ? CLASS.negativeInfinite : CLASS.infinite;
      continue;
    }
    const field = magnitude >> mantissaBits;
    const significand = field === 0 ? magnitude : (magnitude & (implicit - 1)) | implicit;
    significands[i] = negative ? -significand : significand;
    exponents[i] = magnitude === 0 ? NO_EXPONENT : minExponent + (field === 0 ? 0 : field - 1);
    classes[i] = CLASS.finite;
  }
}

/**
 * Multiplies operands `from` to `to` by a block's scale: an exact power of two (ue8m0), or a number of four significant bits
 * (ue4m3). The caller includes the scale's fraction bits in those of the factors. A NaN scale makes every operand NaN. PTX ISA
 * 9.0 section 9.7.14.5.13.
 */
export function scaleFactors(factors: Factors, from: number, to: number, scale: BlockScale): void {
  const { significands, exponents, classes } = factors;
  for (let i = from; i < to; i++) {
    if (scale.isNaN) classes[i] = CLASS.nan;
    else if (scale.significand === 0 && (classes[i] === CLASS.infinite || classes[i] === CLASS.negativeInfinite))
      classes[i] = CLASS.nan;
    significands[i]! *= scale.significand;
    if (significands[i] === 0) exponents[i] = NO_EXPONENT;
    else exponents[i]! += scale.exponent;
    if (classes[i] !== CLASS.finite) factors.hasSpecials = true;
  }
}

export interface BlockScale {
  readonly significand: number;
  readonly exponent: number;
  readonly isNaN: boolean;
}

/** Decoders of scales, which have no sign: ue8m0 is an exponent, ue4m3 the magnitude of an e4m3. */
export const scaleDecoders: Readonly<Record<string, { readonly fractionBits: number; of(bits: number): BlockScale }>> =
  {
    ue8m0: {
      fractionBits: 0,
      of: (bits) => ({ significand: 1, exponent: (bits & 0xff) - 127, isNaN: (bits & 0xff) === 0xff }),
    },
    ue4m3: {
      fractionBits: E4M3.mantissaBits,
      of: (bits) => {
        const magnitude = bits & 0x7f;
        const field = magnitude >> E4M3.mantissaBits;
        const mantissa = magnitude & 7;
        return {
          significand: field === 0 ? mantissa : mantissa | 8,
          exponent: E4M3.minExponent + Math.max(field, 1) - 1,
          isNaN: magnitude >= E4M3.firstNaN,
        };
      },
    },
  };
