// What a launch's time is bound by, in one word. First what is used up, then why nothing is.

import type { TimingResult } from "./result.js";

export type TimeLimit =
  /** A pipe, or the schedulers' issue slots. */
  | "compute"
  /** DRAM's bandwidth, or the paths to it. */
  | "memory"
  /** Too few blocks for the SMs there are. */
  | "launch"
  /** Warps wait, and the SMs have room for no more of them. */
  | "occupancy"
  /** Warps wait for each other, or for results. */
  | "latency";

/** Shares of the peak from which on something counts as used up. */
const USED_UP = 0.6;
/** Warps that hide most latencies, as a share of those that an SM can hold. */
const ENOUGH_WARPS = 0.25;

export type Known = Pick<TimingResult, "throughput" | "pipes" | "stalls" | "occupancy" | "blocks">;

export function timeLimit({ throughput, pipes, stalls, occupancy, blocks }: Known, sms: number): TimeLimit {
  const busiest = Math.max(throughput.issue, ...Object.values(pipes));
  const queues = stalls.lg_throttle + stalls.mio_throttle + stalls.drain;
  if (busiest >= USED_UP && busiest >= throughput.dram) return "compute";
  if (throughput.dram >= USED_UP || queues >= USED_UP) return "memory";
  if (blocks < sms) return "launch";
  return occupancy.theoretical < ENOUGH_WARPS ? "occupancy" : "latency";
}
