// An object file -> rows of the tables of a plain link (../tables/tables.ts): what object/file/read.ts does, without a JavaScript
// object for each thing read. It takes files as our writer makes them and gives up (../tables/cursor.ts) at whatever is
// otherwise or wrong; then the ordinary reader decides. Every index and offset that comes into the tables was checked.

import { currentFlags, EIATTR, EIFMT, parsePrototype, R_CUDA } from "../../../../formats/cuda/index.js";
import { SHF, SHT, SHT_CUDA, STT } from "../../../../formats/elf/constants.table.js";
import { parseTarget } from "../../../isa/requirement.js";
import { isHolderType } from "../../../object/fixup-type.js";
import { notPlain } from "../tables/cursor.js";
import { HEADER_WORDS, sectionAt, sectionBytes, STRINGS, SYMBOLS, type ElfFrame } from "./frame.js";
import { readBehindSymbols, readDeclaredSymbols, type DeclaredHead } from "./read-declared.js";
import { IS_TOLD, type Reading } from "./reading.js";
import { FACT, isFunction, type SymbolRow } from "../tables/tables.js";
import { createBatch, intern, internAll, textOf, type TextId, type Texts } from "../tables/texts.js";

/** Reads a file as number `index`, those before it having been read. */
export function readPlain(reading: Reading, index: number, file: ElfFrame): void {
  const { tables } = reading;
  tables.firstElf[index + 1] = tables.firstElf[index]! + file.symbolCount;
  findTables(reading, file);
  const { poolSize, target } = readSymbols(reading, index, file);
  readBehindSymbols(reading, index, poolSize);
  if (file.words[12] !== currentFlags(parseTarget(target)?.sm ?? 0) >>> 0) notPlain("flags");
  readGraph(reading, index);
}

/** Of a file no more than its modules and symbols, whose places are not found yet. */
export function readSymbols(reading: Reading, index: number, file: ElfFrame): DeclaredHead {
  const { cursor } = reading;
  reading.file = file;
  reading.lastFunction.end = reading.lastFunction.start;
  readNames(reading, file);
  cursor.bytes = file.bytes;
  cursor.at = sectionAt(file, file.declared);
  cursor.end = cursor.at + sectionBytes(file, file.declared);
  return readDeclaredSymbols(reading, index);
}

/** Fills `rel`, `rela`, `facts` and `told`. */
function findTables(reading: Reading, file: ElfFrame): void {
  const { words, headers, sectionCount } = file;
  if (reading.rel.length < sectionCount) {
    reading.sectionRow = new Int32Array(2 * sectionCount);
    reading.rel = new Int32Array(2 * sectionCount);
    reading.rela = new Int32Array(2 * sectionCount);
    reading.facts = new Uint16Array(2 * sectionCount);
  }
  reading.sectionRow.fill(-1, 0, sectionCount);
  reading.rel.fill(0, 0, sectionCount);
  reading.rela.fill(0, 0, sectionCount);
  reading.facts.fill(0, 0, sectionCount);
  reading.told = 0;
  for (let i = 1; i < sectionCount; i++) {
    const at = headers + HEADER_WORDS * i;
    const type = words[at + 1]!;
    if (type === SHT_CUDA.INFO) readInfo(reading, file, i);
    if (type === SHT.SYMTAB_SHNDX && i + 1 !== sectionCount) notPlain("sections of symbols");
    if (type === SHT.REL || type === SHT.RELA) findRelocations(reading, file, i);
  }
}

/** Of one table. */
function findRelocations(reading: Reading, { words, headers, sectionCount, symbolCount }: ElfFrame, elf: number): void {
  const at = headers + HEADER_WORDS * elf;
  const isRel = words[at + 1] === SHT.REL;
  const stride = isRel ? 16 : 24;
  const offset = words[at + 6]!;
  const size = words[at + 8]!;
  const info = words[at + 11]!;
  if (words[at + 14] !== stride || size % stride !== 0 || offset % 4 !== 0) notPlain("relocations");
  if (info >= sectionCount || words[at + 10] !== SYMBOLS) notPlain("section of relocations");
  const into = isRel ? reading.rel : reading.rela;
  if (into[info] !== 0) notPlain("two tables");
  into[info] = elf;
  const isCode = (words[headers + HEADER_WORDS * info + 2]! & SHF.EXECINSTR) !== 0;
  for (let word = offset / 4, end = word + size / 4; word < end; word += stride / 4) {
    if (words[word + 3]! >= symbolCount || words[word + 1] !== 0) notPlain("symbol of a relocation");
    const type = words[word + 2]!;
    if (type !== R_CUDA["64"] && (isCode || !isHolderType(type))) notPlain("type of a relocation");
  }
}

/** Fills `names`. */
function readNames(reading: Reading, { bytes, words, headers, symbolCount }: ElfFrame): void {
  if (reading.names.length < symbolCount) {
    reading.names = new Int32Array(2 * symbolCount);
    reading.batch = createBatch(2 * symbolCount);
  }
  const { names, batch, tables } = reading;
  const strings = words[headers + HEADER_WORDS * STRINGS + 6]!;
  let at = words[headers + HEADER_WORDS * SYMBOLS + 6]! / 4;
  let count = 0;
  for (let elf = 0; elf < symbolCount; elf++, at += 6) {
    const start = strings + words[at]!;
    // Names of sections begin with a dot, and stand in the same table.
    const isSection = (words[at + 1]! & 15) === STT.SECTION || bytes[start] === 0x2e;
    names[elf] = isSection ? -1 : count;
    if (!isSection) batch.start[count++] = start;
  }
  internAll(tables.texts, bytes, batch, count);
  for (let elf = 0; elf < symbolCount; elf++) if (names[elf]! >= 0) names[elf] = batch.id[names[elf]!]!;
}

/** Calls, and addresses of functions. */
function readGraph({ tables, file }: Reading, index: number): void {
  const { calls, taken, addressUses, indirectCalls } = tables;
  const { words, graph: elf } = file;
  const header = file.headers + HEADER_WORDS * elf;
  if (words[header + 1] !== SHT_CUDA.CALLGRAPH) notPlain("no call graph");
  // By way of them the texts of prototypes are found.
  if (words[header + 10] !== SYMBOLS) notPlain("call graph of other symbols");
  const at = sectionAt(file, elf);
  const size = sectionBytes(file, elf);
  if (at % 4 !== 0 || size % 8 !== 0) notPlain("call graph");
  const first = tables.firstElf[index]!;
  const functionOf = (elf: number): SymbolRow => {
    const row = elf < file.symbolCount ? tables.symbolOf[first + elf]! : -1;
    return row >= 0 && isFunction(tables, row) ? row : notPlain("call graph");
  };
  const prototypeOf = prototypeReader(tables.texts, file);
  let list = 0;
  for (let word = at / 4, end = word + size / 4; word < end; word += 2) {
    const one = words[word]!;
    const other = words[word + 1]!;
    if (one === 0 && other >= 2 ** 31) {
      if (2 ** 32 - other !== ++list) notPlain("lists of the call graph");
    } else if (list === 1) calls.push(functionOf(one), functionOf(other));
    else if (list === 2) taken.push(functionOf(one));
    else if (list === 3) indirectCalls.push(functionOf(one), prototypeOf(other));
    else if (list === 4) addressUses.push(functionOf(one), functionOf(other));
    else notPlain("lists of the call graph");
  }
  if (list !== 4) notPlain("a call graph cut short");
}

/** The text of a prototype by its place among the names of symbols. */
function prototypeReader(texts: Texts, { bytes, words, headers }: ElfFrame): (offset: number) => TextId {
  const known = new Map<number, TextId>();
  const strings = words[headers + HEADER_WORDS * STRINGS + 6]!;
  const size = words[headers + HEADER_WORDS * STRINGS + 8]!;
  // Those of an honest file do not overlap.
  let left = size;
  return (offset) => {
    const seen = known.get(offset);
    if (seen !== undefined) return seen;
    if (offset >= size) notPlain("a prototype");
    const end = bytes.indexOf(0, strings + offset);
    if ((left -= end - strings - offset) < 0) notPlain("prototypes");
    const text = intern(texts, bytes, strings + offset, end);
    if (!parsePrototype(textOf(texts, text)).ok) notPlain("a prototype");
    known.set(offset, text);
    return text;
  };
}

/** What attributes say of code, into `facts` of the section whose code it is. */
function readInfo(reading: Reading, file: ElfFrame, elf: number): void {
  const { facts } = reading;
  const { bytes } = file;
  const header = file.headers + HEADER_WORDS * elf;
  const of = file.words[header + 11]!;
  if (of >= file.sectionCount || facts[of] !== 0) notPlain("section of attributes");
  if ((of !== 0) !== ((file.words[header + 2]! & SHF.INFO_LINK) !== 0)) notPlain("owner of attributes");
  if (of !== 0) {
    facts[of] = IS_TOLD;
    reading.told++;
  }
  let at = sectionAt(file, elf);
  const end = at + sectionBytes(file, elf);
  while (at < end) {
    const format = bytes[at]!;
    const attribute = bytes[at + 1]!;
    if (format < 1 || format > 4) notPlain("format of an attribute");
    if (attribute === EIATTR.CRS_STACK_SIZE) notPlain("a stack in an object");
    if (attribute === EIATTR.NUM_BARRIERS)
      facts[of] = (facts[of]! & ~0xff) | (format === EIFMT.BVAL ? bytes[at + 2]! : notPlain("barriers"));
    if (attribute === EIATTR.CTAIDZ_USED) facts[of]! |= FACT.blockZ;
    if (attribute === EIATTR.WMMA_USED) facts[of]! |= FACT.matrices;
    at += 4 + (format === 4 ? bytes[at + 2]! + 256 * bytes[at + 3]! : 0);
  }
  if (at !== end) notPlain("attributes");
}
