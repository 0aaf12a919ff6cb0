// The ELF format: the exports for other folders; of the tables of constants, everything. The check against elfy is not exported
// here, so that only its users load that package: they import elfy-witness.js itself.
export type { FormatError, Result } from "../bytes/result.js";
export * from "./constants.table.js";
export { MAX_FILE_ALIGNMENT, type ElfFrame, type ElfSegmentSpec } from "./file-writer.js";
export { looksLikeElf } from "./header.js";
export { readElf, sectionNamed, stringAt, type ElfFile, type ElfHeader, type ElfSection } from "./file.js";
export { encodeNotes, notesOf, type ElfNote } from "./note.js";
export { relocationKind, relocationsOf, type ElfRelocation, type RelocationTable } from "./relocation.js";
export type { ElfSegment } from "./segment.js";
export { stringTable, stringTableBuilder, type StringTable, type StringTableBuilder } from "./strings.js";
export { isSymbolTable, symbolsOf, SYMBOL_SIZE, type ElfSymbol, type SymbolTable } from "./symbol.js";
export { writeElf, type ElfSectionSpec, type ElfSpec, type SectionContents } from "./write.js";
