// Maps a coordinate of one dimension to texels by Hopper's rules (docs/textures.md, "Coordinates"). The arithmetic is exact: a
// coordinate has 24 bits, an extent at most 28.

/** Addressing modes by name. */
export const MODE = { clamp: 0, border: 1, wrap: 2, mirror: 3 } as const;

/** Texel index outside an image with a border. */
export const BORDER = -1;

/** From here on, f32s are whole numbers that may be more than a texel apart. */
const WHOLE = 2 ** 24;

const LARGE = 2 ** 64;

/** Converts a coordinate to texels. A normalised coordinate is rounded to 24 bits, but never to infinity. NaN becomes 0. */
export function inTexels(x: number, n: number, normalized: boolean): number {
  if (x !== x) return 0;
  if (!normalized) return x;
  const u = x * n;
  // Beyond the largest f32, the rounding unit has more exponent range.
  return Math.abs(u) < LARGE || Math.abs(x) === Infinity ? Math.fround(u) : Math.fround(u / LARGE) * LARGE;
}

/** The texel that index i maps to in an extent of n, or BORDER. */
export function fold(i: number, n: number, mode: number): number {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case MODE.clamp:
      return i < 0 ? 0 : n - 1;
    case MODE.border:
      return BORDER;
    case MODE.wrap:
      return ((i % n) + n) % n;
    default: {
      const p = ((i % (2 * n)) + 2 * n) % (2 * n);
      return p < n ? p : 2 * n - 1 - p;
    }
  }
}

/** The texel of a fetch without filter. `u` is in texels; `offset` is added to the texel's index. */
export function pointTexel(u: number, n: number, mode: number, offset: number): number {
  if (u === Infinity || u === -Infinity) {
    if (mode === MODE.border) return BORDER;
    return mode === MODE.clamp && u > 0 ? n - 1 : 0;
  }
  return fold(Math.floor(u) + offset, n, mode);
}

/**
 * Finds the two texels of a linear fetch and the fraction of the second in 1/256, and writes them to `into` from `at` on. A
 * gather folds each texel separately. A filter that clamps has fraction 0 outside the image.
 */
export function linearTexels(
  u: number,
  n: number,
  mode: number,
  offset: number,
  gathers: boolean,
  into: Int32Array,
  at: number,
): void {
  let x = u;
  if (u === Infinity || u === -Infinity) x = mode === MODE.clamp ? (u > 0 ? n : 0) : mode === MODE.border ? -1 : 0;
  // The remainder is exact, and it folds to the same texels.
  else if (mode >= MODE.wrap && Math.abs(x) >= WHOLE) x %= 2 * n;
  const position = Math.floor(x * 256 + 0.5) - 128 + 256 * offset;
  const q = mode === MODE.clamp && !gathers ? clampedPosition(position, n) : position;
  const first = Math.floor(q / 256);
  into[at] = fold(first, n, mode);
  into[at + 1] = fold(first + 1, n, mode);
  into[at + 2] = q - 256 * first;
}

/** Clamps a position, in 1/256 texels from the first texel's centre, to the range between the first and the last centre. */
export const clampedPosition = (position: number, n: number): number => Math.max(0, Math.min((n - 1) * 256, position));
