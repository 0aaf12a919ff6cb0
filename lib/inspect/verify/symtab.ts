// The symbol table of a cubin, for the rules: file offsets of its records, and the symbol of a code section.

import { ABI_VERSION } from "../../../formats/cuda/index.js";
import {
  sectionNamed,
  symbolsOf,
  SYMBOL_SIZE,
  type ElfFile,
  type ElfSection,
  type SymbolTable,
} from "../../../formats/elf/index.js";
import type { Subject } from "./rule.js";

/** The table in .symtab; undefined if it cannot be read, which other rules report. */
export function symtab(file: ElfFile): SymbolTable | undefined {
  const section = sectionNamed(file, ".symtab");
  const table = section === undefined ? undefined : symbolsOf(file, section);
  return table?.ok === true ? table.value : undefined;
}

/** Byte offset of a record in the file. */
export const symbolAt = (table: SymbolTable, index: number): number => table.section.offset + SYMBOL_SIZE * index;

/** The symbol in a code section's sh_info. */
export function textSymbol({ cuda }: Subject, { info }: ElfSection): number {
  // Up to sm_89, and always in the older generation, the top byte is the number of registers.
  return cuda === undefined ? info : info & 0xff_ffff;
}

export const isOldGeneration = ({ file }: Subject): boolean => file.header.abiVersion === ABI_VERSION.OLD;
