// The symbol table of a cubin, for the rules: where its records are, and which symbol a section of code names.

import { ABI_VERSION } from "../../formats/cuda/index.js";
import {
  sectionNamed,
  symbolsOf,
  SYMBOL_SIZE,
  type ElfFile,
  type ElfSection,
  type SymbolTable,
} from "../../formats/elf/index.js";
import type { Subject } from "./rule.js";

/** The table in .symtab; undefined where it cannot be read, which other rules tell. */
export function symtab(file: ElfFile): SymbolTable | undefined {
  const section = sectionNamed(file, ".symtab");
  const table = section === undefined ? undefined : symbolsOf(file, section);
  return table?.ok === true ? table.value : undefined;
}

/** Offset of a record in the file, bytes. */
export const symbolAt = (table: SymbolTable, index: number): number => table.section.offset + SYMBOL_SIZE * index;

/** The symbol that a section of code names in sh_info. */
export function textSymbol({ cuda }: Subject, { info }: ElfSection): number {
  // Up to sm_89 its top byte is the number of registers; in the older generation always.
  return cuda === undefined ? info : info & 0xff_ffff;
}

export const isOldGeneration = ({ file }: Subject): boolean => file.header.abiVersion === ABI_VERSION.OLD;
