// Regions that accesses of generated code remember: for each address register of a segment the allocation that it pointed to
// when the interpreter was asked last. Until then, and after memory was given back, there is none. Those that accesses met lately
// are also kept together, for lanes that are not all in one.

import type { Stretch } from "../../load/arena.js";
import type { Region } from "../../load/memory.js";
import type { Process } from "../../load/process.js";
import { CONTEXT, MOST_MET, REGION_BYTES, SITE, SITE_BYTES } from "./context.table.js";

export interface Sites {
  /** Makes room for one more; its number. */
  add(): number;
  /** Forgets all when memory has been given back. */
  refresh(): void;
  /** Remembers the region of the access that missed, if it is one that generated code reaches. */
  remember(): void;
}

export function createSites(process: Process, context: Stretch): Sites {
  const { memory } = process;
  const { arena } = memory;
  const { view } = context;
  let sites = arena?.take(256 * SITE_BYTES);
  let siteCount = 0;
  let releases = memory.releases;
  const met = arena?.take(MOST_MET * REGION_BYTES);
  let metCount = 0;
  /** In turns, when there are as many. */
  let metNext = 0;
  const setMet = (count: number): void => {
    metCount = count;
    view.setInt32(CONTEXT.metRegions, met?.offset ?? 0, true);
    view.setInt32(CONTEXT.metEnd, (met?.offset ?? 0) + REGION_BYTES * count, true);
  };
  setMet(0);
  const add = (): number => {
    const bytes = SITE_BYTES * (siteCount + 1);
    if (sites !== undefined && bytes > sites.bytes.length) {
      const more = arena?.take(2 * bytes);
      if (more !== undefined) more.bytes.set(sites.bytes);
      arena?.giveBack(sites);
      sites = more;
    }
    if (sites === undefined) throw new RangeError("no room for what generated code remembers");
    view.setInt32(CONTEXT.sites, sites.offset, true);
    return siteCount++;
  };
  const put = (records: DataView, at: number, { base, size, offset }: Region): void => {
    records.setBigUint64(at + SITE.base, BigInt(base), true);
    records.setUint32(at + SITE.size, size, true);
    records.setUint32(at + SITE.offset, offset, true);
  };
  const forget = (): void => {
    releases = memory.releases;
    setMet(0);
    metNext = 0;
    for (let site = 0; site < siteCount; site++) sites!.view.setUint32(SITE_BYTES * site + SITE.size, 0, true);
  };
  /** Remembers the region of the access that missed, if it is one that generated code reaches. */
  const remember = (): void => {
    const site = view.getInt32(CONTEXT.missedSite, true);
    view.setInt32(CONTEXT.missedSite, -1, true);
    if (site < 0) return;
    const lane = 31 - Math.clz32(view.getInt32(CONTEXT.missedLanes, true));
    const address = view.getBigUint64(CONTEXT.missed + 8 * lane, true);
    if (address >= 2n ** 53n) return;
    const region = memory.find(Number(address), 1);
    if (region === undefined || region.offset < 0 || !region.writable || region.size >= 2 ** 32) return;
    put(sites!.view, SITE_BYTES * site, region);
    if (met === undefined) return;
    put(met.view, REGION_BYTES * metNext, region);
    metNext = (metNext + 1) % MOST_MET;
    if (metCount < MOST_MET) setMet(metCount + 1);
  };
  const refresh = (): void => {
    if (memory.releases !== releases) forget();
  };
  view.setInt32(CONTEXT.missedSite, -1, true);
  return { add, refresh, remember };
}
