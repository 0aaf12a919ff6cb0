// Beyond the SMs: ports, L2 slices and DRAM. Bandwidth is a queue per port, slice and channel, each no more than the cycle
// at which it is next free; latency is a constant. All queues that a request passes are asked at the cycle of its issue and
// their delays added up. (Rejected: asking each at the cycle of arrival. Requests are known at issue, so a queue would be
// moved ahead by a request that arrives late, and idle time before it be lost to others that arrive sooner.)
//
// An L2 of two partitions, as on A100 and H100, serves each SM from its own part, which keeps copies of what it was asked for;
// what is not there comes from the whole, further away. One SM of an H200 reads 25 MiB at the near latency, then ever more at
// the far one, then from DRAM (records: chase_ca, chase_cg).

import type { AtomicCost } from "./atomic-cost.js";
import { countSectors, createCache, type Cache } from "./cache.js";
import { createDram } from "./dram.js";
import type { GpuModel } from "./model.js";
import { createPartialSectors } from "./partial-sectors.js";
import { scatter, spread } from "./scatter.js";
import type { TimelineCounter } from "./timeline.js";

export interface MemoryCounters {
  /** 32-byte sectors asked of the L2, and those that it had. Atomics count as reads. */
  l2Reads: number;
  l2ReadHits: number;
  l2Writes: number;
}

export interface DeviceMemory {
  /** Sectors of a line for SM `sm`: the cycle at which the last of them is there. */
  readonly read: (sm: number, line: number, sectors: number, at: number) => number;
  /** The cycle at which they are written, `bytesPerSector` of each. */
  readonly write: (sm: number, line: number, sectors: number, bytesPerSector: number, at: number) => number;
  /** The cycle at which old values are there. `conflicts`: most operations on one address. */
  readonly atomic: (
    sm: number,
    line: number,
    sectors: number,
    conflicts: number,
    cost: AtomicCost,
    at: number,
  ) => number;
  /** Cycles that the last request had to queue. */
  readonly delay: () => number;
  /** Cycles that the last atomic holds the slower of its SM's port and its slice. */
  readonly service: () => number;
  /** A launch begins, which adds to `timeline`: nothing is under way, what the L2 holds stays. */
  readonly begin: (timeline?: TimelineCounter) => void;
  /** Whether a launch has begun before the one under way. */
  readonly isWarm: () => boolean;
  readonly counters: MemoryCounters;
  readonly dramBytes: { readonly readBytes: number; readonly writeBytes: number };
}

const SECTOR_BYTES = 32;

export function createDeviceMemory(model: GpuModel): DeviceMemory {
  const { l2, atomics } = model;
  const { partitions } = l2;
  const slices = Math.max(1, l2.slices);
  const whole = createCache(l2.mebibytes * 2 ** 20, l2.ways);
  const near =
    partitions === 1 ? [] : Array.from({ length: partitions }, () => createCache(l2.nearMebibytes * 2 ** 20, l2.ways));
  const dram = createDram(model);
  const partials = createPartialSectors(model, dram);
  const readPorts = new Float64Array(model.sms);
  const storePorts = new Float64Array(model.sms);
  const sliceQueues = new Float64Array(slices);
  const fillQueues = new Float64Array(slices);
  const cyclesPerSliceByte = slices / l2.bytesPerCycle;
  const cyclesPerFillByte = slices / l2.fillBytesPerCycle;
  const counters: MemoryCounters = { l2Reads: 0, l2ReadHits: 0, l2Writes: 0 };
  let delay = 0;
  let held = 0;
  let launches = 0;
  let timeline: TimelineCounter | undefined;

  const sliceOf = (line: number): number => spread(line, slices);

  function pass(queue: Float64Array, index: number, at: number, service: number): void {
    const free = queue[index]!;
    if (free > at) {
      delay += free - at;
      queue[index] = free + service;
    } else queue[index] = at + service;
  }

  function passDram(line: number, bytes: number, at: number): void {
    delay += dram.pass(line, bytes, at);
  }

  function writeBack({ evicted }: Cache, at: number): void {
    if (evicted.dirty === 0) return;
    const bytes = countSectors(evicted.dirty) * SECTOR_BYTES;
    dram.counters.writeBytes += bytes;
    passDram(evicted.line, bytes, at);
  }

  /** Sectors written into the L2, by stores or from DRAM: what whole GPUs write and what they copy from DRAM is bound by the same rate. */
  const fill = (line: number, sectors: number, at: number): void =>
    pass(fillQueues, sliceOf(line), at, sectors * SECTOR_BYTES * cyclesPerFillByte);

  /** The entry of `line` in the L2, made when it is not there. */
  function entryOf(line: number, at: number): number {
    const found = whole.find(line);
    if (found >= 0) return found;
    const entry = whole.allocate(line);
    writeBack(whole, at);
    return entry;
  }

  /** Makes sectors present; the cycle at which they are with the SM. `latency` is that of a hit, `beyond` what a miss takes off DRAM's. */
  function fetch(line: number, sectors: number, at: number, latency: number, beyond: number): number {
    const entry = entryOf(line, at);
    const present = whole.valid[entry]! & sectors;
    const missing = sectors & ~present;
    counters.l2Reads += countSectors(sectors);
    counters.l2ReadHits += countSectors(present);
    let ready = at + latency;
    if (present !== 0) ready = Math.max(ready, whole.arrival[entry]!);
    if (missing === 0) return ready + delay;
    const bytes = countSectors(missing) * SECTOR_BYTES;
    dram.counters.readBytes += bytes;
    passDram(line, bytes, at);
    fill(line, countSectors(missing), at);
    ready = Math.max(ready, at + dram.latencyOf(line) + beyond) + delay;
    whole.valid[entry]! |= missing;
    whole.arrival[entry] = ready;
    return ready;
  }

  /** Half of the lines are a little further from an SM than the others; which, differs between the two groups of SMs. */
  const distance = (sm: number, line: number): number =>
    l2.spreadCycles === 0 ? 0 : (((scatter(line) >>> 9) ^ sm) & 1) * l2.spreadCycles;

  return {
    counters,
    dramBytes: dram.counters,
    delay: () => delay,
    service: () => held,
    isWarm: () => launches > 1,
    begin: (next) => {
      launches++;
      timeline = next;
      dram.reset(next);
      partials.reset();
      for (const queue of [readPorts, storePorts, sliceQueues, fillQueues]) queue.fill(0);
      if (launches > 1) for (const cache of [whole, ...near]) cache.arrival.fill(0);
      Object.assign(counters, { l2Reads: 0, l2ReadHits: 0, l2Writes: 0 });
    },
    read: (sm, line, sectors, at) => {
      const bytes = countSectors(sectors) * SECTOR_BYTES;
      timeline?.add("l2Bytes", at, bytes);
      delay = 0;
      pass(readPorts, sm, at, bytes / l2.portBytesPerCycle);
      pass(sliceQueues, sliceOf(line), at, bytes * cyclesPerSliceByte);
      const latency = l2.latencyCycles + distance(sm, line);
      if (partitions === 1) return fetch(line, sectors, at, latency, 0);
      const copies = near[sm % partitions]!;
      let copy = copies.find(line);
      const present = copy < 0 ? 0 : copies.valid[copy]! & sectors;
      const missing = sectors & ~present;
      let ready = at + latency + delay;
      if (present !== 0) {
        counters.l2Reads += countSectors(present);
        counters.l2ReadHits += countSectors(present);
        ready = Math.max(ready, copies.arrival[copy]!);
      }
      if (missing === 0) return ready;
      ready = Math.max(ready, fetch(line, missing, at, latency + l2.farCycles, 0));
      if (copy < 0) copy = copies.allocate(line);
      copies.valid[copy]! |= missing;
      copies.arrival[copy] = ready;
      return ready;
    },
    write: (sm, line, sectors, bytesPerSector, at) => {
      const count = countSectors(sectors);
      const isPart = bytesPerSector < SECTOR_BYTES;
      delay = 0;
      counters.l2Writes += count;
      timeline?.add("l2Bytes", at, count * SECTOR_BYTES);
      pass(
        storePorts,
        sm,
        at,
        count * (SECTOR_BYTES / l2.storeBytesPerCycle) + (isPart || count < 4 ? l2.partLineCycles : 0),
      );
      fill(line, isPart ? count * l2.partSectorCost : count, at);
      const entry = entryOf(line, at);
      if (isPart) partials.write(line, sectors, whole.valid[entry]!, bytesPerSector, at);
      whole.valid[entry]! |= sectors;
      whole.dirty[entry]! |= sectors;
      return at + l2.latencyCycles + delay;
    },
    atomic: (sm, line, sectors, conflicts, cost, at) => {
      const count = countSectors(sectors);
      delay = 0;
      const port =
        cost === "combined"
          ? atomics.combinedPortCycles
          : Math.max(atomics.leastPortCycles, atomics.portCyclesPerSector * count) * (cost === "swap" ? 2 : 1);
      pass(storePorts, sm, at, port);
      // Both are slow enough to be busy all the time, the slice while requests wait at the port: the longer delay counts.
      const portDelay = delay;
      delay = 0;
      const service =
        cost === "combined"
          ? atomics.combinedCycles
          : Math.max(atomics.cyclesPerSector * count, conflicts * perLane(atomics, cost));
      pass(sliceQueues, sliceOf(line), at, service);
      delay = Math.max(delay, portDelay);
      held = Math.max(port, service);
      const ready = fetch(
        line,
        sectors,
        at,
        atomics.globalLatencyCycles,
        atomics.globalLatencyCycles - l2.latencyCycles,
      );
      whole.dirty[whole.find(line)]! |= sectors;
      return ready + service;
    },
  };
}

function perLane(atomics: GpuModel["atomics"], cost: AtomicCost): number {
  if (cost === "float") return atomics.cyclesPerFloat;
  if (cost === "extreme") return atomics.cyclesPerExtreme;
  return cost === "exchange" || cost === "swap" ? atomics.cyclesPerExchange : atomics.cyclesPerConflict;
}
