// Replays mbarriers of a block: when arrivals and copies came, and which warps wait for how many of them.

import type { Warp, Mbarrier, Mbarriers } from "./sm-state.js";

export function mbarrierAt(barriers: Mbarriers, offset: number): Mbarrier {
  let found = barriers.get(offset);
  if (found === undefined) {
    found = { arrivals: [], copies: [], waiting: [] };
    barriers.set(offset, found);
  }
  return found;
}

/** One more of `list`, at `at` or when the last one before it came. */
export function add(list: number[], at: number): void {
  list.push(Math.max(at, list.at(-1) ?? 0));
}

/** When so many arrivals and copies have come; Infinity when not all of them have begun. */
export function readyAt(barrier: Mbarrier, arrivals: number, copies: number): number {
  if (barrier.arrivals.length < arrivals || barrier.copies.length < copies) return Infinity;
  return Math.max(arrivals === 0 ? 0 : barrier.arrivals[arrivals - 1]!, copies === 0 ? 0 : barrier.copies[copies - 1]!);
}

/** Takes out the waits that something new has made ready. */
export function takeReady(barrier: Mbarrier): readonly { readonly warp: Warp; readonly ready: number }[] {
  if (barrier.waiting.length === 0) return [];
  const all = barrier.waiting.map((wait) => ({ wait, ready: readyAt(barrier, wait.arrivals, wait.copies) }));
  barrier.waiting = all.filter(({ ready }) => ready === Infinity).map(({ wait }) => wait);
  return all.flatMap(({ wait, ready }) =>
    ready === Infinity ? [] : [{ warp: wait.warp, ready: Math.max(ready, wait.at) }],
  );
}
