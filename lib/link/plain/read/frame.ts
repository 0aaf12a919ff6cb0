// The frame of an object file for a plain link (read.ts): its section headers and its symbol table, checked, so that whoever
// reads on finds every section inside the file and every name and section of a symbol.

import { MAX_FILE_ALIGNMENT } from "../../../../formats/elf/draft.js";
import { ELF_HEADER_SIZE } from "../../../../formats/elf/header.js";
import { EM, ET, hasFileBytes, SHN, SHT, SHT_CUDA } from "../../../../formats/elf/constants.table.js";
import {
  CONTAINER_VERSION,
  DECLARATION_SECTION,
  NOTE_SECTION,
  PTXKIT_ABI_VERSION,
} from "../../../object/file/container.js";
import { sectionShape } from "../../../object/section-shape.js";
import { notPlain } from "../tables/cursor.js";
import type { PlainFile } from "../tables/tables.js";

/** An object file. */
export interface ElfFrame extends PlainFile {
  /** Word at which the section headers begin. */
  readonly headers: number;
  readonly sectionCount: number;
  readonly symbolCount: number;
  /** Its declarations: an ELF section. */
  readonly declared: number;
  /** Word at which the sections of symbols are that their records have no room for; 0 where none needs that. */
  readonly extended: number;
  /** Its call graph: an ELF section. */
  readonly graph: number;
}

/** The table of the sections' names, in every file of ours. */
export const NAMES = 1;
/** Words of a section header. */
export const HEADER_WORDS = 16;

const encoder = new TextEncoder();
const symbolsName = encoder.encode(".symtab");
const noteName = encoder.encode(NOTE_SECTION);
const declarationName = encoder.encode(DECLARATION_SECTION);
const infoName = encoder.encode(sectionShape("info", "relocatable").name);
const graphName = encoder.encode(sectionShape("callgraph", "relocatable").name);

/** Sections at these indices in every file of ours, besides `NAMES`. */
export const STRINGS = 2;
export const SYMBOLS = 3;
const NOTE = 5;
const NOTE_WORDS = [7, 4, 1, 0x6b787470, 0x00007469 /* "ptxkit" */] as const;

/** The frame of a file, with its section headers checked. */
export function openPlain(bytes: Uint8Array): ElfFrame {
  // No slice(): that of Node's Buffer, which files are read into, is no copy. Members of archives stand at any even offset.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  if (bytes.length < 64 || bytes.length >= 2 ** 31) notPlain("size");
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  const half = (at: number) => (words[at >> 2]! >>> (8 * (at & 2))) & 0xffff;
  if (words[0] !== 0x464c457f || (words[1]! & 0xffffff) !== 0x010102) notPlain("no ELF file");
  if (bytes[8] !== PTXKIT_ABI_VERSION || half(16) !== ET.REL || half(18) !== EM.CUDA) notPlain("no object of ours");
  const offset = words[10]!;
  if ((words[8]! | words[9]! | words[11]!) !== 0) notPlain("frame");
  if (offset % 4 !== 0 || half(58) !== 64 || half(56) !== 0 || half(62) !== NAMES) notPlain("frame");
  if (offset + 64 > bytes.length) notPlain("section headers");
  // A number that 16 bits cannot hold stands in the first header.
  const sectionCount = half(60) === 0 ? words[offset / 4 + 8]! : half(60);
  if (sectionCount <= NOTE || offset + 64 * sectionCount > bytes.length) notPlain("section headers");
  // One object, filled bit by bit: of several with the same keys each would be of a kind of its own to the engine.
  const file = {
    bytes: aligned,
    words,
    headers: offset / 4,
    sectionCount,
    symbolCount: 0,
    declared: 0,
    extended: 0,
    graph: 0,
  };
  checkHeaders(file);
  file.declared = findDeclared(file);
  file.graph = findGraph(file, file.declared);
  file.extended = findExtended(file);
  file.symbolCount = checkSymbolTable(file);
  const note = sectionAt(file, NOTE) / 4;
  if (!isNamed(file, SYMBOLS, symbolsName) || !isNamed(file, NOTE, noteName)) notPlain("order of sections");
  const noteHeader = file.headers + HEADER_WORDS * NOTE;
  if (words[noteHeader + 1] !== SHT.NOTE || words[noteHeader + 12] !== 4) notPlain("note");
  if (sectionBytes(file, NOTE) !== 24 || !Number.isInteger(note)) notPlain("note");
  if (NOTE_WORDS.some((word, i) => words[note + i] !== word) || words[note + 5] !== CONTAINER_VERSION) notPlain("note");
  return file;
}

function checkHeaders({ bytes, words, headers, sectionCount }: ElfFrame): void {
  // Of section 0 there is only what had no room in the file header.
  if ((words[headers]! | words[headers + 1]!) !== 0) notPlain("the first section");
  const nameBytes = words[headers + HEADER_WORDS * NAMES + 8]!;
  let end = 0;
  for (let i = 0, at = headers; i < sectionCount; i++, at += HEADER_WORDS) {
    if ((words[at + 3]! | words[at + 7]! | words[at + 9]! | words[at + 13]! | words[at + 15]!) !== 0)
      notPlain("64 bits");
    const offset = words[at + 6]!;
    const size = words[at + 8]!;
    const align = words[at + 12]!;
    if ((align & (align - 1)) !== 0 || size >= 2 ** 31 || align >= 2 ** 31) notPlain("alignment");
    if (words[at]! >= nameBytes && words[at] !== 0) notPlain("name");
    // One behind another, so that each byte belongs to one section and nothing is read more than once.
    const mask = Math.min(Math.max(1, align), MAX_FILE_ALIGNMENT) - 1;
    if (offset !== ((end + mask) & ~mask)) notPlain("place of a section");
    end = Math.max(offset, ELF_HEADER_SIZE);
    if (!hasFileBytes(EM.CUDA, words[at + 1]!)) continue;
    if (offset > bytes.length || size > bytes.length - offset) notPlain("truncated");
    end += size;
  }
  if (!endsInZero(bytes, words, headers + HEADER_WORDS * NAMES)) notPlain("names");
}

/**
 * The call graph, in a file where no section has the name of another that is found by its name. Few names begin alike, so that
 * few are compared as a whole.
 */
function findGraph(file: ElfFrame, declared: number): number {
  const { bytes, words, headers, sectionCount } = file;
  const names = sectionAt(file, NAMES);
  let graph = 0;
  for (let elf = 1, at = headers + HEADER_WORDS; elf < sectionCount; elf++, at += HEADER_WORDS) {
    const name = names + words[at]!;
    const letter = bytes[name + 1];
    if (letter === P && elf !== declared && isNamed(file, elf, declarationName)) notPlain("second declarations");
    if (letter === S && elf !== SYMBOLS && isNamed(file, elf, symbolsName)) notPlain("second symbols");
    if (letter !== N) continue;
    if (bytes[name + 2] === O && elf !== NOTE && isNamed(file, elf, noteName)) notPlain("a second note");
    if (bytes[name + 4] === I && words[at + 1] !== SHT_CUDA.INFO) checkNoInfo(file, elf);
    if (bytes[name + 5] !== A || !isNamed(file, elf, graphName)) continue;
    if (graph !== 0) notPlain("a second call graph");
    graph = elf;
  }
  return graph === 0 ? notPlain("no call graph") : graph;
}

/** A section that is called as attributes are has them. */
function checkNoInfo(file: ElfFrame, elf: number): void {
  const at = sectionAt(file, NAMES) + file.words[file.headers + HEADER_WORDS * elf]!;
  if (infoName.every((byte, i) => file.bytes[at + i] === byte)) notPlain("type of attributes");
}

/** Letters that tell the names apart: `.note.ptxkit`, `.nv.callgraph`, `.nv.info`, `.ptxkit.decl` and `.symtab`. */
const A = 0x61;
const I = 0x69;
const N = 0x6e;
const O = 0x6f;
const P = 0x70;
const S = 0x73;

/** Behind the declarations are a note with an ID and sections of symbols, at most. */
function findDeclared(file: ElfFrame): number {
  const first = Math.max(NOTE + 1, file.sectionCount - 3);
  for (let elf = file.sectionCount - 1; elf >= first; elf--) {
    if (!isNamed(file, elf, declarationName)) continue;
    // Of some types a section has no bytes, whatever its header says of where they are.
    if (file.words[file.headers + HEADER_WORDS * elf + 1] !== SHT.PROGBITS) notPlain("type of the declarations");
    return elf;
  }
  return notPlain("no declarations at the end");
}

/** The word at which the sections of symbols are, in a file whose last section has them; else 0. */
function findExtended({ words, headers, sectionCount }: ElfFrame): number {
  const at = headers + HEADER_WORDS * (sectionCount - 1);
  if (words[at + 1] !== SHT.SYMTAB_SHNDX) return 0;
  const symbols = words[headers + HEADER_WORDS * SYMBOLS + 8]! / 24;
  if (words[at + 10] !== SYMBOLS || words[at + 6]! % 4 !== 0 || words[at + 8] !== 4 * symbols)
    notPlain("sections of symbols");
  return words[at + 6]! / 4;
}

const endsInZero = (bytes: Uint8Array, words: Uint32Array, header: number): boolean =>
  words[header + 1] === SHT.STRTAB &&
  words[header + 8]! > 0 &&
  bytes[words[header + 6]! + words[header + 8]! - 1] === 0;

/** The number of ELF symbols, whose names and sections exist. */
function checkSymbolTable({ bytes, words, headers, sectionCount, extended }: ElfFrame): number {
  const header = headers + HEADER_WORDS * SYMBOLS;
  const strings = headers + HEADER_WORDS * STRINGS;
  const at = words[header + 6]!;
  const size = words[header + 8]!;
  if (words[header + 1] !== SHT.SYMTAB || words[header + 10] !== STRINGS || words[header + 14] !== 24)
    notPlain("symbol table");
  if (at % 4 !== 0 || size % 24 !== 0 || !endsInZero(bytes, words, strings)) notPlain("symbol table");
  const stringBytes = words[strings + 8]!;
  for (let word = at / 4, end = word + size / 4; word < end; word += 6) {
    if (words[word]! >= stringBytes) notPlain("name of a symbol");
    const section = words[word + 1]! >>> 16;
    if (section === SHN.XINDEX) {
      const index = extended === 0 ? 0 : words[extended + (word - at / 4) / 6]!;
      if (index === 0 || index >= sectionCount) notPlain("section of a symbol");
    } else if (section >= Math.min(sectionCount, SHN.LORESERVE) && section !== SHN.COMMON)
      notPlain("section of a symbol");
  }
  return size / 24;
}

// --------------------------------------------------------------------------------------------------- fields of a header

/** Bytes from the file's start, and size in bytes, of an ELF section. */
export const sectionAt = ({ words, headers }: ElfFrame, elf: number): number =>
  words[headers + HEADER_WORDS * elf + 6]!;
export const sectionBytes = ({ words, headers }: ElfFrame, elf: number): number =>
  words[headers + HEADER_WORDS * elf + 8]!;

/** Whether the name of an ELF section is these bytes. */
export function isNamed(file: ElfFrame, elf: number, name: Uint8Array): boolean {
  const at = sectionAt(file, NAMES) + file.words[file.headers + HEADER_WORDS * elf]!;
  for (let i = 0; i < name.length; i++) if (file.bytes[at + i] !== name[i]) return false;
  return file.bytes[at + name.length] === 0;
}
