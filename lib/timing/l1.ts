// The memory path of one SM: its turn-taking, the unified L1, shared memory and constants. Loads that miss go on to the
// L2 (memory.ts), stores go through to it.

import { countSectors, createCache } from "./cache.js";
import type { LoweredInstruction } from "./lowering.js";
import type { DeviceMemory } from "./memory.js";
import type { GpuModel } from "./model.js";
import {
  accessSpaces,
  bytesPerSectorOf,
  conflictsOf,
  linesOf,
  spaceOf,
  wavefrontsOf,
  type TimedSpace,
} from "./trace.js";

export interface L1Counters {
  /** Loads of global and local memory: instructions, and 32-byte sectors asked for and found. */
  requests: number;
  sectors: number;
  hits: number;
  /** Stores and reductions of global and local memory. */
  storeRequests: number;
  storeSectors: number;
  /** Accesses to shared memory, and the data cycles that they took. */
  sharedRequests: number;
  sharedCycles: number;
  /** Cycles for which the data stage was held. */
  dataCycles: number;
}

export interface L1 {
  /** Cycles of the data stage that an access takes. */
  readonly dataCycles: (instruction: LoweredInstruction, access: number) => number;
  /** The cycle from which on the path is held for `cycles`, at the earliest `at`. */
  readonly turn: (at: number, cycles: number) => number;
  /**
   * Does an access whose lines begin at `lines[first]`, issued at cycle `at`, whose turn is at `begin`; the cycle at which its
   * result is there. What lies beyond the SM is asked at the cycle of issue, which never runs backwards.
   */
  readonly request: (
    instruction: LoweredInstruction,
    access: number,
    lines: Float64Array,
    first: number,
    at: number,
    begin: number,
  ) => number;
  readonly counters: L1Counters;
}

const spaceIndex = (space: TimedSpace): number => accessSpaces.indexOf(space);
const local = spaceIndex("local");
const shared = spaceIndex("shared");
const constant = spaceIndex("const");
const CONSTANT_LINES = 32;

/** The path of SM `sm`, with `bytes` bytes of L1. */
export function createL1(model: GpuModel, sm: number, bytes: number, device: DeviceMemory): L1 {
  const cache = createCache(bytes, model.l1.ways);
  const counters: L1Counters = {
    requests: 0,
    sectors: 0,
    hits: 0,
    storeRequests: 0,
    storeSectors: 0,
    sharedRequests: 0,
    sharedCycles: 0,
    dataCycles: 0,
  };
  const { backlogCycles, pendingAtomics } = model.lsu;
  const constants = createConstantCache(model.constant.cacheBytes);
  let free = 0;

  /**
   * After a request beyond the SM: the wait for the path and for queues beyond it go on at the same time, and the path is
   * held back while requests queue for longer than what can be under way. The later of the two is the cycle of the result.
   */
  function settle(ready: number, at: number, begin: number, backlog = backlogCycles): number {
    const delay = device.delay();
    const until = Math.ceil(at + delay - backlog);
    if (until > free) free = until;
    return ready + Math.max(0, begin - at - delay);
  }

  function entryOf(line: number): number {
    const found = cache.find(line);
    return found >= 0 ? found : cache.allocate(line);
  }

  function load(line: number, sectors: number, at: number, begin: number, bypass: boolean): number {
    counters.sectors += countSectors(sectors);
    if (bypass) return settle(device.read(sm, line, sectors, at), at, begin);
    const entry = entryOf(line);
    const present = cache.valid[entry]! & sectors;
    const missing = sectors & ~present;
    counters.hits += countSectors(present);
    let ready = begin + model.l1.latencyCycles;
    if (present !== 0 && cache.arrival[entry]! > ready) ready = cache.arrival[entry]!;
    if (missing === 0) return ready;
    const arrival = settle(device.read(sm, line, missing, at), at, begin);
    cache.valid[entry]! |= missing;
    if (arrival > cache.arrival[entry]!) cache.arrival[entry] = arrival;
    return Math.max(ready, arrival);
  }

  /** Stores go through; those to local memory stay readable (an H200's L2 sees every one: record localarr). */
  function store(space: number, line: number, sectors: number, bytesPerSector: number, at: number): number {
    if (space === local) cache.valid[entryOf(line)]! |= sectors;
    return device.write(sm, line, sectors, bytesPerSector, at);
  }

  return {
    counters,
    dataCycles: ({ kind, form, atomic, isRemote }, access) => {
      const space = spaceOf(access);
      const cycles = wavefrontsOf(access);
      // A wait that may suspend its warp asks once, whenever the phase ends.
      if (kind === "poll") return form.startsWith("mbarrier.try_wait") ? 1 : model.mbarrier.testCycles;
      if (kind === "signal") return model.mbarrier.arriveCycles;
      if (space < shared) return Math.max(cycles, model.lsu.globalDataCycles);
      if (space === constant) return cycles * model.constant.cyclesPerAddress;
      if (kind === "atomic" || kind === "reduce") return sharedAtomicCycles(model, atomic, cycles, conflictsOf(access));
      return isRemote ? cycles * model.cluster.remoteCycles : cycles;
    },
    turn: (at, cycles) => {
      const begin = Math.max(at, free);
      free = begin + cycles;
      counters.dataCycles += cycles;
      return begin;
    },
    request: (instruction, access, lines, first, at, begin) => {
      const { kind } = instruction;
      const space = spaceOf(access);
      const last = wavefrontsOf(access) - 1;
      if (space === shared) {
        counters.sharedRequests++;
        counters.sharedCycles += last + 1;
        if (kind === "poll" || kind === "signal") return begin + model.mbarrier.latencyCycles;
        if (kind === "atomic" || kind === "reduce")
          return (
            begin +
            sharedAtomicCycles(model, instruction.atomic, last + 1, conflictsOf(access)) +
            model.atomics.sharedLatencyCycles
          );
        return begin + last + (instruction.isRemote ? model.cluster.remoteLatencyCycles : model.shared.latencyCycles);
      }
      if (space === constant) {
        const miss = constants.touch(lines, first, linesOf(access)) ? 0 : model.constant.missCycles;
        return begin + model.constant.latencyCycles + last * model.constant.latencyPerAddress + miss;
      }
      const loads = kind === "load" || kind === "prefetch" || kind === "async";
      if (loads) counters.requests++;
      else counters.storeRequests++;
      const { hits } = counters;
      let ready = begin + model.l1.latencyCycles;
      // A bulk copy's last line says which mbarrier it signals.
      const count = linesOf(access) - (instruction.signalsBarrier ? 1 : 0);
      for (let i = first; i < first + count; i++) {
        const line = Math.floor(lines[i]! / 16);
        const sectors = lines[i]! % 16;
        if (!loads) counters.storeSectors += countSectors(sectors);
        let done: number;
        if (loads) done = load(line, sectors, at, begin, instruction.bypassesL1 || instruction.signalsBarrier);
        else if (kind !== "store")
          done = settle(
            device.atomic(sm, line, sectors, conflictsOf(access), instruction.atomic, at),
            at,
            begin,
            pendingAtomics * device.service(),
          );
        else done = settle(store(space, line, sectors, bytesPerSectorOf(access), at), at, begin);
        if (done > ready) ready = done;
      }
      instruction.cost.hits += counters.hits - hits;
      // A copy of the L1 goes on into shared memory.
      if (kind === "async") ready = Math.max(ready, begin + model.l1.latencyCycles + model.shared.latencyCycles);
      return Math.ceil(ready) + last;
    },
  };
}

/** The cache of constants next to the SM's sub-cores. `touch`: whether all lines were there; they are afterwards. */
function createConstantCache(bytes: number): {
  readonly touch: (lines: Float64Array, first: number, count: number) => boolean;
} {
  // Lines of 64 bytes: half of what the cache counts as one.
  const cache = createCache(2 * bytes, CONSTANT_LINES);
  function isThere(line: number): boolean {
    if (cache.find(line) >= 0) return true;
    cache.allocate(line);
    return false;
  }
  return {
    touch: (lines, first, count) => {
      let all = true;
      for (let i = first; i < first + count; i++) {
        const line = Math.floor(lines[i]! / 16) * 2;
        const sectors = lines[i]! % 16;
        if ((sectors & 3) !== 0 && !isThere(line)) all = false;
        if ((sectors & 12) !== 0 && !isThere(line + 1)) all = false;
      }
      return all;
    },
  };
}

/** Cycles that an atomic on shared memory holds the path: lanes on one word take turns, or are added up first. */
function sharedAtomicCycles(
  { atomics }: GpuModel,
  cost: LoweredInstruction["atomic"],
  wavefronts: number,
  conflicts: number,
): number {
  switch (cost) {
    case "float":
      // A loop of compare-and-swap, once for each of the lanes that collide.
      return Math.max(wavefronts, conflicts) * atomics.sharedFloatCycles;
    case "exchange":
      return Math.max(wavefronts, conflicts) * atomics.sharedExchangeCycles;
    case "swap":
      return 2 * Math.max(wavefronts, conflicts) * atomics.sharedExchangeCycles;
    case "extreme":
      return Math.max(wavefronts, conflicts * atomics.sharedExtremeCycles);
    case "combined":
      return wavefronts + atomics.sharedCombinedCycles;
    default:
      return Math.max(wavefronts, conflicts * atomics.sharedConflictCycles);
  }
}
