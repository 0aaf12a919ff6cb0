// The reasons why a warp did not issue: the names of Nsight Compute's warp states. Each cycle in which a warp is resident
// counts for exactly one.

export const stallNames = [
  /** The warp issued. */
  "selected",
  /** The warp could have issued; another one of the sub-core did. */
  "not_selected",
  /** A result of fixed latency. */
  "wait",
  /** A result from global or local memory (L1TEX). */
  "long_scoreboard",
  /** A result of variable latency from elsewhere: shared memory, constants, transcendentals, shuffles. */
  "short_scoreboard",
  /** The pipe was busy. */
  "math_pipe_throttle",
  /** The queue to the memory path was full, for something other than global or local memory. */
  "mio_throttle",
  /** The same, for global or local memory. */
  "lg_throttle",
  "barrier",
  /** A fence that waits for stores. */
  "membar",
  "branch_resolving",
  /** Its next instruction was not in the instruction cache. */
  "no_instruction",
  /** The warp has ended, except for its stores. */
  "drain",
] as const;

export type StallName = (typeof stallNames)[number];

/** Index of a reason, for counters in hot loops. */
export const stall = Object.freeze(Object.fromEntries(stallNames.map((name, i) => [name, i]))) as Readonly<
  Record<StallName, number>
>;
