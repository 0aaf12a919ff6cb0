// Sectors of the L2 that were written in part. The L2 remembers which bytes are new, so nothing has to be read as long as the rest
// may still come; but it holds a limited number of such sectors, and what falls out is read from DRAM, put together and written
// back. On an H200 a transposition, which fills its sectors soon, reads nothing for them; a scatter over 16 MiB reads 8 MB and writes
// 8 MB (records: transpose_naive, scatter; its sectors are 331,000, so that some 80,000 stayed).

import { passDram, type Dram } from "./dram.js";

export interface PartialSectors {
  /** Bytes written, by line * 4 + sector; and those keys in the order of the first write, including those of whole sectors. */
  readonly written: Map<number, number>;
  order: number[];
  first: number;
}

const SECTOR_BYTES = 32;

export const createPartialSectors = (): PartialSectors => ({ written: new Map(), order: [], first: 0 });

export function resetPartials(partials: PartialSectors): void {
  partials.written.clear();
  partials.order = [];
  partials.first = 0;
}

function oldestKey(partials: PartialSectors): number {
  for (;;) {
    const key = partials.order[partials.first++]!;
    if (partials.first > 4096 && partials.first > partials.order.length / 2) {
      partials.order = partials.order.slice(partials.first);
      partials.first = 0;
    }
    if (partials.written.has(key)) return key;
  }
}

/**
 * Writes so many bytes to each of a line's `sectors`, of which the L2 holds `present`. It tracks `most` sectors; 0: unlimited.
 */
export function writePartly(
  partials: PartialSectors,
  dram: Dram,
  most: number,
  line: number,
  sectors: number,
  present: number,
  bytesPerSector: number,
  at: number,
): void {
  if (most === 0) return;
  const { written } = partials;
  for (let sector = 0; sector < 4; sector++) {
    if (((sectors >>> sector) & 1) === 0) continue;
    const key = line * 4 + sector;
    const before = written.get(key);
    if (before === undefined && ((present >>> sector) & 1) !== 0) continue;
    const bytes = (before ?? 0) + bytesPerSector;
    if (before === undefined) partials.order.push(key);
    if (bytes < SECTOR_BYTES) written.set(key, bytes);
    else written.delete(key);
  }
  while (written.size > most) {
    const oldest = oldestKey(partials);
    written.delete(oldest);
    const home = Math.floor(oldest / 4);
    passDram(dram, home, dram.facts.leastBytes, at);
    passDram(dram, home, dram.facts.writeBackBytes, at);
    dram.counters.readBytes += SECTOR_BYTES;
    dram.counters.writeBytes += SECTOR_BYTES;
  }
}
