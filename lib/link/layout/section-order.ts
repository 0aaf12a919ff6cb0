// --shuffle-sections and --reverse-sections (mold's and lld's): modules' data in another order than the command line's. Names
// keep their meaning; a program whose result changes depends on the addresses of its variables.

export type SectionOrder =
  { readonly kind: "reversed" } | { readonly kind: "shuffled"; /** 32 bits. */ readonly seed: number };

/** The items in that order; the same seed gives the same order everywhere. */
export function inOrder<T>(items: readonly T[], order: SectionOrder | undefined): readonly T[] {
  if (order === undefined) return items;
  if (order.kind === "reversed") return items.toReversed();
  const shuffled = [...items];
  const next = generator(order.seed);
  // Fisher and Yates, in the form of Durstenfeld (1964).
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  return shuffled;
}

/** Numbers from 0 to below 1: a Weyl sequence, mixed as MurmurHash3 ends. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e37_79b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
