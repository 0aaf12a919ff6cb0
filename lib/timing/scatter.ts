// Where lines go.

/** Spreads line numbers over slices and channels, whatever their stride: the finaliser of MurmurHash3. */
export function scatter(line: number): number {
  let hash = (line % 2 ** 32) ^ Math.floor(line / 2 ** 32);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Neighbours of a line, which lie in places of their own as long as there are enough. */
const NEIGHBOURS = 64;

/** One of `places`: neighbouring lines go to different ones, groups of them to any. */
export function spread(line: number, places: number): number {
  return (scatter(Math.floor(line / NEIGHBOURS)) + (line % NEIGHBOURS)) % places;
}
