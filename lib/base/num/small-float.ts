// Floating-point formats of 4 to 19 bits, as data, and one rounding function that encodes a double in any of them (PTX ISA 5.2.3
// alternate floating-point formats, 9.7.9.21 cvt).
//
// All formats have at most 11 significant bits, so that an exact double, or one rounded to odd, rounds correctly in one step. Bit
// tricks for each pair of formats (f32 to f16 by integer arithmetic) are a little faster. They were rejected in favour of one
// function that is right for all formats and modes.

import { exponentOf, f32FromBits, isNegative, powerOfTwo } from "./bits.js";
import { type Binary, type CvtRoundingMode, type Unary } from "./rounding.js";

export interface SmallFloat {
  readonly mantissaBits: number;
  /** Exponent of the smallest normal number. */
  readonly minExponent: number;
  readonly signBit: number;
  /** Bits of the largest finite value (MAX_NORM). */
  readonly maxFinite: number;
  /** The result for infinity and overflow; MAX_NORM if the format has no infinity, or .satfinite is mandatory. */
  readonly infinity: number;
  /** The result for NaN; +MAX_NORM if the format has none. */
  readonly nan: number;
  /** Smallest magnitude bits that are NaN; above all encodings if the format has none. */
  readonly firstNaN: number;
  /** Magnitude bits of infinity; the format has none if they equal firstNaN. */
  readonly infinityBits: number;
}

type Layout = Omit<SmallFloat, "infinity" | "nan" | "firstNaN" | "infinityBits">;

function ieee(layout: Layout, nan: number): SmallFloat {
  const infinity = layout.maxFinite + 1;
  return { ...layout, infinity, nan, firstNaN: infinity + 1, infinityBits: infinity };
}

function finite(layout: Layout, nan = layout.maxFinite): SmallFloat {
  const firstNaN = layout.maxFinite + 1;
  return { ...layout, infinity: layout.maxFinite, nan, firstNaN, infinityBits: firstNaN };
}

export const F16 = ieee({ mantissaBits: 10, minExponent: -14, signBit: 0x8000, maxFinite: 0x7bff }, 0x7fff);
export const BF16 = ieee({ mantissaBits: 7, minExponent: -126, signBit: 0x8000, maxFinite: 0x7f7f }, 0x7fff);
/** The upper 19 bits of a .b32 register with a tf32 value: shift left by 13. PTX does not define the layout. */
export const TF32 = ieee({ mantissaBits: 10, minExponent: -126, signBit: 0x40000, maxFinite: 0x3fbff }, 0x3ffff);
export const E4M3 = finite({ mantissaBits: 3, minExponent: -6, signBit: 0x80, maxFinite: 0x7e }, 0x7f);
/** Conversions to e5m2 are always .satfinite: infinities occur only as bits. */
export const E5M2: SmallFloat = {
  ...ieee({ mantissaBits: 2, minExponent: -14, signBit: 0x80, maxFinite: 0x7b }, 0x7f),
  infinity: 0x7b,
};
export const E2M3 = finite({ mantissaBits: 3, minExponent: 0, signBit: 0x20, maxFinite: 0x1f });
export const E3M2 = finite({ mantissaBits: 2, minExponent: -2, signBit: 0x20, maxFinite: 0x1f });
export const E2M1 = finite({ mantissaBits: 1, minExponent: 0, signBit: 0x8, maxFinite: 0x7 });

// Rounds a magnitude below 2^52 to an integer. Adding 2^52 leaves no bits for a fraction: nearest even without a branch.
type RoundMagnitude = (scaled: number, negative: boolean) => number;

const TWO_52 = 2 ** 52;

const roundMagnitude: Readonly<Record<CvtRoundingMode, RoundMagnitude>> = {
  rn: (scaled) => scaled + TWO_52 - TWO_52,
  rna: (scaled) => (scaled - Math.floor(scaled) < 0.5 ? Math.floor(scaled) : Math.ceil(scaled)),
  rz: Math.floor,
  rm: (scaled, negative) => (negative ? Math.ceil(scaled) : Math.floor(scaled)),
  rp: (scaled, negative) => (negative ? Math.floor(scaled) : Math.ceil(scaled)),
};

/** Encodes x in a small format, rounded once; x is exact, or rounded to odd. */
export function smallEncoder(format: SmallFloat, mode: CvtRoundingMode): Unary {
  const { mantissaBits, minExponent, signBit, maxFinite, infinity, nan } = format;
  const round = roundMagnitude[mode];
  // Beyond MAX_NORM, modes that round three quarters away from zero give infinity.
  const overflow = (negative: boolean): number => (round(0.75, negative) === 1 ? infinity : maxFinite);
  return (x) => {
    if (x !== x) return nan;
    const negative = isNegative(x);
    const sign = negative ? signBit : 0;
    const size = Math.abs(x);
    if (size === Infinity) return sign | infinity;
    const exponent = Math.max(exponentOf(size), minExponent);
    const places = round(size * powerOfTwo(mantissaBits - exponent), negative);
    // A carry out of the mantissa correctly increments the exponent field.
    const magnitude = ((exponent - minExponent) << mantissaBits) + places;
    return sign | (magnitude <= maxFinite ? magnitude : overflow(negative));
  };
}

/** smallEncoder to nearest with zero for results below the smallest normal number, after rounding with an unbounded exponent. */
export function flushingEncoder(format: SmallFloat): Unary {
  const encode = smallEncoder(format, "rn");
  // Half a place of the binade below; the even neighbour of that midpoint is the normal number.
  const least = 2 ** format.minExponent * (1 - 2 ** -(format.mantissaBits + 2));
  return (x) => encode(Math.abs(x) < least ? x * 0 : x);
}

/**
 * .rs, stochastic rounding, from x and `randomBits` random bits. Rounds away from zero if adding the random bits to the uppermost
 * dropped bits carries, otherwise towards zero.
 */
export function stochasticEncoder(format: SmallFloat, randomBits: number): Binary {
  const { mantissaBits, minExponent, signBit, maxFinite, infinity, nan } = format;
  const steps = 2 ** randomBits;
  return (x, random) => {
    if (x !== x) return nan;
    const sign = isNegative(x) ? signBit : 0;
    const size = Math.abs(x);
    if (size === Infinity) return sign | infinity;
    const exponent = Math.max(exponentOf(size), minExponent);
    const scaled = size * powerOfTwo(mantissaBits - exponent);
    const whole = Math.floor(scaled);
    const carry = Math.floor((scaled - whole) * steps) + random >= steps ? 1 : 0;
    const magnitude = ((exponent - minExponent) << mantissaBits) + whole + carry;
    return sign | (magnitude <= maxFinite ? magnitude : infinity);
  };
}

/** Decodes a small format's bits to their exact value. */
export function smallDecoder(format: SmallFloat): Unary {
  const { signBit, infinityBits, firstNaN } = format;
  // Uses the fields of an f32, whose exponent bias is 127, while this format's is 1 - minExponent.
  const signShift = Math.clz32(signBit);
  const shift = 23 - format.mantissaBits;
  const scale = powerOfTwo(126 + format.minExponent);
  return (bits) => {
    const magnitude = bits & (signBit - 1);
    const sign = (bits & signBit) << signShift;
    if (magnitude >= infinityBits) return magnitude >= firstNaN ? NaN : sign < 0 ? -Infinity : Infinity;
    return f32FromBits(sign | (magnitude << shift)) * scale;
  };
}

/** .satfinite of a result: infinity becomes MAX_NORM with the same sign; NaN stays. */
export function saturateFiniteSmall({ signBit, infinityBits, firstNaN }: SmallFloat, bits: number): number {
  return infinityBits < firstNaN && (bits & (signBit - 1)) === infinityBits ? bits - 1 : bits;
}

/** .ftz of an f16 operand or result: a subnormal becomes a zero of the same sign. */
export function flushSmall(format: SmallFloat, bits: number): number {
  return (bits & (format.signBit - 1)) >> format.mantissaBits === 0 ? bits & format.signBit : bits;
}

/** .relu: negative values become +0.0; NaN becomes the canonical NaN. */
export function reluSmall(format: SmallFloat, bits: number): number {
  if ((bits & (format.signBit - 1)) >= format.firstNaN) return format.nan;
  return (bits & format.signBit) !== 0 ? 0 : bits;
}

/** .sat: clamps to [+0.0, 1.0]; NaN becomes +0.0. */
export function saturateUnitSmall(format: SmallFloat, bits: number): number {
  if ((bits & format.signBit) !== 0 || bits >= format.firstNaN) return 0;
  const one = (1 - format.minExponent) << format.mantissaBits;
  return Math.min(bits, one);
}
