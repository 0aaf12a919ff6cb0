// Memory regions that accesses of generated code cache. For each address register of a segment, a record holds the allocation
// that it pointed into at its last miss. The record is empty before the first miss and after memory was released. The regions of
// the latest misses are also kept in one list, for lanes in several regions.

import type { ArenaBlock } from "../../load/arena.js";
import type { Memory } from "../../load/memory.js";
import type { Process } from "../../load/process.js";
import type { Region } from "../../load/region-list.js";
import { CONTEXT, MAX_RECENT_REGIONS, REGION_BYTES, SITE, SITE_BYTES } from "./context.table.js";

export interface Sites {
  readonly memory: Memory;
  /** The context's words (context.table.ts). */
  readonly view: DataView;
  /** Records of the sites; undefined if the arena has no room. */
  records: ArenaBlock | undefined;
  count: number;
  /** `memory.releases` when the records were last valid. */
  releases: number;
  /** Regions of recent misses, a ring of records. */
  readonly recent: ArenaBlock | undefined;
  recentCount: number;
  recentNext: number;
}

export function createSites({ memory }: Process, { view }: ArenaBlock): Sites {
  const { arena, releases } = memory;
  const sites: Sites = {
    memory,
    view,
    records: arena?.take(256 * SITE_BYTES),
    count: 0,
    releases,
    recent: arena?.take(MAX_RECENT_REGIONS * REGION_BYTES),
    recentCount: 0,
    recentNext: 0,
  };
  setRecentCount(sites, 0);
  view.setInt32(CONTEXT.missedSite, -1, true);
  return sites;
}

function setRecentCount(sites: Sites, count: number): void {
  const { view, recent } = sites;
  sites.recentCount = count;
  view.setInt32(CONTEXT.metRegions, recent?.offset ?? 0, true);
  view.setInt32(CONTEXT.metEnd, (recent?.offset ?? 0) + REGION_BYTES * count, true);
}

/** Adds a site and returns its number. */
export function addSite(sites: Sites): number {
  const { arena } = sites.memory;
  const bytes = SITE_BYTES * (sites.count + 1);
  if (sites.records !== undefined && bytes > sites.records.bytes.length) {
    const more = arena?.take(2 * bytes);
    if (more !== undefined) more.bytes.set(sites.records.bytes);
    arena?.giveBack(sites.records);
    sites.records = more;
  }
  if (sites.records === undefined) throw new RangeError("no room for the regions that generated code remembers");
  sites.view.setInt32(CONTEXT.sites, sites.records.offset, true);
  return sites.count++;
}

/** Clears all regions if memory has been released. */
export function refreshSites(sites: Sites): void {
  const { releases } = sites.memory;
  if (releases === sites.releases) return;
  sites.releases = releases;
  setRecentCount(sites, 0);
  sites.recentNext = 0;
  for (let site = 0; site < sites.count; site++) sites.records!.view.setUint32(SITE_BYTES * site + SITE.size, 0, true);
}

/** Records the region of the access that missed, if generated code can reach it. */
export function recordMiss(sites: Sites): void {
  const { view, memory, recent } = sites;
  const site = view.getInt32(CONTEXT.missedSite, true);
  view.setInt32(CONTEXT.missedSite, -1, true);
  if (site < 0) return;
  const lane = 31 - Math.clz32(view.getInt32(CONTEXT.missedLanes, true));
  const address = view.getBigUint64(CONTEXT.missed + 8 * lane, true);
  if (address >= 2n ** 53n) return;
  const region = memory.find(Number(address), 1);
  if (region === undefined || region.offset < 0 || !region.writable || region.size >= 2 ** 32) return;
  putRegion(sites.records!.view, SITE_BYTES * site, region);
  if (recent === undefined) return;
  putRegion(recent.view, REGION_BYTES * sites.recentNext, region);
  sites.recentNext = (sites.recentNext + 1) % MAX_RECENT_REGIONS;
  if (sites.recentCount < MAX_RECENT_REGIONS) setRecentCount(sites, sites.recentCount + 1);
}

function putRegion(records: DataView, at: number, { base, size, offset }: Region): void {
  records.setBigUint64(at + SITE.base, BigInt(base), true);
  records.setUint32(at + SITE.size, size, true);
  records.setUint32(at + SITE.offset, offset, true);
}
