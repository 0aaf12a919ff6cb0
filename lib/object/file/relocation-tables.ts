// The relocation tables of a section of the file: REL, RELA, and those that were applied, which nvlink -preserve-relocs keeps
// in sections of a type of their own. docs/format.md, "Relocations".

import type { ByteWriter } from "../../../formats/bytes/writer.js";
import { SHF, SHT, SHT_CUDA, writeRel, writeRela } from "../../../formats/elf/index.js";
import type { AppliedRelocation, Section } from "../object.js";
import type { SectionShape } from "../section-shape.js";

/** One table of the file: of the object's section `of`, all with or all without addends. */
export interface RelocationTable {
  readonly of: number;
  readonly rela: boolean;
  /** Told to tools only: these have been applied. */
  readonly applied: boolean;
  readonly relocations: readonly AppliedRelocation[];
}

const NONE: readonly AppliedRelocation[] = [];
const NO_TABLES: readonly RelocationTable[] = [];

/** The tables of a section, those that are not empty. */
export function relocationTables(
  { relocations, applied = NONE }: Section,
  of: number,
  isRela: (addend: bigint) => boolean,
): readonly RelocationTable[] {
  if (relocations.length === 0 && applied.length === 0) return NO_TABLES;
  const rel: AppliedRelocation[] = [];
  const rela: AppliedRelocation[] = [];
  for (let i = 0; i < relocations.length; i++) (isRela(relocations[i]!.addend) ? rela : rel).push(relocations[i]!);
  const tables: RelocationTable[] = [];
  if (rel.length > 0) tables.push({ of, rela: false, applied: false, relocations: rel });
  if (rela.length > 0) tables.push({ of, rela: true, applied: false, relocations: rela });
  if (applied.length > 0) tables.push({ of, rela: true, applied: true, relocations: applied });
  return tables;
}

/** `target`: the name of the section that the table is of. */
export function tableShape({ rela, applied }: RelocationTable, target: string): SectionShape {
  const type = applied ? SHT_CUDA.RESOLVED_RELA : rela ? SHT.RELA : SHT.REL;
  const prefix = applied ? ".nv.resolvedrela" : rela ? ".rela" : ".rel";
  return { name: prefix + target, type, flags: SHF.INFO_LINK, entsize: rela ? 24 : 16, addralign: 8 };
}

/** `indexOf`: index in .symtab of each of the object's symbols. */
export function writeTable(
  writer: ByteWriter,
  { rela, relocations }: RelocationTable,
  indexOf: ArrayLike<number>,
): void {
  for (let i = 0; i < relocations.length; i++) {
    const { offset, type, symbol, addend } = relocations[i]!;
    const record = { offset, type, symbol: indexOf[symbol]!, addend };
    if (rela) writeRela(writer, record);
    else writeRel(writer, record);
  }
}
