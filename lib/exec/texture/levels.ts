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

/**
 * The level for gradients in texels, in the two directions: the logarithm of the longest axis of the ellipse that they span.
 * Hardware is within 30/256 of it.
 */
export function gradientLevel(x: Float64Array, y: Float64Array, dimensions: number): number {
  let [xx, yy, xy] = [0, 0, 0];
  for (let d = 0; d < dimensions; d++) {
    xx += x[d]! * x[d]!;
    yy += y[d]! * y[d]!;
    xy += x[d]! * y[d]!;
  }
  // The larger eigenvalue of the matrix of products.
  const middle = (xx + yy) / 2;
  const longest = middle + Math.sqrt(Math.max(0, ((xx - yy) / 2) ** 2 + xy * xy));
  if (longest !== longest) return 0;
  return Math.floor(128 * Math.log2(longest) + 0.75);
}
