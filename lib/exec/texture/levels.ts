// Selection of the mip level that a fetch reads: docs/textures.md, "Levels". Levels are in units of 1/256.

import { levelLogarithms } from "./level-logarithms.table.js";

/** Converts a level to units of 1/256, cut toward zero. NaN becomes 0. */
export const inLevels = (lod: number): number => (lod === lod ? Math.trunc(lod * 256) : 0);

/** Limits of a texture's levels, already in units of 1/256; `last` is the image's last level. */
export interface LevelLimits {
  readonly bias: number;
  readonly min: number;
  readonly max: number;
  readonly last: number;
}

export function levelOf(lod: number, { bias, min, max, last }: LevelLimits): number {
  return Math.max(0, Math.min(256 * last, Math.max(min, Math.min(max, lod + bias))));
}

// ------------------------------------------------------------------------------------------------------------ gradients
// Numbers have ten significant bits here. A length is computed without a root: the largest component plus 11/32 of the others.
// The sum and the difference of two gradients, which lie at half the angle between their ellipse's axes, are weighted with 11/16.

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/** Cuts toward zero to 10 significant bits. */
function cut(value: number): number {
  double[0] = value;
  words[1]! &= ~0x7ff;
  words[0] = 0;
  return double[0];
}

/** Value of the last of `bits` fraction bits of a number that is not 0. */
function unitOf(value: number, bits: number): number {
  double[0] = value;
  words[1]! &= 0x7ff00000;
  words[0] = 0;
  return double[0] / 2 ** bits;
}

/** 11/8 of a magnitude, rounded to nearest at its tenth bit; ties round up. */
function elevenEighths(magnitude: number): number {
  const whole = cut(magnitude);
  if (whole === 0) return 0;
  const unit = unitOf(whole, 9);
  return Math.floor((11 * (whole / unit) + 4) / 8) * unit;
}

/** Sum of a and b, each cut at the eleventh bit of the larger. */
function sum(a: number, b: number): number {
  const larger = Math.max(Math.abs(a), Math.abs(b));
  if (larger === 0) return 0;
  const unit = unitOf(larger, 10);
  return (Math.trunc(a / unit) + Math.trunc(b / unit)) * unit;
}

/** Length of x if `sign` is 0, otherwise 11/16 of the length of x + sign * y. */
function lengthOf(x: Float64Array, y: Float64Array, sign: number, dimensions: number): number {
  let most = 0;
  let all = 0;
  for (let d = 0; d < dimensions; d++) {
    const size = sign === 0 ? Math.abs(x[d]!) : elevenEighths(Math.abs(sum(cut(x[d]!), sign * cut(y[d]!)))) / 2;
    const part = elevenEighths(size) / 4;
    const whole = cut(size);
    if (whole > most) {
      all += elevenEighths(most) / 4;
      most = whole;
    } else all += part;
  }
  return most + all;
}

/** 256 times the binary logarithm of a length, from its nine upper bits. */
function logarithm(length: number): number {
  double[0] = length;
  return 256 * ((words[1]! >>> 20) - 1023) + levelLogarithms[(words[1]! >>> 12) & 0xff]!;
}

/**
 * Level for the gradients of two directions, in texels. For one gradient, and for two at right angles, it is sm_90's level. For
 * any two gradients, 99 in 100 results are sm_90's, and the others differ by at most 2/256
 * (testdata/hardware/h200/memory/gradients.json).
 */
export function gradientLevel(x: Float64Array, y: Float64Array, dimensions: number): number {
  const longest = Math.max(
    lengthOf(x, y, 0, dimensions),
    lengthOf(y, x, 0, dimensions),
    lengthOf(x, y, 1, dimensions),
    lengthOf(x, y, -1, dimensions),
  );
  if (longest !== longest || longest === Infinity) return longest === Infinity ? 256 * 1024 : 0;
  return longest === 0 ? -256 * 1024 : logarithm(longest);
}
