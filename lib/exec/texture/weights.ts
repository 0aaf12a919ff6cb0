// Weights of a linear filter: integers that sum to a given total, which is 256 for one level. docs/textures.md, "Filtering".

const halfUp = (x: number): number => (x + 128) >> 8;
const halfDown = (x: number): number => (x + 127) >> 8;

/** The share of `total` for the second of two slices; `c` is in 1/256. */
export const upperShare = (total: number, c: number): number => halfUp(total * c);

/**
 * Divides `total` among four texels, x fastest, by the fractions a of x and b of y in 1/256. Writes the shares to `into` from
 * `at` on. In one dimension, b is 0.
 */
export function share(total: number, a: number, b: number, into: Int32Array, at: number): void {
  const right = halfUp(total * a);
  const left = total - right;
  const lowerRight = halfUp(right * b);
  const lowerLeft = halfDown(left * b);
  into[at] = left - lowerLeft;
  into[at + 1] = right - lowerRight;
  into[at + 2] = lowerLeft;
  into[at + 3] = lowerRight;
}

/**
 * Distributes the weight of a corner that a cube does not have: a third to each of its neighbours, the rest to the texel across.
 */
export function spreadCorner(weights: Int32Array, at: number, corner: number): void {
  const w = weights[at + corner]!;
  const third = Math.floor((2 * w + 3) / 6);
  weights[at + corner] = 0;
  weights[at + (corner ^ 1)]! += third;
  weights[at + (corner ^ 2)]! += third;
  weights[at + (corner ^ 3)]! += w - 2 * third;
}
