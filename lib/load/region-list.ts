// The regions of device memory, sorted by address and found by bisection. The entry of a released region stays in the list until
// half of the entries are empty. Closing each gap at once would make kernels that free many allocations quadratic.

import type { Address } from "../base/brand.js";

/** The first address of a region, and the region; undefined when it has been released. */
export interface RegionEntry {
  readonly base: number;
  region: Region | undefined;
}

export interface RegionList {
  entries: RegionEntry[];
  /** Number of empty entries. */
  gaps: number;
}

/** Fewer empty entries than this stay in the list. */
const FEW_GAPS = 64;

export const createRegionList = (): RegionList => ({ entries: [], gaps: 0 });

export const regionsOf = ({ entries }: RegionList): readonly Region[] => entries.flatMap(({ region }) => region ?? []);

/** Index of the last entry whose base is not above the address, or -1. */
function indexAt({ entries }: RegionList, address: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries[middle]!.base <= address) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The last entry whose base is not above the address. */
export const entryAt = (list: RegionList, address: number): RegionEntry | undefined =>
  list.entries[indexAt(list, address)];

export function addRegion(list: RegionList, region: Region): void {
  const { entries } = list;
  const entry = { base: region.base as number, region };
  if (entries.length === 0 || entries.at(-1)!.base < region.base) entries.push(entry);
  else insert(list, entry, region.base + Math.max(1, region.size));
}

/** Inserts an entry between others, when addresses are reused. */
function insert(list: RegionList, entry: RegionEntry, end: number): void {
  const { entries } = list;
  const at = indexAt(list, entry.base);
  const from = entries[at]?.base === entry.base ? at : at + 1;
  let to = from;
  // Entries in this range are empty.
  while (to < entries.length && entries[to]!.base < end) to++;
  list.gaps -= to - from;
  entries.splice(from, to - from, entry);
}

export function removeRegion(list: RegionList, entry: RegionEntry): void {
  entry.region = undefined;
  list.gaps++;
  if (list.gaps >= FEW_GAPS && 2 * list.gaps >= list.entries.length) keepRegions(list, () => true);
}

/** Removes empty entries, and regions for which `keeps` is false. */
export function keepRegions(list: RegionList, keeps: (region: Region) => boolean): void {
  list.entries = list.entries.filter(({ region }) => region !== undefined && keeps(region));
  list.gaps = 0;
}

/** Sorts the list after regions were added in any order. */
export const sortRegions = ({ entries }: RegionList): void => void entries.sort((a, b) => a.base - b.base);

/** The lowest address from `start` on, a multiple of `step`, at which `size` bytes fit with `guard` bytes to both neighbours. */
export function lowestFit({ entries }: RegionList, start: number, size: number, step: number, guard: number): number {
  let base = start;
  for (const { region } of entries) {
    if (region === undefined) continue;
    if (base + size + guard <= region.base) break;
    base = Math.ceil((region.base + region.size + guard) / step) * step;
  }
  return base;
}

/** One allocation. */
export interface Region {
  readonly base: Address;
  /** Bytes. */
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset of the bytes in the arena; -1 if they are outside it. */
  readonly offset: number;
  readonly writable: boolean;
  readonly owner: Owner;
}

/**
 * The owner of an allocation: the host (buffers, the image's variables), or a kernel's malloc. Each releases only its own memory.
 */
export type Owner = "host" | "heap";
