// DRAM: channels with a bandwidth, and a latency that varies by line. A warp waits for the slowest of its lines, so the
// distribution of the latency matters: a chase by one lane of an H200 takes 660 cycles a line, by 32 lanes 1113 (records:
// chase_ca, chase_onewarp). The model adds an exponential to a minimum latency. It is drawn from a hash of the line, so that
// there is no state and every run gives the same result.

import type { GpuModel } from "../gpus/model.js";
import { spread } from "./scatter.js";
import { addTo, type TimelineSums } from "../trace/timeline.js";

export interface Dram {
  readonly facts: GpuModel["dram"];
  /** Cycle at which each channel is free. */
  readonly queues: Float64Array;
  readonly cyclesPerByte: number;
  readonly counters: { readBytes: number; writeBytes: number };
  /** The timeline of the current launch. */
  timeline: TimelineSums | undefined;
}

/** Two neighbouring lines share a channel. */
const LINES_PER_CHANNEL = 2;
const DRAWS = 2 ** 16;

export function createDram({ dram: facts, clockMHz }: GpuModel): Dram {
  return {
    facts,
    queues: new Float64Array(facts.channels),
    cyclesPerByte: (facts.channels * clockMHz * 1e6) / (facts.gigabytesPerSecond * 1e9 * facts.efficiency),
    counters: { readBytes: 0, writeBytes: 0 },
    timeline: undefined,
  };
}

/** Starts a launch, whose bytes are added to its timeline. */
export function resetDram(dram: Dram, timeline: TimelineSums | undefined): void {
  dram.timeline = timeline;
  dram.queues.fill(0);
  dram.counters.readBytes = 0;
  dram.counters.writeBytes = 0;
}

/** Queues `bytes` of a line; returns the cycles of waiting for the channel. */
export function passDram(
  { facts, queues, cyclesPerByte, timeline }: Dram,
  line: number,
  bytes: number,
  at: number,
): number {
  if (timeline !== undefined) addTo(timeline, timeline.dramBytes, at, bytes);
  const channel = spread(Math.floor(line / LINES_PER_CHANNEL), facts.channels);
  const free = queues[channel]!;
  const service = Math.max(bytes, facts.leastBytes) * cyclesPerByte;
  queues[channel] = Math.max(free, at) + service;
  return free > at ? free - at : 0;
}

/** From issue to use, for an idle channel. */
export function dramLatency({ facts }: Dram, line: number): number {
  if (facts.tailCycles === 0) return facts.latencyCycles;
  const draw = (Math.imul(line ^ (line >>> 7), 0x85ebca6b) >>> 8) & (DRAWS - 1);
  return facts.latencyCycles + Math.min(facts.mostTailCycles, -facts.tailCycles * Math.log(1 - draw / DRAWS));
}
