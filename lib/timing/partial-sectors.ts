// Sectors of the L2 that were written in part. The L2 remembers which bytes are new, so nothing has to be read as long as the rest
// may still come; but it holds a limited number of such sectors, and what falls out is read from DRAM, put together and written
// back. On an H200 a transposition, which fills its sectors soon, reads nothing for them; a scatter over 16 MiB reads 8 MB and writes
// 8 MB (records: transpose_naive, scatter; its sectors are 331,000, so that some 80,000 stayed).

import type { Dram } from "./dram.js";
import type { GpuModel } from "./model.js";

export interface PartialSectors {
  /** `sectors` of a line, of which the L2 holds `present`, get so many bytes each. */
  readonly write: (line: number, sectors: number, present: number, bytesPerSector: number, at: number) => void;
  readonly reset: () => void;
}

const SECTOR_BYTES = 32;

export function createPartialSectors(
  { l2, dram: { leastBytes, writeBackBytes } }: GpuModel,
  dram: Dram,
): PartialSectors {
  /** Bytes written, by line * 4 + sector; and those keys in the order of the first write, those of whole ones among them. */
  const written = new Map<number, number>();
  let order: number[] = [];
  let first = 0;

  function oldestKey(): number {
    for (;;) {
      const key = order[first++]!;
      if (first > 4096 && first > order.length / 2) {
        order = order.slice(first);
        first = 0;
      }
      if (written.has(key)) return key;
    }
  }

  return {
    reset: () => {
      written.clear();
      order = [];
      first = 0;
    },
    write: (line, sectors, present, bytesPerSector, at) => {
      if (l2.partialSectors === 0) return;
      for (let sector = 0; sector < 4; sector++) {
        if (((sectors >>> sector) & 1) === 0) continue;
        const key = line * 4 + sector;
        const before = written.get(key);
        if (before === undefined && ((present >>> sector) & 1) !== 0) continue;
        const bytes = (before ?? 0) + bytesPerSector;
        if (before === undefined) order.push(key);
        if (bytes < SECTOR_BYTES) written.set(key, bytes);
        else written.delete(key);
      }
      while (written.size > l2.partialSectors) {
        const oldest = oldestKey();
        written.delete(oldest);
        const home = Math.floor(oldest / 4);
        dram.pass(home, leastBytes, at);
        dram.pass(home, writeBackBytes, at);
        dram.counters.readBytes += SECTOR_BYTES;
        dram.counters.writeBytes += SECTOR_BYTES;
      }
    },
  };
}
