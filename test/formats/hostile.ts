// A mutator of bytes, for damaged and hostile files. One seed gives the same bytes everywhere.

/** Numbers from 0 to 2^32 - 1 from a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Values at which size and index computations break. */
const EDGES = [0n, 1n, 0x7fn, 0xffn, 0xffffn, 0xff00n, 0x7fff_ffffn, 0xffff_ffffn, 1n << 53n, (1n << 63n) - 1n, ~0n];

/** `count` damaged copies of `bytes`, each with one to eight changes; half of the changes hit the first kilobyte. */
export function* mutations(bytes: Uint8Array, seed: number, count: number): Generator<Uint8Array> {
  const random = randomNumbers(seed);
  const below = (limit: number) => (limit === 0 ? 0 : random() % limit);
  for (let i = 0; i < count; i++) {
    let copy = Uint8Array.from(bytes);
    const changes = 1 + below(8);
    for (let change = 0; change < changes; change++) {
      const at = below(2) === 0 ? below(Math.min(1024, copy.length)) : below(copy.length);
      const view = new DataView(copy.buffer);
      const edge = EDGES[below(EDGES.length)]!;
      switch (below(6)) {
        case 0:
          copy[at]! ^= 1 << below(8);
          break;
        case 1:
          copy[at] = below(256);
          break;
        case 2:
          if (at + 4 <= copy.length) view.setUint32(at & ~3, Number(BigInt.asUintN(32, edge)), true);
          break;
        case 3:
          if ((at & ~7) + 8 <= copy.length) view.setBigUint64(at & ~7, BigInt.asUintN(64, edge), true);
          break;
        case 4:
          copy.copyWithin(at, below(copy.length), below(copy.length));
          break;
        default:
          if (below(4) === 0) copy = copy.slice(0, at);
      }
    }
    yield copy;
  }
}

/** The bytes cut off at each multiple of `step`. */
export function* truncations(bytes: Uint8Array, step: number): Generator<Uint8Array> {
  for (let size = 0; size < bytes.length; size += step) yield bytes.slice(0, size);
}
