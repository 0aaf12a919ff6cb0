// Which mip level a fetch reads: docs/textures.md, "Levels". Levels are in 1/256.

/** Cut toward zero; NaN is 0. */
export const inLevels = (lod: number): number => (lod === lod ? Math.trunc(lod * 256) : 0);

/** What a texture says of levels, each cut to 1/256 already; `last` level of the image. */
export interface LevelLimits {
  readonly bias: number;
  readonly min: number;
  readonly max: number;
  readonly last: number;
}

export function levelOf(lod: number, { bias, min, max, last }: LevelLimits): number {
  return Math.max(0, Math.min(256 * last, Math.max(min, Math.min(max, lod + bias))));
}

/** A length without a root: the largest component, and a part of the others. */
const OTHERS = 11 / 32;
/** Of the sum and the difference of two gradients, which lie at half the angle between their ellipse's axes. */
const DIAGONAL = 11 / 16;

/** The length of x + sign * y as hardware measures it; `sign` 0: of x. */
function lengthOf(x: Float64Array, y: Float64Array, sign: number, dimensions: number): number {
  let most = 0;
  let sum = 0;
  for (let d = 0; d < dimensions; d++) {
    const size = Math.abs(sign === 0 ? x[d]! : x[d]! + sign * y[d]!);
    most = Math.max(most, size);
    sum += size;
  }
  return most + OTHERS * (sum - most);
}

/**
 * The level for gradients in texels, in the two directions: the logarithm of the longest of both, and of their sum and difference
 * drawn in. The H200's is this or 1/256 beside it.
 */
export function gradientLevel(x: Float64Array, y: Float64Array, dimensions: number): number {
  const longest = Math.max(
    lengthOf(x, y, 0, dimensions),
    lengthOf(y, x, 0, dimensions),
    DIAGONAL * lengthOf(x, y, 1, dimensions),
    DIAGONAL * lengthOf(x, y, -1, dimensions),
  );
  return longest === longest ? Math.floor(256 * Math.log2(longest) + 0.25) : 0;
}
