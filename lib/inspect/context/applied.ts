// Finds the relocations that nvlink -preserve-relocs has applied and kept. They are in tables of their own types, next to those
// that are still to be applied. One table has the applied relocations of all functions with the same name, and its sh_info refers
// to one of them. Observed in 2,300 images of nvlink 13.0.88 for sm_75 to sm_121, of random sets and of functions of one name.

import { SHT_CUDA, type ElfFile, type ElfSection } from "../../../formats/elf/index.js";

/** Whether the section's records are relocations that nvlink has applied and kept. */
export const areApplied = ({ type }: ElfSection): boolean =>
  type === SHT_CUDA.RESOLVED_RELA || type === SHT_CUDA.MERC_RESOLVED_RELA;

/** The sections that a table's records may relocate. */
export interface Relocated {
  readonly count: number;
  /** Bytes of the largest of them. */
  readonly size: number;
  /**
   * Whether offsets and types of the records may be uninitialised. For sm_100 and later nvlink says that -preserve-relocs "is not
   * fully implemented". For functions of one name only symbols and addends are right. They equal those of the second copy's
   * records (.nv.merc.nv.resolvedrela), whose offsets and types are right.
   */
  readonly mayBeLeftOver: boolean;
}

/** Finds the sections that a file's tables relocate; `sizeOf` returns the limit of offsets in a section, by default its size. */
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
