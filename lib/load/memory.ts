// Device memory: separate allocations in one address space, with guard gaps between them. A wild pointer hits a gap and is
// reported; it never reaches the host's memory.
//
// Addresses are not reused, so that accesses to released memory are caught too. 47 bits of address space last long enough; 32-bit
// addresses are reused once all were used. Engines cache the last region they found.
//
// Host threads that share the memory each have a list of the regions, kept consistent by a log (allocation-log.ts).
//
// The bytes of a region are in the arena, where generated code can access them. If the arena's 4 GiB have no room, the region has
// a buffer of its own.

import type { Address } from "../base/brand.js";
import { ADDRESS_SPACES, type AddressSpace } from "./address-space.js";
import { type Arena, createArena, releaseBytes, type ArenaBlock, allocateBytes } from "./arena.js";
import {
  createAllocationLog,
  hasUnreadEntries,
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
  /** Allocates `size` zeroed bytes at a multiple of `align` (at least 256). Throws RangeError beyond the limit. */
  allocate(size: number, align?: number, owner?: Owner): Region;
  /** Frees an allocation; false if no allocation of that owner begins at `base`. */
  release(base: Address, owner?: Owner): boolean;
  /**
   * Adds bytes outside allocations (those of images) to the count; a negative number removes them. Throws RangeError beyond the
   * limit.
   */
  charge(bytes: number): void;
  /** Number of releases so far: cached regions are invalid when it changes. */
  readonly releases: number;
  /** The region that holds [address, address + size), or undefined. */
  find(address: number, size: number): Region | undefined;
  /** The region at or below the address, which a wild pointer most probably refers to. For messages. */
  nearest(address: number): Region | undefined;
  /** Bytes allocated now, their maximum so far, and their limit. */
  readonly allocatedBytes: number;
  readonly peakBytes: number;
  readonly limitBytes: number;
  /** Number of allocations. */
  readonly allocations: number;
  /**
   * Shares the memory with other threads and returns the log's offset, which `joinMemory` needs besides the arena. Undefined if
   * other threads cannot access all of the memory. Afterwards all threads find each other's allocations.
   */
  share(): number | undefined;
  /** Applies releases by other threads; their allocations are found without it. */
  refresh(): void;
  /** The arena with the bytes of allocations and all else that kernels access; undefined where the host has no such memory. */
  readonly arena: Arena | undefined;
}

/** Least bytes between two allocations: a slightly wrong index hits them. */
const GUARD_BYTES = 64 * 1024;

/** The default limit of all allocations together. */
export const DEFAULT_MEMORY_LIMIT = 4 * 2 ** 30;

/** A region at `base` whose zeroed bytes are `storage`. */
export function createRegion(
  base: number,
  { bytes, view, offset }: ArenaBlock,
  writable = true,
  owner: Owner = "host",
): Region {
  return { base: base as Address, size: bytes.length, bytes, view, offset, writable, owner };
}

/** An empty device memory with a limit of `limitBytes`. */
export function createMemory(limitBytes = DEFAULT_MEMORY_LIMIT, space = ADDRESS_SPACES[64]): Memory {
  return memoryIn(createArena(), Math.min(limitBytes, space.limit - space.globalBase), space, undefined);
}

/** The memory of another thread; `allocationLog` is the result of that thread's `share`. */
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
  /** First address that the next allocation may use. */
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
  if (log === undefined || !hasUnreadEntries(log)) return;
  const news = readLog(log);
  // Only this thread knows regions outside the arena.
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
  if (state.log !== undefined && hasUnreadEntries(state.log)) withLog(state.log, () => catchUp(state));
}

/** Runs work that changes the list, while no other thread changes it. */
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
  const storage = allocateBytes(arena, size);
  if (storage.offset < 0 && state.isJoined)
    throw new RangeError(`device memory: ${size} bytes are not there for all threads`);
  const region = createRegion(base, storage, true, owner);
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
  releaseBytes(state.arena, region);
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
