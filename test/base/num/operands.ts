// The operands of testdata/numerics/*.bin, from the same generator as in reference.c, so that the files only have
// results. The order of the draws matters.

import { f32FromBits, f32ToBits, f64FromBits, f64ToBits } from "../../../lib/base/num/bits.js";
import { type SmallFloat } from "../../../lib/base/num/small-float.js";

// prettier-ignore
const EDGES_32 = [0, 1, 0x007fffff, 0x00800000, 0x00800001, 0x33800000, 0x34000000, 0x3effffff,
  0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40400000, 0x4b000000, 0x4b7fffff,
  0x4b800000, 0x4effffff, 0x4f000000, 0x5f000000, 0x7e800000, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000];
// prettier-ignore
const EDGES_64 = [0, 1, 0x000fffff, 0x00100000, 0x36a00000, 0x37f00000, 0x3c900000, 0x3ca00000,
  0x3fdfffff, 0x3fe00000, 0x3fefffff, 0x3ff00000, 0x40000000, 0x41dfffff, 0x41e00000, 0x43300000, 0x43e00000,
  0x43f00000, 0x47efffff, 0x47f00000, 0x7fdfffff, 0x7fe00000, 0x7fefffff, 0x7ff00000, 0x7ff80000];

export interface Generator {
  /** 32 random bits, unsigned. */
  readonly draw: () => number;
}

/** Marsaglia's xorshift32. */
export function generator(seed: number): Generator {
  let state = seed | 0;
  return {
    draw: () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    },
  };
}

const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);
const join = (high: number, low: number): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);

/** Bits of an f32, as a uint32. */
export function operand32({ draw }: Generator): number {
  const kind = draw() % 8;
  const sign = draw() & 0x80000000;
  const r = draw();
  if (kind === 0) return (sign | EDGES_32[r % EDGES_32.length]!) >>> 0;
  if (kind === 1) return r;
  if (kind === 2) return (sign | f32ToBits(r % 1001)) >>> 0;
  if (kind === 3) return (sign | (r & 0x007fffff)) >>> 0;
  if (kind === 4) return (sign | ((240 + (r % 15)) << 23) | (draw() & 0x007fffff)) >>> 0;
  const fraction = kind === 5 ? 0x007ff000 : 0x007fffff;
  return (sign | ((107 + (r % 41)) << 23) | (draw() & fraction)) >>> 0;
}

function withExponent32({ draw }: Generator, exponent: number): number {
  return ((draw() & 0x807fffff) | (clamp(exponent, 0, 254) << 23)) >>> 0;
}

const exponent32 = (bits: number): number => (bits >>> 23) & 255;

// A few places off a power of two: such products are close to half a place of c, where rounding twice is wrong.
function nearPower32({ draw }: Generator, exponent: number): number {
  const r = draw();
  return (((exponent << 23) + (r & 15) - 8) | (r & 0x80000000)) >>> 0;
}

/** Bits of three f32, often in a relation that is hard to round. */
export function triple32(from: Generator): readonly [number, number, number] {
  let a = operand32(from);
  let b = operand32(from);
  let c = operand32(from);
  const tweak = from.draw() % 8;
  const r = from.draw();
  const product = f32ToBits(Math.fround(f32FromBits(a) * f32FromBits(b)));
  const isNaNProduct = product === 0x7fffffff;
  if (tweak === 0) c = isNaNProduct ? 0x7fffffff : (product ^ 0x80000000) >>> 0;
  if (tweak === 1) c = withExponent32(from, exponent32(a) + exponent32(b) - 127 + (r % 61) - 30);
  if (tweak === 2) b = withExponent32(from, exponent32(a) + (r % 61) - 30);
  if (tweak === 3) c = isNaNProduct ? 0x7fffffff : (product ^ 0x80000000 ^ (r & 3)) >>> 0;
  if (tweak === 4) b = withExponent32(from, 127 - exponent32(a) + (r % 61) - 10);
  if (tweak === 5) {
    a = nearPower32(from, 100 + (r % 50));
    b = nearPower32(from, 100 + ((r >>> 8) % 50));
    c = withExponent32(from, exponent32(a) + exponent32(b) - 127 + 22 + ((r >>> 16) % 4));
  }
  if (tweak === 6) {
    a = nearPower32(from, 60);
    b = nearPower32(from, 42 + (r % 4));
    c = withExponent32(from, 0);
  }
  return [a, b, c];
}

function lowWord({ draw }: Generator): number {
  const kind = draw() % 4;
  const r = draw();
  return kind === 0 ? 0 : kind === 1 ? r & 3 : kind === 2 ? (r << 20) >>> 0 : r;
}

/** Bits of an f64. */
export function operand64(from: Generator): bigint {
  const { draw } = from;
  const kind = draw() % 8;
  const sign = draw() & 0x80000000;
  const r = draw();
  const low = lowWord(from);
  if (kind === 0) return join(sign | EDGES_64[r % EDGES_64.length]!, (low & 1) !== 0 ? 0xffffffff : 0);
  if (kind === 1) return join(r, low);
  if (kind === 2) return join(sign, 0) | f64ToBits(r % 1001);
  if (kind === 3) return join(sign | (r & 0x000fffff), low);
  if (kind === 4) return join(sign | ((2020 + (r % 27)) << 20) | (draw() & 0x000fffff), low);
  if (kind === 5) return join(sign | ((870 + (r % 301)) << 20) | (draw() & 0x000fffff), low);
  return join(sign | ((993 + (r % 61)) << 20) | (draw() & 0x000fffff), low);
}

function withExponent64(from: Generator, exponent: number): bigint {
  const high = (from.draw() & 0x800fffff) | (clamp(exponent, 0, 2046) << 20);
  return join(high, lowWord(from));
}

const exponent64 = (bits: bigint): number => Number((bits >> 52n) & 2047n);

function nearPower64({ draw }: Generator, exponent: number): bigint {
  const r = draw();
  return ((BigInt(exponent) << 52n) + BigInt((r & 15) - 8)) | (BigInt(r >>> 31) << 63n);
}

/** Bits of three f64, often in a relation that is hard to round. */
export function triple64(from: Generator): readonly [bigint, bigint, bigint] {
  let a = operand64(from);
  let b = operand64(from);
  let c = operand64(from);
  const tweak = from.draw() % 8;
  const r = from.draw();
  const product = f64FromBits(a) * f64FromBits(b);
  const negated = Number.isNaN(product) ? f64ToBits(NaN) : f64ToBits(-product);
  if (tweak === 0) c = negated;
  if (tweak === 1) c = withExponent64(from, exponent64(a) + exponent64(b) - 1023 + (r % 221) - 110);
  if (tweak === 2) b = withExponent64(from, exponent64(a) + (r % 121) - 60);
  if (tweak === 3) c = Number.isNaN(product) ? negated : negated ^ BigInt(r & 3);
  if (tweak === 4) b = withExponent64(from, 1023 - exponent64(a) + (r % 221) - 50);
  if (tweak === 5 || tweak === 6) {
    a = nearPower64(from, tweak === 5 ? 1000 + (r % 50) : 500);
    b = nearPower64(from, tweak === 5 ? 1000 + ((r >>> 8) % 50) : 470 + ((r >>> 8) % 4));
    c = withExponent64(from, exponent64(a) + exponent64(b) - 1023 + 51 + ((r >>> 16) % 4));
  }
  return [a, b, c];
}

/** A 64-bit integer that is hard to round, unsigned. */
export function operandInteger(from: Generator): bigint {
  const { draw } = from;
  const kind = draw() % 3;
  const r = draw();
  const shift = draw();
  if (kind === 0) return join(r, draw()) >> BigInt(shift % 64);
  if (kind === 1) {
    const midpoint = BigInt(((r >>> 7) | 0x1000001) >>> 0) << BigInt(shift % 40);
    return BigInt.asUintN(64, midpoint + BigInt(draw() % 3) - 1n);
  }
  const midpoint = ((join(r, draw()) >> 10n) | (1n << 53n) | 1n) << BigInt(shift % 11);
  return BigInt.asUintN(64, midpoint + BigInt(draw() % 3) - 1n);
}

/** The double that the convert set converts. */
export function operandToConvert(from: Generator): number {
  const x = f64FromBits(operand64(from));
  if (from.draw() % 2 === 0) return x;
  const integer = f64ToBits(Number(BigInt.asIntN(64, operandInteger(from))));
  const odd = f64FromBits(integer | BigInt(lowWord(from) % 2));
  return odd / (from.draw() % 2 !== 0 ? 2 : 65536);
}

/** Bits of a half. */
export function operandHalf({ draw }: Generator, format: SmallFloat): number {
  const kind = draw() % 4;
  const r = draw();
  if (kind === 0) return r & 0xffff;
  const sign = r & 0x8000;
  if (kind === 1) return sign | [format.maxFinite, format.infinity, 1 << format.mantissaBits, 3, 4][r % 5]!;
  const one = (1 - format.minExponent) << format.mantissaBits;
  return (sign | (one + (r & 0x1fff) - 0x1000)) & 0xffff;
}

/** A double near the ranges of the small formats. */
export function operandToNarrow(from: Generator): number {
  const { draw } = from;
  const kind = draw() % 4;
  const r = draw();
  const bits = draw();
  const fraction = bits & (0xfffff << (draw() % 21)) & 0xfffff;
  const exponents = [1023 - 20 + (r % 40), 1023 - 150 + (r % 300), 1023 - 4 + (r % 8), 990 + (r % 60)];
  const x = f64FromBits(join((r & 0x80000000) | (exponents[kind]! << 20) | fraction, lowWord(from)));
  return draw() % 16 === 0 ? f32FromBits(operand32(from)) : x;
}
