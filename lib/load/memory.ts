// Device memory: separate allocations in one address space, with guard gaps between them, so that a wild pointer finds
// nothing and is reported, and can never reach the host's memory.
//
// Addresses are never given out twice, so that a pointer into released memory is caught too (47 bits of address space last long
// enough; of 32 bits they are once all have been). Engines keep the last region they found.
//
// Threads of the host that share the memory each have a list of the regions, kept consistent by a log (allocation-log.ts).
//
// The bytes of a region lie in the arena, where generated code reaches them; those of regions that the arena's 4 GiB have no
// room for are buffers of their own.

import type { Address } from "../base/brand.js";
import { ADDRESS_SPACES, type AddressSpace } from "./address-space.js";
import { type Arena, createArena, giveBytesBack, type Stretch, takeBytes } from "./arena.js";
import {
  createAllocationLog,
  isLogBehind,
  joinAllocationLog,
  publishLog,
  readLog,
  withLog,
  writeLog,
  type AllocationLog,
  type AllocationEntry,
  type AllocationTotals,
} from "./allocation-log.js";
import {
  addRegion,
  createRegionList,
  entryAt,
  keepRegions,
  lowestFit,
  regionsOf,
  removeRegion,
  sortRegions,
  type RegionList,
  type Region,
  type Owner,
} from "./region-list.js";

export interface Memory {
  /** A zeroed allocation of `size` bytes whose address is a multiple of `align` (at least 256). Throws RangeError beyond the limit. */
  allocate(size: number, align?: number, owner?: Owner): Region;
  /** False when no allocation of that owner begins there. */
  release(base: Address, owner?: Owner): boolean;
  /** Counts bytes that no allocation has, those of images; fewer of them where negative. Throws RangeError beyond the limit. */
  charge(bytes: number): void;
  /** Number of releases so far: cached regions are invalid when it changes. */
  readonly releases: number;
  /** The region that holds [address, address + size), or undefined. */
  find(address: number, size: number): Region | undefined;
  /** The region at or below the address: what a wild pointer most probably meant. For messages. */
  nearest(address: number): Region | undefined;
  /** Bytes allocated now, the most that ever were, and how many may be. */
  readonly allocatedBytes: number;
  readonly peakBytes: number;
  readonly limitBytes: number;
  /** How many allocations there are. */
  readonly allocations: number;
  /**
   * Lets other threads have this memory: what `joinMemory` takes besides the arena. Undefined where they cannot reach all of
   * it. From then on what one thread allocates is found by all.
   */
  share(): number | undefined;
  /** Takes note of what other threads have released; what they allocated is found without. */
  refresh(): void;
  /** Where its bytes are, and those of everything else that kernels reach; undefined where the host has no such memory. */
  readonly arena: Arena | undefined;
}

/** Bytes between two allocations, at least: an index that is somewhat out of range lands there. */
const GUARD_BYTES = 64 * 1024;

/** The default limit of all allocations together. */
export const DEFAULT_MEMORY_LIMIT = 4 * 2 ** 30;

/** A region's value over zeroed bytes. */
export function createRegion(
  base: number,
  { bytes, view, offset }: Stretch,
  writable = true,
  owner: Owner = "host",
): Region {
  return { base: base as Address, size: bytes.length, bytes, view, offset, writable, owner };
}

/** An empty device memory that refuses to hold more than `limitBytes`. */
export function createMemory(limitBytes = DEFAULT_MEMORY_LIMIT, space = ADDRESS_SPACES[64]): Memory {
  return memoryIn(createArena(), Math.min(limitBytes, space.limit - space.globalBase), space, undefined);
}

/** The memory of another thread, by what its `share` answered. */
export function joinMemory(arena: Arena, allocationLog: number, limitBytes: number, space: AddressSpace): Memory {
  return memoryIn(arena, limitBytes, space, joinAllocationLog(arena, allocationLog));
}

const entryOf = ({ base, size, offset, owner }: Region, isRelease = false): AllocationEntry => ({
  base,
  size,
  offset,
  isHeap: owner === "heap",
  isRelease,
});

/** The state of one thread's view of the memory. */
interface MemoryState {
  readonly arena: Arena | undefined;
  readonly space: AddressSpace;
  readonly limitBytes: number;
  /** Whether another thread made the memory. */
  readonly isJoined: boolean;
  readonly list: RegionList;
  log: AllocationLog | undefined;
  /** The address where the next allocation may begin. */
  next: number;
  allocatedBytes: number;
  peakBytes: number;
  /** The count of releases is a field of the memory, not a getter: engines read it before each run of generated code. */
  readonly counts: { releases: number };
}

const noRoom = ({ allocatedBytes, limitBytes }: MemoryState, size: number): RangeError =>
  new RangeError(`device memory: cannot allocate ${size} bytes (${allocatedBytes} of ${limitBytes} are in use)`);

function count(state: MemoryState, size: number): void {
  state.allocatedBytes += size;
  state.peakBytes = Math.max(state.peakBytes, state.allocatedBytes);
}

// ----------------------------------------------------------------------------------------------------------- other threads

const totalsOf = ({ next, allocatedBytes, peakBytes, counts: { releases } }: MemoryState): AllocationTotals => ({
  next,
  allocatedBytes,
  peakBytes,
  releases,
});

function catchUp(state: MemoryState): void {
  const { arena, list, log } = state;
  if (log === undefined || !isLogBehind(log)) return;
  const news = readLog(log);
  // Only this thread knows of memory outside the arena.
  if (news.all) keepRegions(list, ({ offset }) => offset < 0);
  for (const { base, size, offset, isHeap, isRelease } of news.entries) {
    if (offset < 0) continue;
    if (isRelease) removeRegion(list, entryAt(list, base)!);
    else addRegion(list, createRegion(base, arena!.at(offset, size), true, isHeap ? "heap" : "host"));
  }
  if (news.all) sortRegions(list);
  const { releases, ...sums } = news.totals;
  Object.assign(state, sums);
  state.counts.releases = releases;
}

function refresh(state: MemoryState): void {
  if (state.log !== undefined && isLogBehind(state.log)) withLog(state.log, () => catchUp(state));
}

/** Changes the list; no other thread does meanwhile. */
function changing<T>(state: MemoryState, work: () => T): T {
  const { log } = state;
  if (log === undefined) return work();
  return withLog(log, () => {
    catchUp(state);
    return work();
  });
}

function publish(state: MemoryState, region: Region, isRelease: boolean): void {
  const { log, list } = state;
  if (log === undefined) return;
  writeLog(log, entryOf(region, isRelease), totalsOf(state), () =>
    regionsOf(list).flatMap((each) => (each.offset < 0 ? [] : [entryOf(each)])),
  );
}

function share(state: MemoryState): number | undefined {
  const { arena, list } = state;
  const regions = regionsOf(list);
  if (arena === undefined || regions.some(({ offset }) => offset < 0)) return undefined;
  state.log ??= createAllocationLog(
    arena,
    regions.map((region) => entryOf(region)),
    totalsOf(state),
  );
  return state.log?.offset;
}

// ------------------------------------------------------------------------------------------------------------ allocations

function allocate(state: MemoryState, size: number, align: number, owner: Owner): Region {
  const { arena, list, space, limitBytes } = state;
  const step = Math.max(256, align);
  if (!Number.isSafeInteger(size) || size < 0 || state.allocatedBytes + size > limitBytes) throw noRoom(state, size);
  const above = Math.ceil(state.next / step) * step;
  const base = above + size > space.limit ? lowestFit(list, space.globalBase, size, step, GUARD_BYTES) : above;
  if (base + size > space.limit) throw noRoom(state, size);
  const stretch = takeBytes(arena, size);
  if (stretch.offset < 0 && state.isJoined)
    throw new RangeError(`device memory: ${size} bytes are not there for all threads`);
  const region = createRegion(base, stretch, true, owner);
  addRegion(list, region);
  state.next = Math.max(state.next, base + size + GUARD_BYTES);
  count(state, size);
  publish(state, region, false);
  return region;
}

function charge(state: MemoryState, bytes: number): void {
  if (state.allocatedBytes + bytes > state.limitBytes) throw noRoom(state, bytes);
  count(state, bytes);
  if (state.log !== undefined) publishLog(state.log, totalsOf(state));
}

function release(state: MemoryState, base: Address, owner: Owner): boolean {
  const entry = entryAt(state.list, base);
  const region = entry?.region;
  if (entry === undefined || region?.base !== base || region.owner !== owner) return false;
  state.counts.releases++;
  removeRegion(state.list, entry);
  state.allocatedBytes -= region.size;
  publish(state, region, true);
  giveBytesBack(state.arena, region);
  return true;
}

function memoryIn(
  arena: Arena | undefined,
  limitBytes: number,
  space: AddressSpace,
  joined: AllocationLog | undefined,
): Memory {
  const list = createRegionList();
  const memory: Memory & { releases: number } = {
    arena,
    limitBytes,
    releases: 0,
    get allocatedBytes() {
      refresh(state);
      return state.allocatedBytes;
    },
    get peakBytes() {
      refresh(state);
      return state.peakBytes;
    },
    get allocations() {
      refresh(state);
      return list.entries.length - list.gaps;
    },
    share: () => share(state),
    refresh: () => refresh(state),
    allocate: (size, align = 256, owner = "host") => changing(state, () => allocate(state, size, align, owner)),
    charge: (bytes) => changing(state, () => charge(state, bytes)),
    release: (base, owner = "host") => changing(state, () => release(state, base, owner)),
    find(address, size) {
      refresh(state);
      const region = entryAt(list, address)?.region;
      return region !== undefined && address - region.base + size <= region.size ? region : undefined;
    },
    nearest(address) {
      refresh(state);
      return list.entries.findLast(({ base, region }) => region !== undefined && base <= address)?.region;
    },
  };
  const state: MemoryState = {
    arena,
    space,
    limitBytes,
    isJoined: joined !== undefined,
    list,
    log: joined,
    next: space.globalBase,
    allocatedBytes: 0,
    peakBytes: 0,
    counts: memory,
  };
  refresh(state);
  return memory;
}
