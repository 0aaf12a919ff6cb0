// The memory path of one SM: arbitration, the unified L1, shared memory and constants. Loads that miss access the L2
// (memory.ts); stores are written through to it.

import {
  addSectors,
  arrivalOf,
  countSectors,
  createCaches,
  sectorsOf,
  setArrival,
  touchLine,
  type Cache,
} from "../memory/cache.js";
import { readSectors, updateSectors, writeSectors, type DeviceMemory } from "../memory/memory.js";
import type { GpuModel } from "../gpus/model.js";
import type { IssuedInstruction } from "../schedule/step.js";
import { DOUBLE_ZERO } from "../trace/double-zero.js";
import {
  accessSpaces,
  bytesPerSectorOf,
  conflictsOf,
  linesOf,
  spaceOf,
  wavefrontsOf,
  type TimedSpace,
} from "../trace/trace.js";

export interface L1Counters {
  /** Loads of global and local memory: instructions, and 32-byte sectors requested and hit. */
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
  readonly model: GpuModel;
  readonly sm: number;
  readonly device: DeviceMemory;
  readonly cache: Cache;
  /** The constant cache next to the SM's sub-cores. */
  readonly constants: Cache;
  readonly counters: L1Counters;
  /** Cycle at which the path is free. */
  free: number;
}

const spaceIndex = (space: TimedSpace): number => accessSpaces.indexOf(space);
const local = spaceIndex("local");
const shared = spaceIndex("shared");
const constant = spaceIndex("const");
const CONSTANT_LINES = 32;

/** The memory paths of `sms` SMs, with `bytes` bytes of L1 each. */
export function createL1s(model: GpuModel, sms: number, bytes: number, device: DeviceMemory): readonly L1[] {
  const caches = createCaches(sms, bytes, model.l1.ways);
  // Lines of 64 bytes: half of a cache line here.
  const constants = createCaches(sms, 2 * model.constant.cacheBytes, CONSTANT_LINES);
  return caches.map((cache, sm) => ({
    model,
    sm,
    device,
    cache,
    constants: constants[sm]!,
    counters: {
      requests: 0,
      sectors: 0,
      hits: 0,
      storeRequests: 0,
      storeSectors: 0,
      sharedRequests: 0,
      sharedCycles: 0,
      dataCycles: DOUBLE_ZERO,
    },
    free: DOUBLE_ZERO,
  }));
}

/** Cycles of the data stage for an access. */
export function dataCyclesOf(model: GpuModel, instruction: IssuedInstruction, access: number): number {
  const { kind } = instruction;
  const space = spaceOf(access);
  const cycles = wavefrontsOf(access);
  // A wait that may suspend its warp polls once, whenever the phase ends.
  if (kind === "poll") return instruction.form.startsWith("mbarrier.try_wait") ? 1 : model.mbarrier.testCycles;
  if (kind === "signal") return model.mbarrier.arriveCycles;
  if (space < shared) return Math.max(cycles, model.lsu.globalDataCycles);
  if (space === constant) return cycles * model.constant.cyclesPerAddress;
  if (kind === "atomic" || kind === "reduce")
    return sharedAtomicCycles(model, instruction.atomic, cycles, conflictsOf(access), kind === "reduce");
  return instruction.isRemote ? cycles * model.cluster.remoteCycles : cycles;
}

/**
 * Cycles until a sub-core can issue the next one: exchanges on one word of shared memory take the sub-core twice as long as the
 * path, so that two sub-cores can keep it busy (records: atoms_exch_same, atoms_cas_same).
 */
export function repeatCyclesOf({ atomic }: IssuedInstruction, access: number, cycles: number): number {
  return spaceOf(access) === shared && (atomic === "exchange" || atomic === "swap") ? 2 * cycles : 0;
}

/** The cycle, not before `at`, from which on the path is occupied for `cycles`. */
export function takeTurn(l1: L1, at: number, cycles: number): number {
  const begin = Math.max(at, l1.free);
  l1.free = begin + cycles;
  l1.counters.dataCycles += cycles;
  return begin;
}

/**
 * Performs an access whose lines start at `lines[first]`, issued at cycle `at`, granted at `begin`. Returns the cycle of its
 * result. Requests beyond the SM are made at the cycle of issue, because these come in order.
 */
export function requestOf(
  l1: L1,
  instruction: IssuedInstruction,
  access: number,
  lines: Float64Array,
  first: number,
  at: number,
  begin: number,
): number {
  const space = spaceOf(access);
  if (space === shared) return requestShared(l1, instruction, access, begin);
  if (space !== constant) return requestGlobal(l1, instruction, access, lines, first, at, begin);
  const { latencyCycles, latencyPerAddress, missCycles } = l1.model.constant;
  const miss = touchConstants(l1.constants, lines, first, linesOf(access)) ? 0 : missCycles;
  return begin + latencyCycles + (wavefrontsOf(access) - 1) * latencyPerAddress + miss;
}

function requestShared({ model, counters }: L1, instruction: IssuedInstruction, access: number, begin: number): number {
  const { kind } = instruction;
  const cycles = wavefrontsOf(access);
  counters.sharedRequests++;
  counters.sharedCycles += cycles;
  if (kind === "poll" || kind === "signal") return begin + model.mbarrier.latencyCycles;
  if (kind === "atomic" || kind === "reduce")
    return (
      begin +
      sharedAtomicCycles(model, instruction.atomic, cycles, conflictsOf(access), kind === "reduce") +
      model.atomics.sharedLatencyCycles
    );
  // The matrices of ldmatrix follow each other in two cycles (records: ldmatrix_lat_x2, _x4).
  const last = (cycles - 1) * (kind === "load" && instruction.form.startsWith("ldmatrix") ? 2 : 1);
  return begin + last + (instruction.isRemote ? model.cluster.remoteLatencyCycles : model.shared.latencyCycles);
}

function requestGlobal(
  l1: L1,
  instruction: IssuedInstruction,
  access: number,
  lines: Float64Array,
  first: number,
  at: number,
  begin: number,
): number {
  const { model, counters, device } = l1;
  const { kind } = instruction;
  const space = spaceOf(access);
  const loads = kind === "load" || kind === "prefetch" || kind === "async";
  if (loads) counters.requests++;
  else counters.storeRequests++;
  const { hits } = counters;
  const bypasses = instruction.bypassesL1 || instruction.signalsBarrier;
  let ready = begin + model.l1.latencyCycles;
  // The last line of a bulk copy identifies the mbarrier that it signals.
  const end = first + linesOf(access) - (instruction.signalsBarrier ? 1 : 0);
  for (let i = first; i < end; i++) {
    const entry = lines[i]!;
    const line = Math.floor(entry / 16);
    const sectors = entry - line * 16;
    if (!loads) counters.storeSectors += countSectors(sectors);
    let done: number;
    if (loads) done = load(l1, line, sectors, at, begin, bypasses);
    else if (kind === "store") {
      done = store(l1, space, line, sectors, bytesPerSectorOf(access), at);
      done = settle(l1, done, at, begin, model.lsu.backlogCycles);
    } else {
      done = updateSectors(device, l1.sm, line, sectors, conflictsOf(access), instruction.atomic, at);
      done = settle(l1, done, at, begin, model.lsu.pendingAtomics * device.held);
    }
    if (done > ready) ready = done;
  }
  instruction.cost.hits += counters.hits - hits;
  // An asynchronous copy continues from L1 into shared memory.
  if (kind === "async") ready = Math.max(ready, begin + model.l1.latencyCycles + model.shared.latencyCycles);
  return Math.ceil(ready) + wavefrontsOf(access) - 1;
}

/**
 * After a request beyond the SM. Waiting for the path and for queues beyond it overlap; the path is held back while requests
 * queue for longer than the requests in flight allow. The later of the two is the cycle of the result.
 */
function settle(l1: L1, ready: number, at: number, begin: number, backlog: number): number {
  const { delay } = l1.device;
  const until = Math.ceil(at + delay - backlog);
  if (until > l1.free) l1.free = until;
  return ready + Math.max(0, begin - at - delay);
}

function load(l1: L1, line: number, sectors: number, at: number, begin: number, bypasses: boolean): number {
  const { cache, counters, device, model } = l1;
  const { backlogCycles } = model.lsu;
  counters.sectors += countSectors(sectors);
  if (bypasses) return settle(l1, readSectors(device, l1.sm, line, sectors, at), at, begin, backlogCycles);
  const entry = touchLine(cache, line);
  const present = sectorsOf(cache, entry) & sectors;
  const missing = sectors & ~present;
  counters.hits += countSectors(present);
  let ready = begin + model.l1.latencyCycles;
  if (present !== 0) ready = Math.max(ready, arrivalOf(cache, entry));
  if (missing === 0) return ready;
  const arrival = settle(l1, readSectors(device, l1.sm, line, missing, at), at, begin, backlogCycles);
  addSectors(cache, entry, missing);
  if (arrival > arrivalOf(cache, entry)) setArrival(cache, entry, arrival);
  return Math.max(ready, arrival);
}

/** Stores are written through; those to local memory stay readable (an H200's L2 sees every one: record localarr). */
function store(l1: L1, space: number, line: number, sectors: number, bytesPerSector: number, at: number): number {
  if (space === local) addSectors(l1.cache, touchLine(l1.cache, line), sectors);
  return writeSectors(l1.device, l1.sm, line, sectors, bytesPerSector, at);
}

/** Whether all lines of constants were present; they are afterwards. */
function touchConstants(cache: Cache, lines: Float64Array, first: number, count: number): boolean {
  let all = true;
  for (let i = first; i < first + count; i++) {
    const line = Math.floor(lines[i]! / 16);
    const sectors = lines[i]! - line * 16;
    if ((sectors & 3) !== 0 && !touchHalf(cache, 2 * line)) all = false;
    if ((sectors & 12) !== 0 && !touchHalf(cache, 2 * line + 1)) all = false;
  }
  return all;
}

function touchHalf(cache: Cache, line: number): boolean {
  const entry = touchLine(cache, line);
  const isPresent = sectorsOf(cache, entry) !== 0;
  addSectors(cache, entry, 1);
  return isPresent;
}

/** Cycles that an atomic on shared memory occupies the path: lanes on one word are serialised, or are summed first. */
function sharedAtomicCycles(
  { atomics }: GpuModel,
  cost: IssuedInstruction["atomic"],
  wavefronts: number,
  conflicts: number,
  isReduction: boolean,
): number {
  switch (cost) {
    case "float":
      // A loop of compare-and-swap, one iteration for each colliding lane.
      return Math.max(wavefronts, conflicts) * atomics.sharedFloatCycles;
    case "exchange":
      return Math.max(wavefronts, conflicts) * atomics.sharedExchangeCycles;
    case "swap":
      return 2 * Math.max(wavefronts, conflicts) * atomics.sharedExchangeCycles;
    case "extreme":
      return Math.max(wavefronts, conflicts * atomics.sharedExtremeCycles);
    case "combined":
    case "combinedLong":
      return wavefronts + (isReduction ? 0 : atomics.sharedScanCycles);
    default:
      return Math.max(wavefronts, conflicts * atomics.sharedConflictCycles);
  }
}
