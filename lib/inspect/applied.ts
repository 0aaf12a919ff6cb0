// What nvlink -preserve-relocs keeps of the relocations that it has applied: tables beside those that are still to be applied, under
// names of their own. What was applied to all functions of one name is in one table, which names one of them. Seen in 2,300
// images of nvlink 13.0.88 for sm_75 to sm_121, of random sets and of functions of one name.

import { SHT_CUDA, type ElfFile, type ElfSection } from "../../formats/elf/index.js";

/** Whether records of the section are those that nvlink has applied and kept. */
export const areApplied = ({ type }: ElfSection): boolean =>
  type === SHT_CUDA.RESOLVED_RELA || type === SHT_CUDA.MERC_RESOLVED_RELA;

/** The sections that the records of a table may be of. */
export interface Relocated {
  readonly count: number;
  /** Bytes of the largest. */
  readonly size: number;
  /**
   * Whether places and types of the records may be left-over memory. For sm_100 and later nvlink says that -preserve-relocs "is
   * not fully implemented": of functions of one name only symbols and addends are right, and are those of the second copy's
   * records (.nv.merc.nv.resolvedrela), whose places and types are right.
   */
  readonly mayBeLeftOver: boolean;
}

/** What tables of a file are for; `sizeOf` is what places in a section are bounded by, its size unless said. */
export function relocatedIn(
  { sections }: ElfFile,
  sizeOf: (section: ElfSection) => number = ({ size }) => size,
): (table: ElfSection, target: ElfSection) => Relocated {
  const hasCopy = sections.some(({ type }) => type === SHT_CUDA.CAPMERC);
  const byName = new Map<string, { count: number; size: number }>();
  if (sections.some(areApplied))
    for (const section of sections) {
      const all = byName.get(section.name) ?? { count: 0, size: 0 };
      all.count++;
      all.size = Math.max(all.size, sizeOf(section));
      byName.set(section.name, all);
    }
  return (table, target) => {
    const all = areApplied(table) ? byName.get(target.name) : undefined;
    const { count, size } = all ?? { count: 1, size: sizeOf(target) };
    return { count, size, mayBeLeftOver: hasCopy && count > 1 && table.type === SHT_CUDA.RESOLVED_RELA };
  };
}
