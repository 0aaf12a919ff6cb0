// Numbers from a seed: xorshift32. The same everywhere, which is all that a recorded experiment needs.

export interface Random {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  /** One of the items; undefined of none. */
  pick<T>(items: readonly T[]): T | undefined;
}

export function randomFrom(seed: number): Random {
  let state = (seed * 2654435761) >>> 0 || 1;
  const below = (bound: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % bound;
  };
  return { below, pick: (items) => (items.length === 0 ? undefined : items[below(items.length)]) };
}
