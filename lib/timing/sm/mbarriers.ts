// Replays the mbarriers of a block: the cycles of arrivals and copies, and the warps that wait for a number of them.

import type { Warp, Mbarrier, Mbarriers } from "./sm-state.js";

export function mbarrierAt(barriers: Mbarriers, offset: number): Mbarrier {
  let found = barriers.get(offset);
  if (found === undefined) {
    found = { arrivals: [], copies: [], waiting: [] };
    barriers.set(offset, found);
  }
  return found;
}

/** Adds an event to `list`, at `at` or at the previous one if that is later. */
export function add(list: number[], at: number): void {
  list.push(Math.max(at, list.at(-1) ?? 0));
}

/** The cycle at which so many arrivals and copies are complete; Infinity if not all of them have begun. */
export function readyAt(barrier: Mbarrier, arrivals: number, copies: number): number {
  if (barrier.arrivals.length < arrivals || barrier.copies.length < copies) return Infinity;
  return Math.max(arrivals === 0 ? 0 : barrier.arrivals[arrivals - 1]!, copies === 0 ? 0 : barrier.copies[copies - 1]!);
}

/** Removes and returns the waits that are now ready. */
export function takeReady(barrier: Mbarrier): readonly { readonly warp: Warp; readonly ready: number }[] {
  if (barrier.waiting.length === 0) return [];
  const all = barrier.waiting.map((wait) => ({ wait, ready: readyAt(barrier, wait.arrivals, wait.copies) }));
  barrier.waiting = all.filter(({ ready }) => ready === Infinity).map(({ wait }) => wait);
  return all.flatMap(({ wait, ready }) =>
    ready === Infinity ? [] : [{ warp: wait.warp, ready: Math.max(ready, wait.at) }],
  );
}
