// The mapping of lines to slices and channels. Line numbers are integers below 2^53. Remainders are computed by a division,
// because `%` on numbers beyond 32 bits calls the C library.

/** The remainder of a whole number by a divisor below 2^31. */
export function remainder(value: number, divisor: number): number {
  const rest = value - Math.floor(value / divisor) * divisor;
  if (rest < 0) return rest + divisor;
  return rest >= divisor ? rest - divisor : rest;
}

/** Spreads line numbers over slices and channels, whatever their stride: the finaliser of MurmurHash3. */
export function scatter(line: number): number {
  let hash = line ^ Math.floor(line / 2 ** 32);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Number of neighbouring lines that are mapped to distinct targets, as long as there are enough. */
const NEIGHBOURS = 64;

/** One of `places`: neighbouring lines get different ones, groups of them any. */
export function spread(line: number, places: number): number {
  return remainder(scatter(Math.floor(line / NEIGHBOURS)) + (line & (NEIGHBOURS - 1)), places);
}
