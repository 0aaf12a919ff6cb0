// Sums of a linear filter, one function for each way of adding a format: docs/textures.md, "Filtering". Values are in slices of
// four, each of one plane or one level. All weights sum to 256, and a texel of weight 0 is ignored. Results are bits of an f32.
// All arithmetic is exact in doubles; if two slices differ too much in magnitude for one double, a second holds the rest.

import { exponentOf, f32ToBits, isNegative, nextDownF32, nextUpF32, powerOfTwo } from "../../base/num/bits.js";

export const SLICE = 4;

/** Weighted sum of `count` values; returns bits of an f32. */
export type Sum = (values: Float64Array, weights: Int32Array, count: number) => number;

const MIN_NORMAL = 2 ** -126;

/** NaN that sums of f16 return. */
const F16_NAN_BITS = 0x7fffe000;

/**
 * An infinity if all values that are not finite are equal to it, NaN if they differ. 0 if all values with a weight are finite.
 */
function special(values: Float64Array, weights: Int32Array, count: number): number {
  let found = 0;
  for (let k = 0; k < count; k++) {
    const v = values[k]!;
    if (weights[k] === 0 || (v < Infinity && v > -Infinity)) continue;
    found = found === 0 || found === v ? v : NaN;
  }
  return found;
}

/** Largest magnitude in a slice, among values with a weight and a magnitude of at least `least`. */
function largest(values: Float64Array, weights: Int32Array, at: number, least: number): number {
  let most = 0;
  for (let k = at; k < at + SLICE; k++) {
    const size = Math.abs(values[k]!);
    if (weights[k] !== 0 && size >= least && size > most) most = size;
  }
  return most;
}

/** Weighted sum of a slice whose texels are cut toward zero to multiples of `unit`. */
function cutSum(values: Float64Array, weights: Int32Array, at: number, unit: number, least: number): number {
  let sum = 0;
  for (let k = at; k < at + SLICE; k++) {
    const v = values[k]!;
    if (weights[k] !== 0 && Math.abs(v) >= least) sum += weights[k]! * Math.trunc(v / unit);
  }
  return sum * unit;
}

/** The zero that a sum of zeros returns: -0 if all values with a weight are negative. */
function zeroOf(values: Float64Array, weights: Int32Array, count: number): number {
  for (let k = 0; k < count; k++) if (weights[k] !== 0 && !isNegative(values[k]!)) return 0;
  return -0;
}

/** The f32 nearest to high + low, ties away from zero; |low| is below half a unit of high's last place. */
function roundAway(high: number, low: number): number {
  if (high < 0) return -roundAway(-high, -low);
  const nearest = Math.fround(high);
  const rest = high - nearest;
  if (rest === 0) return nearest;
  const above = rest > 0 ? nextUpF32(nearest) : nearest;
  const below = rest > 0 ? nearest : nextDownF32(nearest);
  if (high - below !== above - high) return nearest;
  return low >= 0 ? above : below;
}

/** Texels keep 28 bits, counted from the leading bit of their slice's largest; subnormal texels and results are 0. */
const sumF32: Sum = (values, weights, count) => {
  const found = special(values, weights, count);
  if (found !== 0) return f32ToBits(found);
  let high = 0;
  let low = 0;
  for (let at = 0; at < count; at += SLICE) {
    const most = largest(values, weights, at, MIN_NORMAL);
    if (most === 0) continue;
    const part = cutSum(values, weights, at, powerOfTwo(exponentOf(most) - 27), MIN_NORMAL);
    const sum = high + part;
    const back = sum - high;
    low += high - (sum - back) + (part - back);
    high = sum;
  }
  const sum = high + low;
  if (sum === 0) return f32ToBits(zeroOf(values, weights, count));
  const result = roundAway(sum / 256, (low - (sum - high)) / 256);
  return f32ToBits(Math.abs(result) < MIN_NORMAL ? 0 * result : result);
};

/** Rounds to f16, ties away from zero; subnormals stay. */
function roundToF16(x: number): number {
  const size = Math.abs(x);
  if (size === 0) return 0;
  const unit = powerOfTwo(Math.max(exponentOf(size), -14) - 10);
  return Math.sign(x) * Math.floor(size / unit + 0.5) * unit;
}

/** Texels keep 15 bits, counted from the leading bit of their slice's largest, and the sum is an f16. */
const sumF16: Sum = (values, weights, count) => {
  const found = special(values, weights, count);
  if (found !== 0) return found === found ? f32ToBits(found) : F16_NAN_BITS;
  let sum = 0;
  for (let at = 0; at < count; at += SLICE) {
    const most = largest(values, weights, at, 0);
    if (most !== 0) sum += cutSum(values, weights, at, powerOfTwo(exponentOf(most) - 14), 0);
  }
  return f32ToBits(sum === 0 ? zeroOf(values, weights, count) : roundToF16(sum / 256));
};

/** Colours of sRGB keep 8 bits, counted from the leading bit of 16/15 of the largest, and the sum is an f16. */
const sumSrgb: Sum = (values, weights, count) => {
  let sum = 0;
  for (let at = 0; at < count; at += SLICE) {
    const most = largest(values, weights, at, 0);
    if (most !== 0) sum += cutSum(values, weights, at, powerOfTwo(exponentOf((most * 16) / 15) - 7), 0);
  }
  return f32ToBits(roundToF16(sum / 256));
};

function total(values: Float64Array, weights: Int32Array, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += weights[k]! * values[k]!;
  return sum;
}

/** The sum of 8-bit values is widened to 16 bits. */
const sumU8: Sum = (values, weights, count) =>
  f32ToBits(Math.fround(((total(values, weights, count) * 257 + 128) >> 8) / 65535));

const sumS8: Sum = (values, weights, count) => {
  const s = total(values, weights, count);
  return f32ToBits(Math.fround(Math.max(-1, (s + (((s >> 4) + (s >> 12) + 4) >> 3)) / 32767)));
};

const sumU16: Sum = (values, weights, count) =>
  f32ToBits(Math.fround(((total(values, weights, count) + 128) >> 8) / 65535));

const sumS16: Sum = (values, weights, count) =>
  f32ToBits(Math.fround(Math.max(-1, ((total(values, weights, count) + 128) >> 8) / 32767)));

/** Sum of comparison results, each 0 or 1. */
export const sumCompared: Sum = (values, weights, count) => f32ToBits(total(values, weights, count) / 256);

/** Sums by format. Formats that are never filtered have none. */
export const sums: Readonly<Partial<Record<string, Sum>>> = {
  f32: sumF32,
  f16: sumF16,
  u8: sumU8,
  s8: sumS8,
  u16: sumU16,
  s16: sumS16,
  srgb: sumSrgb,
};
