// DRAM: channels that pass bytes at a rate, and a latency that is not the same for every line. A warp waits for the slowest of
// its lines, so what matters is how the latency is spread: a chase by one lane of an H200 takes 660 cycles a line, by 32 lanes
// 1113 (records: chase_ca, chase_onewarp). The model's is a least latency and an exponential behind it, drawn from a hash of
// the line, so that it has no state and is the same on every run.

import type { GpuModel } from "./model.js";
import { spread } from "./scatter.js";
import type { TimelineCounter } from "./timeline.js";

export interface Dram {
  /** Queues `bytes` of a line; the cycles that they wait for the channel. */
  readonly pass: (line: number, bytes: number, at: number) => number;
  /** From issue to use, for an idle channel. */
  readonly latencyOf: (line: number) => number;
  /** A launch begins, whose bytes are added to its timeline. */
  readonly reset: (timeline?: TimelineCounter) => void;
  readonly counters: { readBytes: number; writeBytes: number };
}

/** Two neighbouring lines share a channel. */
const LINES_PER_CHANNEL = 2;
const DRAWS = 2 ** 16;

export function createDram({ dram, clockMHz }: GpuModel): Dram {
  const queues = new Float64Array(dram.channels);
  const cyclesPerByte = (dram.channels * clockMHz * 1e6) / (dram.gigabytesPerSecond * 1e9 * dram.efficiency);
  const counters = { readBytes: 0, writeBytes: 0 };
  let timeline: TimelineCounter | undefined;
  return {
    counters,
    reset: (next) => {
      timeline = next;
      queues.fill(0);
      counters.readBytes = 0;
      counters.writeBytes = 0;
    },
    pass: (line, bytes, at) => {
      timeline?.add("dramBytes", at, bytes);
      const channel = spread(Math.floor(line / LINES_PER_CHANNEL), dram.channels);
      const free = queues[channel]!;
      const service = Math.max(bytes, dram.leastBytes) * cyclesPerByte;
      queues[channel] = Math.max(free, at) + service;
      return free > at ? free - at : 0;
    },
    latencyOf: (line) => {
      if (dram.tailCycles === 0) return dram.latencyCycles;
      const draw = (Math.imul((line % 2 ** 32) ^ (line >>> 7), 0x85ebca6b) >>> 8) & (DRAWS - 1);
      return dram.latencyCycles + Math.min(dram.mostTailCycles, -dram.tailCycles * Math.log(1 - draw / DRAWS));
    },
  };
}
