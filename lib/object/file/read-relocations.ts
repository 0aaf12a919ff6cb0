// Reads the relocations of a file's sections, merged into the order of the declarations. Checks every index and offset.

import { R_CUDA, relocationName } from "../../../formats/cuda/index.js";
import { malformed, need } from "../../../formats/bytes/malformed.js";
import { relocationsOf, SHT, type ElfFile, type ElfSection, type RelocationTable } from "../../../formats/elf/index.js";
import { addendFault } from "../declared.js";
import type { AppliedRelocation, ObjectSymbol, Relocation } from "../object.js";
import { isHolderType } from "../relocation-types.js";
import type { SectionNote } from "./read-declarations.js";

/** The relocation tables of each section, by the section's index. */
export type RelocationTables = Readonly<Record<RelocationTable["kind"], ReadonlyMap<number, RelocationTable>>>;

export function relocationTables(file: ElfFile): RelocationTables {
  const tables = { rel: new Map<number, RelocationTable>(), rela: new Map<number, RelocationTable>() };
  for (const section of file.sections) {
    if (section.type !== SHT.REL && section.type !== SHT.RELA) continue;
    const table = need(relocationsOf(file, section));
    const known = tables[table.kind];
    if (known.has(section.info))
      malformed("malformed", section.headerOffset, `a second ${table.kind} table for section ${section.info}`);
    known.set(section.info, table);
  }
  return tables;
}

/** Merges both tables of a section into the order of the declarations. */
export function mergeRelocations(
  section: ElfSection,
  note: SectionNote,
  tables: RelocationTables,
  indices: ReadonlyMap<number, number>,
  symbols: readonly ObjectSymbol[],
): readonly Relocation[] {
  const [rel, rela] = [tables.rel.get(section.index), tables.rela.get(section.index)];
  const next = { rel: 0, rela: 0 };
  const merged = note.relocations.map(({ width, rela: isRela }): Relocation => {
    const table = isRela ? rela : rel;
    const i = isRela ? next.rela++ : next.rel++;
    if (table === undefined || i >= table.count)
      malformed("malformed", section.headerOffset, `${section.name}: fewer relocations than declared`);
    const at = table.section.offset + i * (isRela ? 24 : 16);
    const symbol =
      indices.get(table.symbol(i)) ??
      malformed("malformed", at, `a relocation to symbol ${table.symbol(i)}, which is not of the object`);
    const [offset, type] = [table.offset(i), table.type(i)];
    const where = () =>
      `${table.section.name}, record ${i}, for '${symbols[symbol]!.name}' at offset ${table.offset64(i)}`;
    if (offset + width > section.size)
      malformed("out-of-range", at, `${where()}: ${width} bytes of ${section.name}, which has ${section.size}`);
    if (note.role.kind === "text" ? type !== R_CUDA["64"] : !isHolderType(type))
      malformed(
        "malformed",
        at + 8,
        `${where()}: ${relocationName(type) ?? `type ${type}`} is not a relocation of ${section.name}`,
      );
    const addend = table.addend64(i);
    const fault = addend === 0n ? undefined : addendFault(addend, symbols[symbol]!);
    if (fault !== undefined) malformed("malformed", at + 16, `${where()}: ${fault}`);
    return { offset, type, symbol, addend, width };
  });
  if (next.rel !== (rel?.count ?? 0) || next.rela !== (rela?.count ?? 0))
    malformed("malformed", section.headerOffset, `${section.name}: more relocations than declared`);
  return merged;
}

/** Applied relocations. A malformed table of them is ignored, because only tools show them. */
export function appliedRelocations(
  file: ElfFile,
  section: ElfSection | undefined,
  indices: ReadonlyMap<number, number>,
): readonly AppliedRelocation[] | undefined {
  const read = section && relocationsOf(file, section);
  if (read?.ok !== true) return undefined;
  const table = read.value;
  return Array.from({ length: table.count }, (_, i) => i).flatMap((i): AppliedRelocation[] => {
    const symbol = indices.get(table.symbol(i));
    return symbol === undefined
      ? []
      : [{ offset: table.offset(i), type: table.type(i), symbol, addend: table.addend64(i) }];
  });
}
