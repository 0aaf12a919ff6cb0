// Regions that accesses of generated code remember: for each address register of a segment the allocation that it pointed to
// when the interpreter was asked last. Until then, and after memory was given back, there is none.

import type { Stretch } from "../../load/arena.js";
import type { Process } from "../../load/process.js";
import { CONTEXT, SITE, SITE_BYTES } from "./context.table.js";

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
  const forget = (): void => {
    releases = memory.releases;
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
    const records = sites!.view;
    records.setBigUint64(SITE_BYTES * site + SITE.base, BigInt(region.base), true);
    records.setUint32(SITE_BYTES * site + SITE.size, region.size, true);
    records.setUint32(SITE_BYTES * site + SITE.offset, region.offset, true);
  };
  const refresh = (): void => {
    if (memory.releases !== releases) forget();
  };
  view.setInt32(CONTEXT.missedSite, -1, true);
  return { add, refresh, remember };
}
