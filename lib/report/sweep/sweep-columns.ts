// The columns of a sweep's results, except its parameters.

/** Columns of a launch. */
export const launchColumns = [
  "gpu",
  "launch",
  "kernel",
  "gridShape",
  "blockShape",
  "cycles",
  "microseconds",
  "limitedBy",
  "compute",
  "memory",
  "dram",
  "occupancy",
  "theoreticalOccupancy",
  "occupancyLimit",
  "registers",
  "waves",
  "ipc",
  "longestStall",
  "l1HitRate",
  "l2HitRate",
  "dramReadBytes",
  "dramWriteBytes",
  "sectorsPerLoad",
  "sectorsPerStore",
  "warpInstructions",
  "advice",
] as const;

export type LaunchColumn = (typeof launchColumns)[number];

/** Column of a failed run, next to `gpu`. */
export const PROBLEM = "problem";
