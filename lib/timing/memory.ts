// Beyond the SMs: ports, L2 slices and DRAM. Bandwidth is a queue per port, slice and channel, each no more than the cycle
// at which it is next free; latency is a constant. All queues that a request passes are asked at the cycle of its issue and
// their delays added up. (Rejected: asking each at the cycle of arrival. Requests are known at issue, so a queue would be
// moved ahead by a request that arrives late, and idle time before it be lost to others that arrive sooner.)
//
// An L2 of two partitions, as on A100 and H100, serves each SM from its own part, which keeps copies of what the other is
// home of: hits are near or far, and data that all SMs read takes room in both.

import { countSectors, createCache, type Cache } from "./cache.js";
import type { GpuModel } from "./model.js";

export interface MemoryCounters {
  /** 32-byte sectors asked of the L2, and those that it had. Atomics count as reads. */
  l2Reads: number;
  l2ReadHits: number;
  l2Writes: number;
  dramReadBytes: number;
  dramWriteBytes: number;
}

export interface DeviceMemory {
  /** Sectors of a line for SM `sm`: the cycle at which the last of them is there. */
  readonly read: (sm: number, line: number, sectors: number, at: number) => number;
  /** The cycle at which they are written. */
  readonly write: (sm: number, line: number, sectors: number, at: number) => number;
  /** The cycle at which old values are there. `conflicts`: most operations on one address. */
  readonly atomic: (sm: number, line: number, sectors: number, conflicts: number, at: number) => number;
  /** Cycles that the last request had to queue. */
  readonly delay: () => number;
  readonly counters: MemoryCounters;
}

const SECTOR_BYTES = 32;

export function createDeviceMemory(model: GpuModel): DeviceMemory {
  const { l2, dram } = model;
  const partitions = l2.partitions;
  const slices = Math.max(1, Math.floor(l2.slices / partitions));
  const caches = Array.from({ length: partitions }, () => createCache((l2.mebibytes * 2 ** 20) / partitions, l2.ways));
  const ports = new Float64Array(model.sms);
  const sliceQueues = new Float64Array(slices * partitions);
  const channelQueues = new Float64Array(dram.channels);
  const cyclesPerSliceByte = (slices * partitions) / l2.bytesPerCycle;
  const cyclesPerChannelByte =
    (dram.channels * model.clockMHz * 1e6) / (dram.gigabytesPerSecond * 1e9 * dram.efficiency);
  const counters: MemoryCounters = { l2Reads: 0, l2ReadHits: 0, l2Writes: 0, dramReadBytes: 0, dramWriteBytes: 0 };
  let delay = 0;

  function pass(queue: Float64Array, index: number, at: number, service: number): void {
    const free = queue[index]!;
    if (free > at) {
      delay += free - at;
      queue[index] = free + service;
    } else queue[index] = at + service;
  }

  const passSlice = (partition: number, line: number, at: number, service: number): void =>
    pass(sliceQueues, partition * slices + (scatter(line) % slices), at, service);

  function passDram(line: number, bytes: number, at: number): void {
    pass(channelQueues, scatter(Math.floor(line / 2)) % dram.channels, at, bytes * cyclesPerChannelByte);
  }

  function writeBack({ evicted }: Cache, at: number): void {
    if (evicted.dirty === 0) return;
    const bytes = countSectors(evicted.dirty) * SECTOR_BYTES;
    counters.dramWriteBytes += bytes;
    passDram(evicted.line, bytes, at);
  }

  /** The entry of `line` in a partition, made when it is not there. */
  function entryOf(cache: Cache, line: number, at: number): number {
    const found = cache.find(line);
    if (found >= 0) return found;
    const entry = cache.allocate(line);
    writeBack(cache, at);
    return entry;
  }

  /** Makes sectors present in their home; the cycle at which they are with the SM. */
  function fetch(
    home: Cache,
    line: number,
    sectors: number,
    at: number,
    latency: number,
    missLatency = dram.latencyCycles,
  ): number {
    const entry = entryOf(home, line, at);
    const present = home.valid[entry]! & sectors;
    const missing = sectors & ~present;
    counters.l2Reads += countSectors(sectors);
    counters.l2ReadHits += countSectors(present);
    let ready = at + latency;
    if (present !== 0) ready = Math.max(ready, home.arrival[entry]!);
    if (missing !== 0) {
      const bytes = countSectors(missing) * SECTOR_BYTES;
      counters.dramReadBytes += bytes;
      passDram(line, bytes, at);
      ready = Math.max(ready, at + missLatency) + delay;
      home.valid[entry]! |= missing;
      home.arrival[entry] = ready;
      return ready;
    }
    return ready + delay;
  }

  const homeOf = (line: number): number => (partitions === 1 ? 0 : scatter(Math.floor(line / 64)) % partitions);

  return {
    counters,
    delay: () => delay,
    read: (sm, line, sectors, at) => {
      const bytes = countSectors(sectors) * SECTOR_BYTES;
      delay = 0;
      pass(ports, sm, at, bytes / l2.portBytesPerCycle);
      const near = sm % partitions;
      const home = homeOf(line);
      passSlice(near, line, at, bytes * cyclesPerSliceByte);
      if (near === home) return fetch(caches[home]!, line, sectors, at, l2.latencyCycles);
      const cache = caches[near]!;
      const entry = entryOf(cache, line, at);
      const present = cache.valid[entry]! & sectors;
      const missing = sectors & ~present;
      let ready = at + l2.latencyCycles + delay;
      if (present !== 0) {
        counters.l2Reads += countSectors(present);
        counters.l2ReadHits += countSectors(present);
        ready = Math.max(ready, cache.arrival[entry]!);
      }
      if (missing === 0) return ready;
      passSlice(home, line, at, countSectors(missing) * SECTOR_BYTES * cyclesPerSliceByte);
      ready = Math.max(ready, fetch(caches[home]!, line, missing, at, l2.latencyCycles + l2.farCycles));
      cache.valid[entry]! |= missing;
      cache.arrival[entry] = ready;
      return ready;
    },
    write: (sm, line, sectors, at) => {
      const bytes = countSectors(sectors) * SECTOR_BYTES;
      delay = 0;
      counters.l2Writes += countSectors(sectors);
      pass(ports, sm, at, bytes / l2.portBytesPerCycle);
      const home = homeOf(line);
      passSlice(home, line, at, bytes * cyclesPerSliceByte);
      const cache = caches[home]!;
      const entry = entryOf(cache, line, at);
      cache.valid[entry]! |= sectors;
      cache.dirty[entry]! |= sectors;
      return at + l2.latencyCycles + delay;
    },
    atomic: (sm, line, sectors, conflicts, at) => {
      const bytes = countSectors(sectors) * SECTOR_BYTES;
      delay = 0;
      pass(ports, sm, at, bytes / l2.portBytesPerCycle);
      const home = homeOf(line);
      const service = Math.max(bytes * cyclesPerSliceByte, conflicts * model.atomics.cyclesPerConflict);
      passSlice(home, line, at, service);
      const cache = caches[home]!;
      const latency = model.atomics.globalLatencyCycles;
      const ready = fetch(cache, line, sectors, at, latency, latency - l2.latencyCycles + dram.latencyCycles);
      cache.dirty[cache.find(line)]! |= sectors;
      return ready + service;
    },
  };
}

/** Spreads line numbers over slices and channels. Knuth's multiplicative hash. */
function scatter(line: number): number {
  const folded = (line % 2 ** 32) ^ Math.floor(line / 2 ** 32);
  return Math.imul(folded ^ (folded >>> 15), 0x9e3779b1) >>> 12;
}
