// --shuffle-sections and --reverse-sections (of mold and lld): modules' data in another order than the command line's. Names keep
// their meaning, so a program whose result changes depends on the addresses of its variables.

export type SectionOrder =
  { readonly kind: "reversed" } | { readonly kind: "shuffled"; /** A 32-bit integer. */ readonly seed: number };

/** The items in the requested order; a seed gives the same order on every host. */
export function inOrder<T>(items: readonly T[], order: SectionOrder | undefined): readonly T[] {
  if (order === undefined) return items;
  if (order.kind === "reversed") return items.toReversed();
  const shuffled = [...items];
  const next = generator(order.seed);
  // The Fisher-Yates shuffle, in the form of Durstenfeld (1964).
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  return shuffled;
}

/** Pseudo-random numbers in [0, 1): a Weyl sequence, finalised like MurmurHash3. */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e37_79b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
