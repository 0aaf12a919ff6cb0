// Reads and checks the section headers and the symbol table of an input file. Afterwards every section is known to be inside the
// file, and the name and section of every symbol to be valid.

import { SHF, SHN, SHT, SHT_CUDA, STT } from "../../../../formats/elf/constants.table.js";
import { MAX_FILE_ALIGNMENT } from "../../../../formats/elf/file-writer.js";
import { ELF_HEADER_SIZE } from "../../../../formats/elf/header.js";
import { EIATTR, EIFMT } from "../../../../formats/cuda/index.js";
import { CONTAINER_VERSION } from "../../file/container.js";
import { unsupported } from "../cursor.js";
import { CODE_PROPERTY } from "../columns.js";
import { internEnding } from "../strings.js";
import {
  alignmentOf,
  bytesOf,
  entryBytesOf,
  FIXED,
  HEADER_WORDS,
  isNamed,
  linkOf,
  NAMES,
  NOTE,
  placeOf,
  startsWith,
  STRINGS,
  SYMBOLS,
  typeOf,
  type ObjectElf,
} from "./elf-file.js";
import { atLeastRows, wordAt, type ReaderState } from "./reader-state.js";

export function checkElfFile(state: ReaderState): void {
  const { file } = state;
  readHeaders(state);
  state.extended = findExtended(file);
  if (!isNamed(file, SYMBOLS, FIXED.symbols) || !isNamed(file, NOTE, FIXED.note)) unsupported("a fixed section");
  checkNote(file);
}

/** Whether a section of this type has bytes in the file; otherwise it has only a size in memory. */
function hasFileBytes(type: number): boolean {
  if (type === SHT.NULL || type === SHT.NOBITS) return false;
  return type !== SHT_CUDA.GLOBAL && type !== SHT_CUDA.SHARED && type !== SHT_CUDA.SHARED_RESERVED;
}

const LIMIT = 2 ** 31;

/** Flag in a section's attributes while a file is read: the section has attributes. */
export const HAS_ATTRIBUTES = 0x8000;

/**
 * Checks all section headers, and finds the declarations, the call graph, and the relocations and attributes of each section. One
 * loop with inline field accesses, because a link has thousands of sections and is over before calls are inlined.
 */
function readHeaders(state: ReaderState): void {
  const { file } = state;
  const { bytes, words, headers, sectionCount } = file;
  clearTables(state, sectionCount);
  // Section 0 contains only what does not fit the file header.
  if ((words[headers]! | words[headers + 1]!) !== 0) unsupported("section 0");
  const names = placeOf(file, NAMES);
  const nameBytes = bytesOf(file, NAMES);
  const fileBytes = bytes.length;
  if (names + nameBytes > fileBytes || !endsInZero(file, NAMES)) unsupported("names of sections");
  let end = 0;
  for (let elf = 0, at = headers; elf < sectionCount; elf++, at += HEADER_WORDS) {
    const name = words[at]!;
    const type = words[at + 1]!;
    const offset = words[at + 6]!;
    const size = words[at + 8]!;
    const align = words[at + 12]!;
    // The upper words of the 64-bit fields.
    if ((words[at + 3]! | words[at + 7]! | words[at + 9]! | words[at + 13]! | words[at + 15]!) !== 0)
      unsupported("a large section");
    if ((align & (align - 1)) !== 0 || size >= LIMIT || align >= LIMIT) unsupported("a section");
    if (name >= nameBytes && name !== 0) unsupported("name of a section");
    // Sections follow each other, so that each byte belongs to one section and nothing is read twice.
    const mask = (align === 0 ? 1 : align > MAX_ALIGNMENT ? MAX_ALIGNMENT : align) - 1;
    if (offset !== ((end + mask) & ~mask) >>> 0) unsupported("order of sections");
    end = offset < ELF_HEADER_SIZE ? ELF_HEADER_SIZE : offset;
    if (type === SHT.PROGBITS || hasFileBytes(type)) {
      if (offset + size > fileBytes) unsupported("a section past the end");
      end += size;
      if (type !== SHT.PROGBITS) readTable(state, elf, at, type);
    }
    // Compare the first letter: few names pass, and need a full comparison.
    const letter = bytes[names + name + 1];
    if (letter === N || letter === P || letter === S) findNamed(state, elf, type, names + name);
  }
  if (state.graph === 0) unsupported("no call graph");
  // After the declarations, there are at most a note with an ID and the table of extended section indices.
  if (state.declared <= NOTE || state.declared + 3 < sectionCount) unsupported("no declarations");
}

/** Clears the tables for a file with that many sections. */
function clearTables(state: ReaderState, sectionCount: number): void {
  if (state.rows.length < sectionCount) {
    state.rows = atLeastRows(state.rows, sectionCount);
    state.rel = atLeastRows(state.rel, sectionCount);
    state.rela = atLeastRows(state.rela, sectionCount);
    state.attributes = new Uint16Array(2 * sectionCount);
  }
  state.rows.fill(-1, 0, sectionCount);
  state.rel.fill(0, 0, sectionCount);
  state.rela.fill(0, 0, sectionCount);
  state.attributes.fill(0, 0, sectionCount);
  state.attributeCount = 0;
  state.graph = 0;
  state.declared = 0;
}

const MAX_ALIGNMENT = MAX_FILE_ALIGNMENT;

function endsInZero(file: ObjectElf, elf: number): boolean {
  const size = bytesOf(file, elf);
  return typeOf(file, elf) === SHT.STRTAB && size > 0 && file.bytes[placeOf(file, elf) + size - 1] === 0;
}

/** Letters that distinguish the names `.note.ptxkit`, `.nv.callgraph`, `.nv.info`, `.ptxkit.decl` and `.symtab`. */
const [A, I, N, O, P, S] = [..."AINOPS"].map((letter) => letter.toLowerCase().charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Finds the declarations and the call graph. No other section may have the name of one that is found by name. */
function findNamed(state: ReaderState, elf: number, type: number, name: number): void {
  const { file } = state;
  const { bytes } = file;
  const letter = bytes[name + 1];
  if (letter === P) {
    if (!isNamed(file, elf, FIXED.declarations)) return;
    if (state.declared !== 0) unsupported("declarations twice");
    // Sections of some types have no bytes, whatever their header contains.
    if (type !== SHT.PROGBITS) unsupported("type of the declarations");
    state.declared = elf;
    return;
  }
  if (letter === S) {
    if (elf !== SYMBOLS && isNamed(file, elf, FIXED.symbols)) unsupported("symbols twice");
    return;
  }
  if (bytes[name + 2] === O && elf !== NOTE && isNamed(file, elf, FIXED.note)) unsupported("the note twice");
  // A section whose name is that of attributes must contain attributes.
  if (bytes[name + 4] === I && type !== SHT_CUDA.INFO && startsWith(file, elf, FIXED.info)) unsupported("attributes");
  if (bytes[name + 5] !== A || !isNamed(file, elf, FIXED.graph)) return;
  if (state.graph !== 0) unsupported("two call graphs");
  state.graph = elf;
}

/** Reads a table of relocations, or attributes of code. `at`: word index of the section's header. */
function readTable(state: ReaderState, elf: number, at: number, type: number): void {
  if (type === SHT_CUDA.INFO) readInfo(state, at);
  else if (type === SHT.REL) findRelocations(state, elf, at, state.rel, 16);
  else if (type === SHT.RELA) findRelocations(state, elf, at, state.rela, 24);
  else if (type === SHT.SYMTAB_SHNDX && elf + 1 !== state.file.sectionCount) unsupported("sections of symbols");
}

/** Finds a relocation table with records of `stride` bytes; sections.ts checks the records. */
function findRelocations({ file }: ReaderState, elf: number, at: number, into: Int32Array, stride: number): void {
  const { words } = file;
  const info = words[at + 11]!;
  if (words[at + 14] !== stride || words[at + 8]! % stride !== 0) unsupported("relocations");
  if (info >= file.sectionCount || words[at + 10] !== SYMBOLS || into[info] !== 0) unsupported("relocations");
  into[info] = elf;
}

/** Reads the attributes of a function's code. */
function readInfo(state: ReaderState, header: number): void {
  const { file, attributes } = state;
  const { bytes, words } = file;
  const about = words[header + 11]!;
  if (about >= file.sectionCount || attributes[about] !== 0) unsupported("attributes");
  if ((about !== 0) !== ((words[header + 2]! & SHF.INFO_LINK) !== 0)) unsupported("attributes");
  let said = 0;
  if (about !== 0) {
    said = HAS_ATTRIBUTES;
    state.attributeCount++;
  }
  let at = words[header + 6]!;
  const end = at + words[header + 8]!;
  while (at < end) {
    const format = bytes[at]!;
    const attribute = bytes[at + 1];
    if (format < 1 || format > 4 || attribute === EIATTR.CRS_STACK_SIZE) unsupported("an attribute");
    if (attribute === EIATTR.NUM_BARRIERS) {
      if (format !== EIFMT.BVAL) unsupported("barriers");
      said = (said & ~0xff) | bytes[at + 2]!;
    }
    if (attribute === EIATTR.CTAIDZ_USED) said |= CODE_PROPERTY.blockZ;
    if (attribute === EIATTR.WMMA_USED) said |= CODE_PROPERTY.matrices;
    at += 4 + (format === EIFMT.SVAL ? bytes[at + 2]! | (bytes[at + 3]! << 8) : 0);
  }
  if (at !== end) unsupported("attributes");
  attributes[about] = said;
}

/** The word index of the extended section indices, if the file's last section contains them; otherwise 0. */
function findExtended(file: ObjectElf): number {
  const last = file.sectionCount - 1;
  if (typeOf(file, last) !== SHT.SYMTAB_SHNDX) return 0;
  const symbols = Math.floor(bytesOf(file, SYMBOLS) / 24);
  if (linkOf(file, last) !== SYMBOLS || bytesOf(file, last) !== symbols * 4) unsupported("sections of symbols");
  return wordAt(placeOf(file, last));
}

/** Checks the note: "ptxkit", and the version of the container. */
function checkNote(file: ObjectElf): void {
  if (typeOf(file, NOTE) !== SHT.NOTE || alignmentOf(file, NOTE) !== 4 || bytesOf(file, NOTE) !== 24)
    unsupported("note");
  const at = wordAt(placeOf(file, NOTE));
  NOTE_CONTENTS.forEach((word, i) => {
    if (file.words[at + i] !== word) unsupported("note");
  });
}
const NOTE_CONTENTS = [7, 4, 1, 0x6b787470, 0x00007469, CONTAINER_VERSION];

// -------------------------------------------------------------------------------------------------------------- symbols

/** Limit of the bytes read for names, relative to the size of the file: many symbols may have the same name. */
const MAX_READING = 64;

/** Reads the names of all symbols. Checks that the names and the symbols' sections exist. */
export function readNames(state: ReaderState): void {
  const { file, extended, columns } = state;
  const { bytes, words, symbolCount, sectionCount } = file;
  if (!isSymbolTable(file) || !endsInZero(file, STRINGS)) unsupported("symbol table");
  const names = (state.names = atLeastRows(state.names, symbolCount));
  const stringBytes = bytesOf(file, STRINGS);
  const strings = placeOf(file, STRINGS);
  const mostSections = Math.min(sectionCount, SHN.LORESERVE);
  const { strings: texts } = columns;
  let most = MAX_READING * bytes.length;
  let at = wordAt(placeOf(file, SYMBOLS));
  for (let elf = 0; elf < symbolCount; elf++, at += 6) {
    const name = words[at]!;
    if (name >= stringBytes) unsupported("name of a symbol");
    const info = words[at + 1]!;
    const section = info >>> 16;
    if (section === SHN.XINDEX) {
      const index = extended === 0 ? 0 : words[extended + elf]!;
      if (index === 0 || index >= sectionCount) unsupported("section of a symbol");
    } else if (section >= mostSections && section !== SHN.COMMON) unsupported("section of a symbol");
    // Names of sections begin with a dot, and are in the same table.
    if ((info & 15) === STT.SECTION || bytes[strings + name] === DOT) names[elf] = -1;
    else {
      const text = (names[elf] = internEnding(texts, bytes, strings + name));
      most -= texts.start[text + 1]! - texts.start[text]!;
      if (most < 0) unsupported("names again and again");
    }
  }
}

const DOT = 0x2e;

function isSymbolTable(file: ObjectElf): boolean {
  if (typeOf(file, SYMBOLS) !== SHT.SYMTAB || linkOf(file, SYMBOLS) !== STRINGS) return false;
  return entryBytesOf(file, SYMBOLS) === 24 && bytesOf(file, SYMBOLS) === file.symbolCount * 24;
}
