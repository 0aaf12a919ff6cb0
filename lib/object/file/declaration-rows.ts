// The tables of `.ptxkit.decl`: rows of 32-bit words, one table after the other. docs/format.md, "Declarations". A writer may
// fill the tables in any order; their starts follow from the counts in the header.

import { DECLARATIONS_VERSION } from "./container.js";

/** The bytes "PTXd" as a little-endian word. */
export const DECLARATIONS_MAGIC = 0x64585450;

/** Index of each word of the header. */
export const HEADER = {
  magic: 0,
  version: 1,
  target: 2,
  ptx: 3,
  texts: 4,
  types: 5,
  typeWords: 6,
  modules: 7,
  moduleWords: 8,
  symbols: 9,
  sections: 10,
  runWords: 11,
  kernels: 12,
  debug: 13,
  textBytes: 14,
  shapeBytes: 15,
} as const;
export const HEADER_WORDS = 16;

/** Words per row of each table. */
export const SYMBOL_WORDS = 6;
export const SECTION_WORDS = 4;
export const KERNEL_WORDS = 3;
export const DEBUG_WORDS = 6;

/** In place of the function, for a section without one. */
export const NO_OWNER = -1;

/** Introduces a 64-bit number in types, in three more words of 22 bits each, the lowest first. No string has this number. */
export const WIDE = -(2 ** 31);
export const WIDE_WORDS = 4;
const PART_BITS = 22n;
const PART = (1n << PART_BITS) - 1n;

/** The number that follows WIDE at index `at`. */
export const wideAt = (words: ArrayLike<number>, at: number): bigint =>
  BigInt(words[at + 1]!) | (BigInt(words[at + 2]!) << PART_BITS) | (BigInt(words[at + 3]!) << (2n * PART_BITS));

/** The words of a 64-bit number. */
export function wideWords(value: bigint): readonly [number, number, number, number] {
  const rest = BigInt.asUintN(64, value);
  return [WIDE, Number(rest & PART), Number((rest >> PART_BITS) & PART), Number(rest >> (2n * PART_BITS))];
}

/** The start of each table: in words from the start of the section; for the last two and the end, in bytes. */
export interface DeclarationPlaces {
  readonly textEnds: number;
  readonly typeEnds: number;
  readonly typeWords: number;
  readonly moduleWords: number;
  readonly symbols: number;
  readonly sections: number;
  readonly runs: number;
  readonly kernels: number;
  readonly debug: number;
  readonly textBytes: number;
  readonly shapeBytes: number;
  readonly end: number;
}

/** Computes the starts from the header at word `at`. Sums of words below 2^32 are exact. */
export function placesOf(words: ArrayLike<number>, at: number): DeclarationPlaces {
  const count = (name: keyof typeof HEADER): number => words[at + HEADER[name]]! >>> 0;
  const textEnds = HEADER_WORDS;
  const typeEnds = textEnds + count("texts");
  const typeWords = typeEnds + count("types");
  const moduleWords = typeWords + count("typeWords");
  const symbols = moduleWords + count("moduleWords");
  const sections = symbols + SYMBOL_WORDS * count("symbols");
  const runs = sections + SECTION_WORDS * count("sections");
  const kernels = runs + count("runWords");
  const debug = kernels + KERNEL_WORDS * count("kernels");
  const textBytes = 4 * (debug + DEBUG_WORDS * count("debug"));
  const shapeBytes = textBytes + count("textBytes");
  const end = shapeBytes + count("shapeBytes");
  return {
    textEnds,
    typeEnds,
    typeWords,
    moduleWords,
    symbols,
    sections,
    runs,
    kernels,
    debug,
    textBytes,
    shapeBytes,
    end,
  };
}

// -------------------------------------------------------------------------------------------------------------- writing

/** Growable words. */
export interface Words {
  words: Int32Array;
  length: number;
}

const createWords = (capacity: number): Words => ({ words: new Int32Array(Math.max(16, capacity)), length: 0 });

function reserve(into: Words, count: number): void {
  if (into.length + count <= into.words.length) return;
  const larger = new Int32Array(Math.max(2 * into.words.length, into.length + count));
  larger.set(into.words);
  into.words = larger;
}

export function putWord(into: Words, word: number): void {
  if (into.length === into.words.length) reserve(into, 1);
  into.words[into.length++] = word;
}

/** The tables of a section while they are filled. */
export interface DeclarationRows {
  readonly textEnds: Words;
  readonly typeEnds: Words;
  readonly typeWords: Words;
  readonly moduleWords: Words;
  readonly symbols: Words;
  readonly sections: Words;
  readonly runs: Words;
  readonly kernels: Words;
  readonly debug: Words;
  readonly shapes: Uint8Array[];
}

/** `symbols`: expected number of symbols, at least. */
export const createRows = (symbols = 0): DeclarationRows => ({
  textEnds: createWords(symbols),
  typeEnds: createWords(0),
  typeWords: createWords(0),
  moduleWords: createWords(0),
  symbols: createWords(SYMBOL_WORDS * symbols),
  sections: createWords(0),
  runs: createWords(0),
  kernels: createWords(0),
  debug: createWords(0),
  shapes: [],
});

/** `code`: kind and linkage; `flags`: the flag byte. */
export function putSymbol(
  { symbols }: DeclarationRows,
  elf: number,
  code: number,
  flags: number,
  type: number,
  module: number,
  line: number,
  column: number,
): void {
  const at = symbols.length;
  if (at + SYMBOL_WORDS > symbols.words.length) reserve(symbols, SYMBOL_WORDS);
  const { words } = symbols;
  words[at] = elf;
  words[at + 1] = code + 256 * flags;
  words[at + 2] = type;
  words[at + 3] = module;
  words[at + 4] = line;
  words[at + 5] = column;
  symbols.length = at + SYMBOL_WORDS;
}

/** Columns of sections to declare. */
export interface SectionColumns {
  readonly count: number;
  readonly role: ArrayLike<number>;
  readonly owner: ArrayLike<number>;
}

/**
 * Adds all sections, whose ELF indices begin at `first`. `runs`: for each section the number of its runs, and for each of them
 * the number of relocations and their code; `runStart`: index of each section's first word.
 */
export function putSections(
  rows: DeclarationRows,
  first: number,
  { count, role, owner }: SectionColumns,
  runs: Words,
  runStart: ArrayLike<number>,
): void {
  const { sections, runs: all } = rows;
  reserve(sections, SECTION_WORDS * count);
  const { words } = sections;
  let at = sections.length;
  for (let i = 0; i < count; i++) {
    words[at] = first + i;
    words[at + 1] = role[i]!;
    words[at + 2] = owner[i]!;
    words[at + 3] = all.length + runStart[i]!;
    at += SECTION_WORDS;
  }
  sections.length = at;
  reserve(all, runs.length);
  all.words.set(runs.words.subarray(0, runs.length), all.length);
  all.length += runs.length;
}

/** Shared memory of a kernel, in bytes, is limited to this value when written: no launch can use as much. */
const MAX_SHARED = 0xffff_ffff;

export const putKernel = ({ kernels }: DeclarationRows, symbol: number, sharedBytes: number, dynamic: number): void =>
  putAll(kernels, [symbol, Math.min(sharedBytes, MAX_SHARED), Math.min(dynamic, MAX_SHARED)]);

/** `shape`: the layout record; docs/format.md, "Debug sections". */
export function putDebug(
  { debug, shapes }: DeclarationRows,
  row: readonly [name: number, module: number, elf: number, offset: number, size: number],
  record: Uint8Array,
): void {
  putAll(debug, row);
  putWord(debug, record.length);
  shapes.push(record);
}

function putAll(into: Words, words: readonly number[]): void {
  for (let i = 0; i < words.length; i++) putWord(into, words[i]!);
}

/** The section's bytes. `texts`: stores the bytes of all strings. */
export function finishRows(
  rows: DeclarationRows,
  { target, version, modules }: { readonly target: number; readonly version: number; readonly modules: number },
  texts: (into: Uint8Array) => void,
): Uint8Array {
  const { textEnds, typeEnds, typeWords, moduleWords, symbols, sections, runs, kernels, debug, shapes } = rows;
  const header = new Int32Array(HEADER_WORDS);
  header[HEADER.magic] = DECLARATIONS_MAGIC;
  header[HEADER.version] = DECLARATIONS_VERSION;
  header[HEADER.target] = target;
  header[HEADER.ptx] = version;
  header[HEADER.texts] = textEnds.length;
  header[HEADER.types] = typeEnds.length;
  header[HEADER.typeWords] = typeWords.length;
  header[HEADER.modules] = modules;
  header[HEADER.moduleWords] = moduleWords.length;
  header[HEADER.symbols] = symbols.length / SYMBOL_WORDS;
  header[HEADER.sections] = sections.length / SECTION_WORDS;
  header[HEADER.runWords] = runs.length;
  header[HEADER.kernels] = kernels.length / KERNEL_WORDS;
  header[HEADER.debug] = debug.length / DEBUG_WORDS;
  header[HEADER.textBytes] = textEnds.length === 0 ? 0 : textEnds.words[textEnds.length - 1]!;
  header[HEADER.shapeBytes] = shapes.reduce((sum, { length }) => sum + length, 0);
  const places = placesOf(header, 0);
  const bytes = new Uint8Array(Math.ceil(places.end / 4) * 4).subarray(0, places.end);
  const words = new Int32Array(bytes.buffer, 0, places.textBytes / 4);
  words.set(header);
  let at = HEADER_WORDS;
  for (const table of [textEnds, typeEnds, typeWords, moduleWords, symbols, sections, runs, kernels, debug]) {
    words.set(table.words.subarray(0, table.length), at);
    at += table.length;
  }
  texts(bytes.subarray(places.textBytes, places.shapeBytes));
  let shapeAt = places.shapeBytes;
  for (const record of shapes) {
    bytes.set(record, shapeAt);
    shapeAt += record.length;
  }
  return bytes;
}
