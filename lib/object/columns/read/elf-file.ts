// Reads the ELF header of an object file: whether ptxkit's writer made the file, and upper bounds of its rows. The reader checks
// the rest (elf-sections.ts).

import { EM, ET } from "../../../../formats/elf/constants.table.js";
import { DECLARATION_SECTION, NOTE_SECTION, PTXKIT_ABI_VERSION } from "../../file/container.js"; // prettier-ignore
import { sectionShape } from "../../section-shape.js";
import { unsupported } from "../cursor.js";
import type { ColumnFile } from "../columns.js";

/** An object file. */
export interface ObjectElf extends ColumnFile {
  /** Word index of the section headers. */
  readonly headers: number;
  readonly sectionCount: number;
  /** As stored in the header; the reader compares it with the table. */
  readonly symbolCount: number;
}

/** Indices of the fixed sections in every ptxkit file: the names of sections and of symbols, the symbols, and the note. */
export const NAMES = 1;
export const STRINGS = 2;
export const SYMBOLS = 3;
export const NOTE = 5;
/** Minimum number of sections of a ptxkit file. */
const LEAST = 6;
/** Words in a section header. */
export const HEADER_WORDS = 16;
/** Bytes of a symbol record. */
const SYMBOL_BYTES = 24;

const encoder = new TextEncoder();

type FixedName = "symbols" | "note" | "declarations" | "info" | "graph";

/** Names by which the reader finds sections. */
export const FIXED: Readonly<Record<FixedName, Uint8Array>> = {
  symbols: encoder.encode(".symtab"),
  note: encoder.encode(NOTE_SECTION),
  declarations: encoder.encode(DECLARATION_SECTION),
  info: encoder.encode(sectionShape("info", "relocatable").name),
  graph: encoder.encode(sectionShape("callgraph", "relocatable").name),
};

/** Opens a file; bails out if ptxkit's writer did not make it. */
export function openObjectFile(bytes: Uint8Array): ObjectElf {
  // Do not use slice(): for Node's Buffer, into which files are read, it does not copy. Members of archives may be at any even
  // offset.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  if (bytes.length < 64 || bytes.length >= 2 ** 31) unsupported("size");
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  if (words[0] !== 0x464c457f || (words[1]! & 0xffffff) !== 0x010102) unsupported("no ELF file");
  if (bytes[8] !== PTXKIT_ABI_VERSION || words[4] !== ET.REL + 0x10000 * EM.CUDA) unsupported("no object of ours");
  const offset = words[10]!;
  if ((words[8]! | words[9]! | words[11]!) !== 0) unsupported("frame");
  // Half words: no segments, the size of a section header, the number of sections, and the index of the section names.
  const [segments, headerBytes] = [words[14]! & 0xffff, words[14]! >>> 16];
  const [count, names] = [words[15]! & 0xffff, words[15]! >>> 16];
  if (offset % 4 !== 0 || headerBytes !== 4 * HEADER_WORDS || segments !== 0 || names !== NAMES) unsupported("frame");
  if (offset + 64 > bytes.length) unsupported("section headers");
  // A number that does not fit 16 bits is stored in the first section header.
  const headers = offset / 4;
  const sectionCount = count === 0 ? words[headers + 8]! : count;
  if (sectionCount < LEAST || offset + 64 * sectionCount > bytes.length) unsupported("section headers");
  const symbolBytes = words[headers + HEADER_WORDS * SYMBOLS + 8]!;
  if (symbolBytes > bytes.length || symbolBytes % SYMBOL_BYTES !== 0) unsupported("symbol table");
  return { bytes: aligned, words, headers, sectionCount, symbolCount: symbolBytes / SYMBOL_BYTES };
}

// Fields of a section header:

export const typeOf = ({ words, headers }: ObjectElf, elf: number): number => words[headers + HEADER_WORDS * elf + 1]!;
/** Offset in bytes from the file's start. */
export const placeOf = ({ words, headers }: ObjectElf, elf: number): number => words[headers + HEADER_WORDS * elf + 6]!;
export const bytesOf = ({ words, headers }: ObjectElf, elf: number): number => words[headers + HEADER_WORDS * elf + 8]!;
export const linkOf = ({ words, headers }: ObjectElf, elf: number): number => words[headers + HEADER_WORDS * elf + 10]!;
export const alignmentOf = ({ words, headers }: ObjectElf, elf: number): number =>
  words[headers + HEADER_WORDS * elf + 12]!;
export const entryBytesOf = ({ words, headers }: ObjectElf, elf: number): number =>
  words[headers + HEADER_WORDS * elf + 14]!;

/** The offset after `front` in the name of an ELF section; -1 if the name begins differently. */
function endOfFront(file: ObjectElf, elf: number, front: Uint8Array): number {
  const { bytes } = file;
  const at = placeOf(file, NAMES) + file.words[file.headers + HEADER_WORDS * elf]!;
  for (let i = 0; i < front.length; i++) if (bytes[at + i] !== front[i]) return -1;
  return at + front.length;
}

export const startsWith = (file: ObjectElf, elf: number, front: Uint8Array): boolean =>
  endOfFront(file, elf, front) >= 0;

/** Whether the name of an ELF section consists of these bytes. */
export function isNamed(file: ObjectElf, elf: number, name: Uint8Array): boolean {
  const end = endOfFront(file, elf, name);
  return end >= 0 && file.bytes[end] === 0;
}
