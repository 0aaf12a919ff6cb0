// Device memory: separate allocations in one address space, with guard gaps between them, so that a wild pointer finds
// nothing and is reported, and can never reach the host's memory.
//
// Regions are kept sorted by address and found by bisection; engines keep the last region they found. Addresses are never
// given out twice, so that a pointer into released memory is caught too (47 bits of address space last long enough; of 32 bits they
// are once all have been). The place
// of a released region stays empty until half of the places are: closing each gap at once would take kernels that free as many
// allocations as they made time that grows with the square.
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
  joinAllocationLog,
  type AllocationLog,
  type AllocationEntry,
  type AllocationTotals,
} from "./allocation-log.js";

/** One allocation. */
export interface Region {
  readonly base: Address;
  /** Bytes. */
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Where the bytes begin in the arena; -1: not there. */
  readonly offset: number;
  readonly writable: boolean;
  readonly owner: Owner;
}

/** The allocator: the host (buffers, the image's variables), or a kernel's malloc. Each releases only its own memory. */
export type Owner = "host" | "heap";

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

/** Where a region begins; without it when it has been released. */
interface RegionEntry {
  readonly base: number;
  region: Region | undefined;
}

/** Empty places that are not worth closing. */
const FEW_GAPS = 64;

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

function memoryIn(
  arena: Arena | undefined,
  limitBytes: number,
  { globalBase, limit }: AddressSpace,
  joined: AllocationLog | undefined,
): Memory {
  let places: RegionEntry[] = [];
  let gaps = 0;
  let allocationLog = joined;
  let next = globalBase;
  let allocatedBytes = 0;
  let peakBytes = 0;

  const noRoom = (size: number): RangeError =>
    new RangeError(`device memory: cannot allocate ${size} bytes (${allocatedBytes} of ${limitBytes} are in use)`);
  const counted = (size: number): void => {
    allocatedBytes += size;
    peakBytes = Math.max(peakBytes, allocatedBytes);
  };
  const regions = (): readonly Region[] => places.flatMap(({ region }) => region ?? []);
  const add = (region: Region): void => {
    const place = { base: region.base as number, region };
    if (places.length === 0 || places.at(-1)!.base < region.base) places.push(place);
    else insert(place, region.base + Math.max(1, region.size));
  };
  const remove = (place: RegionEntry): void => {
    place.region = undefined;
    gaps++;
    if (gaps < FEW_GAPS || 2 * gaps < places.length) return;
    places = places.filter(({ region }) => region !== undefined);
    gaps = 0;
  };
  /** Index of the last place whose base is not above the address, or -1. */
  const indexAt = (address: number): number => {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (places[middle]!.base <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };

  /** Between others, when addresses are given out again. */
  const insert = (place: RegionEntry, end: number): void => {
    const at = indexAt(place.base);
    const from = places[at]?.base === place.base ? at : at + 1;
    let to = from;
    // Only emptied places are there.
    while (to < places.length && places[to]!.base < end) to++;
    gaps -= to - from;
    places.splice(from, to - from, place);
  };
  /** The lowest address that has room between allocations, guards included; undefined where there is none. */
  const lowest = (size: number, step: number): number | undefined => {
    let base = globalBase;
    for (const { region } of places) {
      if (region === undefined) continue;
      if (base + size + GUARD_BYTES <= region.base) break;
      base = Math.ceil((region.base + region.size + GUARD_BYTES) / step) * step;
    }
    return base + size <= limit ? base : undefined;
  };

  // ------------------------------------------------------------------------------------------------------- other threads

  const totals = (): AllocationTotals => ({ next, allocatedBytes, peakBytes, releases: memory.releases });
  const catchUp = (): void => {
    if (allocationLog?.isBehind !== true) return;
    const news = allocationLog.read();
    // Only this thread knows of memory outside the arena.
    if (news.all) {
      places = places.filter(({ region }) => region !== undefined && region.offset < 0);
      gaps = 0;
    }
    for (const { base, size, offset, isHeap, isRelease } of news.entries) {
      if (offset < 0) continue;
      if (isRelease) remove(places[indexAt(base)]!);
      else add(createRegion(base, arena!.at(offset, size), true, isHeap ? "heap" : "host"));
    }
    if (news.all) places.sort((a, b) => a.base - b.base);
    ({ next, allocatedBytes, peakBytes, releases: memory.releases } = news.totals);
  };
  const refresh = (): void => {
    if (allocationLog?.isBehind === true) allocationLog.exclusively(catchUp);
  };
  /** Changes the list; no other thread does meanwhile. */
  const changing = <T>(work: () => T): T => {
    if (allocationLog === undefined) return work();
    return allocationLog.exclusively(() => {
      catchUp();
      return work();
    });
  };
  const tell = (region: Region, isRelease: boolean): void =>
    allocationLog?.write(entryOf(region, isRelease), totals(), () =>
      regions().flatMap((each) => (each.offset < 0 ? [] : [entryOf(each)])),
    );

  // A field, not a getter: engines look at it before each run of generated code.
  const memory: Memory & { releases: number } = {
    arena,
    releases: 0,
    get allocatedBytes() {
      refresh();
      return allocatedBytes;
    },
    get peakBytes() {
      refresh();
      return peakBytes;
    },
    limitBytes,
    get allocations() {
      refresh();
      return places.length - gaps;
    },
    share() {
      if (arena === undefined || regions().some(({ offset }) => offset < 0)) return undefined;
      allocationLog ??= createAllocationLog(
        arena,
        regions().map((region) => entryOf(region)),
        totals(),
      );
      return allocationLog?.offset;
    },
    refresh,
    allocate: (size, align = 256, owner = "host") =>
      changing(() => {
        const step = Math.max(256, align);
        const isNumber = Number.isSafeInteger(size) && size >= 0;
        const above = Math.ceil(next / step) * step;
        const base = isNumber && above + size > limit ? lowest(size, step) : above;
        if (!isNumber || allocatedBytes + size > limitBytes || base === undefined) throw noRoom(size);
        const stretch = takeBytes(arena, size);
        if (stretch.offset < 0 && joined !== undefined)
          throw new RangeError(`device memory: ${size} bytes are not there for all threads`);
        const region = createRegion(base, stretch, true, owner);
        add(region);
        next = Math.max(next, base + size + GUARD_BYTES);
        counted(size);
        tell(region, false);
        return region;
      }),
    charge: (bytes) =>
      changing(() => {
        if (allocatedBytes + bytes > limitBytes) throw noRoom(bytes);
        counted(bytes);
        allocationLog?.count(totals());
      }),
    release: (base, owner = "host") =>
      changing(() => {
        const place = places[indexAt(base)];
        const region = place?.region;
        if (place === undefined || region?.base !== base || region.owner !== owner) return false;
        memory.releases++;
        remove(place);
        allocatedBytes -= region.size;
        tell(region, true);
        giveBytesBack(arena, region);
        return true;
      }),
    find(address, size) {
      refresh();
      const region = places[indexAt(address)]?.region;
      return region !== undefined && address - region.base + size <= region.size ? region : undefined;
    },
    nearest(address) {
      refresh();
      return places.findLast(({ base, region }) => region !== undefined && base <= address)?.region;
    },
  };
  refresh();
  return memory;
}
