// The bottleneck of a launch, in one word: a saturated resource, or else the reason why there is none.

import type { TimingResult, TimeLimit } from "./result.js";

/** Shares of the peak from which on a resource counts as saturated. */
const USED_UP = 0.6;
/** Share of an SM's warps that is enough to hide most latencies. */
const ENOUGH_WARPS = 0.25;

export type Known = Pick<TimingResult, "throughput" | "stalls" | "occupancy" | "blocks">;

export function timeLimit({ throughput, stalls, occupancy, blocks }: Known, sms: number): TimeLimit {
  const queues = stalls.lg_throttle + stalls.mio_throttle + stalls.drain;
  if (throughput.compute >= USED_UP && throughput.compute >= throughput.memory) return "compute";
  if (throughput.memory >= USED_UP || queues >= USED_UP) return "memory";
  if (blocks < sms) return "launch";
  return occupancy.theoretical < ENOUGH_WARPS ? "occupancy" : "latency";
}
