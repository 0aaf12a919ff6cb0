// Beyond the SMs: ports, L2 slices and DRAM. Bandwidth is a queue per port, slice and channel, each no more than the cycle
// at which it is next free; latency is a constant. The delays of all queues that a request passes are read at the cycle of its issue
// and added up. (Rejected: reading each at the cycle of arrival. Requests are known at issue, so a queue would be
// moved ahead by a request that arrives late, and idle time before it be lost to others that arrive sooner.)
//
// An L2 of two partitions, as on A100 and H100, serves each SM from its own part, which keeps copies of the lines requested there;
// other lines come from the whole L2, further away. One SM of an H200 reads 25 MiB at the near latency, then ever more at
// the far one, then from DRAM (records: chase_ca, chase_cg).

import { isCombined, type AtomicCost } from "../lowering/atomic-cost.js";
import {
  addSectors,
  arrivalOf,
  countSectors,
  createCache,
  EVICTED,
  sectorsOf,
  setArrival,
  settleArrivals,
  soilSectors,
  touchLine,
  type Cache,
} from "./cache.js";
import { createDram, dramLatency, passDram, resetDram, type Dram } from "./dram.js";
import type { GpuModel } from "../gpus/model.js";
import { createPartialSectors, resetPartials, writePartly, type PartialSectors } from "./partial-sectors.js";
import { DOUBLE_ZERO } from "../trace/double-zero.js";
import { scatter, spread } from "./scatter.js";
import { addTo, type TimelineSums } from "../trace/timeline.js";

export interface MemoryCounters {
  /** 32-byte sectors requested of the L2, and hits. Atomics count as reads. */
  l2Reads: number;
  l2ReadHits: number;
  l2Writes: number;
}

export interface DeviceMemory {
  readonly model: GpuModel;
  /** The whole L2, and the copies in each of its partitions. */
  readonly whole: Cache;
  readonly near: readonly Cache[];
  readonly dram: Dram;
  readonly partials: PartialSectors;
  /** Cycles at which each SM's ports in and out, and each slice's reads and writes, are free. */
  readonly readPorts: Float64Array;
  readonly storePorts: Float64Array;
  readonly sliceQueues: Float64Array;
  readonly fillQueues: Float64Array;
  /** For each slice, the line that was last written in part, and the SM that wrote it. */
  readonly partLines: Float64Array;
  readonly partSms: Int32Array;
  readonly cyclesPerSliceByte: number;
  readonly cyclesPerFillByte: number;
  readonly counters: MemoryCounters;
  /** Queueing delay of the last request, in cycles. */
  delay: number;
  /** Cycles for which the last atomic occupies the slower of its SM's port and its slice. */
  held: number;
  launches: number;
  /** The timeline of the current launch. */
  timeline: TimelineSums | undefined;
}

const SECTOR_BYTES = 32;

export function createDeviceMemory(model: GpuModel): DeviceMemory {
  const { l2, sms } = model;
  const slices = Math.max(1, l2.slices);
  const copies = l2.partitions === 1 ? 0 : l2.partitions;
  return {
    model,
    whole: createCache(l2.mebibytes * 2 ** 20, l2.ways),
    near: Array.from({ length: copies }, () => createCache(l2.nearMebibytes * 2 ** 20, l2.ways)),
    dram: createDram(model),
    partials: createPartialSectors(),
    readPorts: new Float64Array(sms),
    storePorts: new Float64Array(sms),
    sliceQueues: new Float64Array(slices),
    fillQueues: new Float64Array(slices),
    partLines: new Float64Array(slices).fill(-1),
    partSms: new Int32Array(slices),
    cyclesPerSliceByte: slices / l2.bytesPerCycle,
    cyclesPerFillByte: slices / l2.fillBytesPerCycle,
    counters: { l2Reads: 0, l2ReadHits: 0, l2Writes: 0 },
    delay: DOUBLE_ZERO,
    held: DOUBLE_ZERO,
    launches: 0,
    timeline: undefined,
  };
}

/** Starts a launch, which adds to `timeline`: nothing is in flight, and the L2 keeps its contents. */
export function beginLaunch(memory: DeviceMemory, timeline?: TimelineSums): void {
  memory.launches++;
  memory.timeline = timeline;
  resetDram(memory.dram, timeline);
  resetPartials(memory.partials);
  const { readPorts, storePorts, sliceQueues, fillQueues, whole, near, counters } = memory;
  for (const queue of [readPorts, storePorts, sliceQueues, fillQueues]) queue.fill(0);
  if (memory.launches > 1) for (const cache of [whole, ...near]) settleArrivals(cache);
  Object.assign(counters, { l2Reads: 0, l2ReadHits: 0, l2Writes: 0 });
}

/** Whether there was a launch before the current one. */
export const isWarm = ({ launches }: DeviceMemory): boolean => launches > 1;

/** Reads sectors of a line for SM `sm`; returns the cycle at which the last of them arrives. */
export function readSectors(memory: DeviceMemory, sm: number, line: number, sectors: number, at: number): number {
  const { l2 } = memory.model;
  const bytes = countSectors(sectors) * SECTOR_BYTES;
  countBytes(memory, at, bytes);
  memory.delay = 0;
  pass(memory, memory.readPorts, sm, at, bytes / l2.portBytesPerCycle);
  pass(memory, memory.sliceQueues, sliceOf(memory, line), at, bytes * memory.cyclesPerSliceByte);
  const latency = l2.latencyCycles + distance(l2, sm, line);
  if (l2.partitions === 1) return fetch(memory, line, sectors, at, latency, 0);
  const copies = memory.near[sm % l2.partitions]!;
  const copy = touchLine(copies, line);
  const present = sectorsOf(copies, copy) & sectors;
  const missing = sectors & ~present;
  let ready = at + latency + memory.delay;
  if (present !== 0) {
    memory.counters.l2Reads += countSectors(present);
    memory.counters.l2ReadHits += countSectors(present);
    ready = Math.max(ready, arrivalOf(copies, copy));
  }
  if (missing === 0) return ready;
  ready = Math.max(ready, fetch(memory, line, missing, at, latency + l2.farCycles, 0));
  addSectors(copies, copy, missing);
  setArrival(copies, copy, ready);
  return ready;
}

/** Writes `bytesPerSector` bytes to each of a line's sectors; returns the cycle of completion. */
export function writeSectors(
  memory: DeviceMemory,
  sm: number,
  line: number,
  sectors: number,
  bytesPerSector: number,
  at: number,
): number {
  const { l2 } = memory.model;
  const { whole } = memory;
  const count = countSectors(sectors);
  const isPart = bytesPerSector < SECTOR_BYTES;
  memory.delay = 0;
  memory.counters.l2Writes += count;
  countBytes(memory, at, count * SECTOR_BYTES);
  const port = count * (SECTOR_BYTES / l2.storeBytesPerCycle) + (isPart || count < 4 ? l2.partLineCycles : 0);
  pass(memory, memory.storePorts, sm, at, port);
  fill(memory, line, isPart ? count * partCost(memory, sm, line) : count, at);
  const entry = entryOf(memory, line, at);
  if (isPart)
    writePartly(
      memory.partials,
      memory.dram,
      l2.partialSectors,
      line,
      sectors,
      sectorsOf(whole, entry),
      bytesPerSector,
      at,
    );
  addSectors(whole, entry, sectors);
  soilSectors(whole, entry, sectors);
  return at + l2.latencyCycles + memory.delay;
}

/** Returns the cycle at which the old values arrive. `conflicts`: maximum number of operations on one address. */
export function updateSectors(
  memory: DeviceMemory,
  sm: number,
  line: number,
  sectors: number,
  conflicts: number,
  cost: AtomicCost,
  at: number,
): number {
  const { atomics, l2 } = memory.model;
  const count = countSectors(sectors);
  memory.delay = 0;
  const combined = isCombined(cost);
  const port = combined
    ? cost === "combinedLong"
      ? atomics.combinedLongPortCycles
      : atomics.combinedPortCycles
    : Math.max(atomics.leastPortCycles, atomics.portCyclesPerSector * count) * (cost === "swap" ? 2 : 1);
  pass(memory, memory.storePorts, sm, at, port);
  // Both are slow enough to be always busy, the slice while requests wait at the port: the longer delay counts.
  const portDelay = memory.delay;
  memory.delay = 0;
  const service = combined
    ? atomics.combinedCycles
    : Math.max(atomics.cyclesPerSector * count, conflicts * perLane(atomics, cost));
  pass(memory, memory.sliceQueues, sliceOf(memory, line), at, service);
  memory.delay = Math.max(memory.delay, portDelay);
  memory.held = Math.max(port, service);
  const latency = atomics.globalLatencyCycles;
  const ready = fetch(memory, line, sectors, at, latency, latency - l2.latencyCycles);
  soilSectors(memory.whole, touchLine(memory.whole, line), sectors);
  return ready + service;
}

/**
 * Cost of a sector that SM `sm` writes in part. For lines that all SMs write in part, one after another, an H200 takes 4.1 to
 * 4.5 cycles a sector. This is the end of every `bw_*_read` with 16 to 64 warps on an SM, whose blocks all write the same 2
 * KiB.
 */
function partCost({ model: { l2 }, partLines, partSms }: DeviceMemory, sm: number, line: number): number {
  const slice = spread(line, partLines.length);
  const isShared = partLines[slice] === line && partSms[slice] !== sm;
  partLines[slice] = line;
  partSms[slice] = sm;
  return isShared ? l2.sharedPartCost : l2.partSectorCost;
}

const sliceOf = ({ sliceQueues }: DeviceMemory, line: number): number => spread(line, sliceQueues.length);

function countBytes({ timeline }: DeviceMemory, at: number, bytes: number): void {
  if (timeline !== undefined) addTo(timeline, timeline.l2Bytes, at, bytes);
}

function pass(memory: DeviceMemory, queue: Float64Array, index: number, at: number, service: number): void {
  const free = queue[index]!;
  if (free > at) {
    memory.delay += free - at;
    queue[index] = free + service;
  } else queue[index] = at + service;
}

/** Queues sectors written into the L2, by stores or from DRAM: both share one rate limit. */
function fill(memory: DeviceMemory, line: number, sectors: number, at: number): void {
  pass(memory, memory.fillQueues, sliceOf(memory, line), at, sectors * SECTOR_BYTES * memory.cyclesPerFillByte);
}

/** The entry of `line` in the L2; a dirty line that had its place is written back. */
function entryOf(memory: DeviceMemory, line: number, at: number): number {
  const { whole, dram } = memory;
  const { evicted } = whole;
  evicted[EVICTED.dirty] = 0;
  const entry = touchLine(whole, line);
  const dirty = evicted[EVICTED.dirty]!;
  if (dirty !== 0) {
    const bytes = countSectors(dirty) * SECTOR_BYTES;
    dram.counters.writeBytes += bytes;
    memory.delay += passDram(dram, evicted[EVICTED.line]!, bytes, at);
  }
  return entry;
}

/**
 * Makes sectors present; returns the cycle at which they reach the SM. `latency` is that of a hit; `beyond` is subtracted from
 * DRAM's on a miss.
 */
function fetch(
  memory: DeviceMemory,
  line: number,
  sectors: number,
  at: number,
  latency: number,
  beyond: number,
): number {
  const { whole, dram, counters } = memory;
  const entry = entryOf(memory, line, at);
  const present = sectorsOf(whole, entry) & sectors;
  const missing = sectors & ~present;
  counters.l2Reads += countSectors(sectors);
  counters.l2ReadHits += countSectors(present);
  let ready = at + latency;
  if (present !== 0) ready = Math.max(ready, arrivalOf(whole, entry));
  if (missing === 0) return ready + memory.delay;
  const bytes = countSectors(missing) * SECTOR_BYTES;
  dram.counters.readBytes += bytes;
  memory.delay += passDram(dram, line, bytes, at);
  fill(memory, line, countSectors(missing), at);
  ready = Math.max(ready, at + dramLatency(dram, line) + beyond) + memory.delay;
  addSectors(whole, entry, missing);
  setArrival(whole, entry, ready);
  return ready;
}

/** Half of the lines are slightly further from an SM than the others; which half depends on the SM's group. */
const distance = ({ spreadCycles }: GpuModel["l2"], sm: number, line: number): number =>
  spreadCycles === 0 ? 0 : (((scatter(line) >>> 9) ^ sm) & 1) * spreadCycles;

function perLane(atomics: GpuModel["atomics"], cost: AtomicCost): number {
  if (cost === "float") return atomics.cyclesPerFloat;
  if (cost === "extreme") return atomics.cyclesPerExtreme;
  return cost === "exchange" || cost === "swap" ? atomics.cyclesPerExchange : atomics.cyclesPerConflict;
}
