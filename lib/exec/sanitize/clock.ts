// Vector clocks of a grid's threads: for each other thread, the last of its steps that happened before. Most threads agree about
// most others, so a clock is an immutable tree of fan-out 32 (lanes, warps of a block, blocks): clocks share equal subtrees, and
// a number represents a subtree whose threads all have it.
// (Rejected: an array for each thread. A grid of 10^5 threads would need 10^10 numbers.)

/** A clock: a number for all threads of a subtree, or its children. */
export type Clock = number | readonly Clock[];

const FAN_BITS = 5;
const FAN = 32;

/** For each thread the larger of the two clocks. Returns one of the two if it covers the other. */
export function joinClocks(a: Clock, b: Clock): Clock {
  if (a === b) return a;
  if (typeof a === "number") {
    if (a === 0) return b;
    if (typeof b === "number") return Math.max(a, b);
  } else if (b === 0) return a;
  let isA = true;
  let isB = true;
  const children: Clock[] = [];
  for (let i = 0; i < FAN; i++) {
    const one = typeof a === "number" ? a : a[i]!;
    const other = typeof b === "number" ? b : b[i]!;
    const both = joinClocks(one, other);
    isA &&= both === one;
    isB &&= both === other;
    children.push(both);
  }
  if (isA && typeof a !== "number") return a;
  if (isB && typeof b !== "number") return b;
  return children;
}

/** The step up to which thread `key` is known. */
export function clockAt(clock: Clock, levels: number, key: number): number {
  let shift = FAN_BITS * (levels - 1);
  let node = clock;
  while (typeof node !== "number") {
    node = node[(key >>> shift) & (FAN - 1)]!;
    shift -= FAN_BITS;
  }
  return node;
}

/** The step up to which all threads of the warp of `key` are known. */
export function warpClockAt(clock: Clock, levels: number, key: number): number {
  let shift = FAN_BITS * (levels - 1);
  let node = clock;
  while (typeof node !== "number" && shift > 0) {
    node = node[(key >>> shift) & (FAN - 1)]!;
    shift -= FAN_BITS;
  }
  if (typeof node === "number") return node;
  let least = Infinity;
  for (const lane of node) least = Math.min(least, lane as number);
  return least;
}

/**
 * The clock with `node` joined in at the subtree of `key` that is `height` levels above the lanes: 0 a thread, 1 a warp, 2 a
 * block.
 */
export function withNode(clock: Clock, levels: number, key: number, height: number, node: Clock): Clock {
  if (levels === height) return joinClocks(clock, node);
  const at = (key >>> (FAN_BITS * (levels - 1))) & (FAN - 1);
  const child = typeof clock === "number" ? clock : clock[at]!;
  const changed = withNode(child, levels - 1, key, height, node);
  if (changed === child) return clock;
  const children = typeof clock === "number" ? new Array<Clock>(FAN).fill(clock) : clock.slice();
  children[at] = changed;
  return children;
}

/** Levels for that many blocks, and as many again for objects that are not threads (mbarriers). */
export function levelsFor(blocks: number): number {
  let levels = 2;
  for (let room = 1; room < 2 * blocks && levels < 6; room *= FAN) levels++;
  return levels;
}

/** The joined clocks of threads that have arrived, and, by scope, those of their fences. */
export interface BarrierArrivals {
  known: Clock;
  readonly fenced: Clock[];
}

/** The joined clocks of threads that have arrived in the open phase, and in the one before it. */
export interface ClusterArrivals {
  open: Clock;
  complete: Clock;
}
