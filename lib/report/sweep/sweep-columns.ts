// The columns of a sweep's results beside its parameters.

/** Of a launch. */
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

/** Of a run that failed, beside `gpu`. */
export const PROBLEM = "problem";
