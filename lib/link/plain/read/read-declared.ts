// `.ptxkit.decl` of an object file -> rows of the tables of a plain link (../tables/tables.ts): its modules, symbols with their
// places, sections with their relocations, and kernels. The layout is that of object/file/declarations.ts, held against the ELF
// sections and symbols as object/file/read.ts does.

import { MAX_PARAMETER_BYTES } from "../../../../formats/cuda/index.js";
import { SHN, SHT } from "../../../../formats/elf/constants.table.js";
import { debugElfName } from "../../../object/dwarf/debug-layout.js";
import { DECLARATIONS_VERSION, OLDEST_ALIKE } from "../../../object/file/declarations.js";
import { sectionShape } from "../../../object/section-shape.js";
import { notPlain, readCount, readU8, readVarU } from "../tables/cursor.js";
import { HEADER_WORDS, isNamed, sectionAt, sectionBytes, type ElfFrame } from "./frame.js";
import { intern, textOf, type TextId } from "../tables/texts.js";
import { isPlainOption } from "../tables/admitted.js";
import { HAS_SCOPE, INITIALISED, IS_ENTRY, IS_UNIFIED, plainRoles, ROLE } from "../tables/codes.js";
import { checkApart } from "./apart.js";
import { IS_TOLD, type Reading } from "./reading.js";
import {
  alignOfShape,
  parameterBytes,
  readFunctionShape,
  readReferenceShape,
  readVariableShape,
  sizeOfShape,
  type ShapeId,
} from "../tables/shapes.js";
import {
  COMMON,
  isEntry,
  isFunction,
  isReference,
  isVariable,
  KIND,
  LINKAGE,
  linkageOf,
  referenceTypes,
  SPACE,
  spaceOf,
  type Tables,
} from "../tables/tables.js";

/** "PTXd" */
const MAGIC = 0x64585450;

/** Whether a section is that of one function. */
const isOwned = (role: number): boolean => role === ROLE.text || role === ROLE.shared;
const isSharedRole = (role: number): boolean => role === ROLE.moduleShared || role === ROLE.shared;

const encoder = new TextEncoder();

/** What an ELF section of each role is. */
const shapes = plainRoles.map((role, code) => {
  const { name, type, addralign } = sectionShape(role, "relocatable");
  return { name: encoder.encode(isOwned(code) ? `${name}.` : name), type, addralign };
});

/** What the rest is read with. */
export interface DeclaredHead {
  /** How many texts the file has. */
  readonly poolSize: number;
  /** The name of the object's target. */
  readonly target: string;
}

/** Up to the symbols, whose places are not found yet. */
export function readDeclaredSymbols(reading: Reading, index: number): DeclaredHead {
  const { tables, cursor } = reading;
  const { texts } = tables;
  const header = [readU8(cursor), readU8(cursor), readU8(cursor), readU8(cursor)];
  if (header.reduce((word, byte, i) => word + byte * 256 ** i, 0) !== MAGIC) notPlain("no declarations");
  const version = readU8(cursor);
  if (version < OLDEST_ALIKE || version > DECLARATIONS_VERSION) notPlain("another version");
  cursor.at += 3;
  const poolSize = readPool(reading);
  const { pool } = reading;
  const target = textAt(reading, poolSize);
  readVarU(cursor);
  readModules(reading, index, poolSize);
  // What was compiled for another target than its module's is nothing that stands in a file of one module.
  if (
    tables.moduleStart.length === tables.firstModule[index]! + 1 &&
    tables.modules.at(tables.moduleStart.at(-1)! + 2) !== -target - 1
  )
    notPlain("two targets");
  const firstSymbol = tables.firstSymbol[index]!;
  const symbols = readCount(cursor, 5);
  tables.firstSymbol[index + 1] = firstSymbol + symbols;
  for (let row = firstSymbol; row < firstSymbol + symbols; row++) readSymbol(reading, index, row, pool, poolSize);
  return { poolSize, target: textOf(texts, target) };
}

/** Where symbols are, and all that is declared behind them. */
export function readBehindSymbols(reading: Reading, index: number, poolSize: number): void {
  const { tables, cursor } = reading;
  const firstSymbol = tables.firstSymbol[index]!;
  readSections(reading, index);
  placeSymbols(reading, index);
  checkApart(reading, index);
  const kernels = readCount(cursor, 3);
  for (let i = 0; i < kernels; i++) {
    const row = firstSymbol + readVarU(cursor);
    if (row >= tables.firstSymbol[index + 1]! || readVarU(cursor) !== 0 || readVarU(cursor) !== 0) notPlain("a kernel");
    if (!isFunction(tables, row) || !isEntry(tables, row) || tables.place[row]! < 0) notPlain("no kernel");
    if (parameterBytes(tables.shapes, tables.shape[row]!) > MAX_PARAMETER_BYTES) notPlain("parameters");
    tables.kernels.push(row);
  }
  readDebug(reading, index, poolSize);
  if (cursor.at !== cursor.end) notPlain("more than declarations");
}

function readPool(reading: Reading): number {
  const { tables, cursor } = reading;
  const count = readCount(cursor, 1);
  if (count > reading.pool.length) reading.pool = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const length = readCount(cursor, 1);
    reading.pool[i] = intern(tables.texts, cursor.bytes, cursor.at, cursor.at + length);
    cursor.at += length;
  }
  return count;
}

function textAt({ cursor, pool }: Reading, poolSize: number): number {
  const index = readVarU(cursor);
  return index < poolSize ? pool[index]! : notPlain("no such text");
}

function readModules(reading: Reading, index: number, poolSize: number): void {
  const { tables, cursor } = reading;
  const { modules } = tables;
  const count = readCount(cursor, 5);
  if (count === 0) notPlain("no module");
  for (let i = 0; i < count; i++) {
    tables.moduleStart.push(modules.length);
    const name = textAt(reading, poolSize);
    const version = readVarU(cursor);
    const target = textAt(reading, poolSize);
    const options = readCount(cursor, 1);
    modules.push(-name - 1, version, -target - 1, options);
    for (let option = 0; option < options; option++) {
      const text = textAt(reading, poolSize);
      if (!isPlainOption(textOf(tables.texts, text))) notPlain("a target option");
      modules.push(-text - 1);
    }
    const line = readVarU(cursor);
    const files = readCount(cursor, 2);
    modules.push(line, files);
    for (let file = 0; file < files; file++) modules.push(readVarU(cursor), -textAt(reading, poolSize) - 1);
    tables.moduleVersion.push(version);
    tables.targets.add(target);
  }
  tables.firstModule[index + 1] = tables.firstModule[index]! + count;
}

/** All of a symbol but its place. */
function readSymbol(reading: Reading, index: number, row: number, pool: Int32Array, poolSize: number): void {
  const { tables, cursor } = reading;
  const elf = readVarU(cursor);
  if (elf >= reading.file.symbolCount) notPlain("symbol");
  const at = tables.firstElf[index]! + elf;
  if (tables.symbolOf[at] !== -1) notPlain("two declarations of one symbol");
  tables.symbolOf[at] = row;
  const name = reading.names[elf]!;
  tables.name[row] = name >= 0 ? name : notPlain("a name of a section");
  const code = readU8(cursor);
  const module = readVarU(cursor);
  if (module >= tables.firstModule[index + 1]! - tables.firstModule[index]!) notPlain("module of a symbol");
  tables.module[row] = tables.firstModule[index]! + module;
  tables.line[row] = readVarU(cursor);
  tables.column[row] = readVarU(cursor);
  tables.code[row] = code;
  const kind = code >> 4;
  const linkage = code & 15;
  if (kind > KIND.reference || linkage > LINKAGE.extern) notPlain("kind of a symbol");
  const flags = readU8(cursor);
  tables.flags[row] = flags;
  const isUnified = (flags & IS_UNIFIED) !== 0;
  if (kind === KIND.variable && flags >> 4 > SPACE.shared) notPlain("state space");
  if (kind === KIND.function && (flags & ~(IS_ENTRY | IS_UNIFIED)) !== 0) notPlain("flags of a function");
  if (kind === KIND.reference && flags >= referenceTypes.length) notPlain("type of a reference");
  if (kind === KIND.variable && flags >> 4 === SPACE.shared) tables.rare.shared++;
  if (kind === KIND.reference) tables.rare.references++;
  tables.shape[row] =
    kind === KIND.variable
      ? readVariableShape(tables.shapes, cursor, pool, poolSize, (flags & HAS_SCOPE) !== 0, isUnified)
      : kind === KIND.function
        ? functionShape(reading, pool, poolSize, isUnified)
        : readReferenceShape(tables.shapes, cursor);
}

/** The shape at the cursor. In many files most functions are of one shape, and its bytes stand there again and again. */
function functionShape(reading: Reading, pool: Int32Array, poolSize: number, isUnified: boolean): ShapeId {
  const { cursor, lastFunction: last } = reading;
  // The same bytes would mean less without the flag.
  if (isUnified) return readFunctionShape(reading.tables.shapes, cursor, pool, poolSize, true);
  const { bytes, at } = cursor;
  const length = last.end - last.start;
  if (length > 0 && at + length <= cursor.end) {
    let same = 0;
    while (same < length && bytes[at + same] === bytes[last.start + same]) same++;
    if (same === length) {
      cursor.at += length;
      return last.shape;
    }
  }
  last.shape = readFunctionShape(reading.tables.shapes, cursor, pool, poolSize, false);
  last.start = at;
  last.end = cursor.at;
  return last.shape;
}

// ------------------------------------------------------------------------------------------------------------- sections

function readSections(reading: Reading, index: number): void {
  const { tables, cursor } = reading;
  const firstSymbol = tables.firstSymbol[index]!;
  const endSymbol = tables.firstSymbol[index + 1]!;
  const first = tables.firstSection[index]!;
  const count = readCount(cursor, 3);
  tables.firstSection[index + 1] = first + count;
  let told = 0;
  for (let row = first; row < first + count; row++)
    if (readSection(reading, index, row, firstSymbol, endSymbol)) told++;
  if (told !== reading.told) notPlain("attributes of no code");
}

/** Whether attributes say something of it. */
function readSection(reading: Reading, index: number, row: number, firstSymbol: number, endSymbol: number): boolean {
  const { tables, cursor, file } = reading;
  const elf = readVarU(cursor);
  if (elf >= file.sectionCount || reading.sectionRow[elf] !== -1) notPlain("section");
  reading.sectionRow[elf] = row;
  const role = readU8(cursor);
  if (role >= plainRoles.length) notPlain("role of a section");
  const owner = isOwned(role) ? firstSymbol + readVarU(cursor) : -1;
  if (owner >= endSymbol || (owner >= 0 && !isFunction(tables, owner))) notPlain("owner of a section");
  if (!isOfRole(reading, file, elf, role, owner)) notPlain("name of a section");
  if ((role === ROLE.global || isSharedRole(role)) && (reading.rel[elf] !== 0 || reading.rela[elf] !== 0))
    notPlain("relocations of no bytes");
  tables.role[row] = role;
  tables.owner[row] = owner;
  tables.at[row] = sectionAt(file, elf);
  tables.size[row] = sectionBytes(file, elf);
  tables.align[row] = Math.max(1, file.words[file.headers + HEADER_WORDS * elf + 12]!);
  putRecords(file, tables.rel, tables.relEnd, row, reading.rel[elf]!);
  putRecords(file, tables.rela, tables.relaEnd, row, reading.rela[elf]!);
  if (role === ROLE.text) tables.facts[row] = reading.facts[elf]! & ~IS_TOLD;
  tables.runs[row] = cursor.at;
  checkRelocations(reading, index, row);
  return role === ROLE.text && reading.facts[elf] !== 0;
}

/** Of the records in that ELF section, 0 for none. */
function putRecords(file: ElfFrame, from: Int32Array, to: Int32Array, row: number, elf: number): void {
  if (elf === 0) return;
  from[row] = sectionAt(file, elf) / 4;
  to[row] = from[row]! + sectionBytes(file, elf) / 4;
}

function isOfRole({ tables }: Reading, file: ElfFrame, elf: number, role: number, owner: number): boolean {
  const header = file.headers + HEADER_WORDS * elf;
  const { name, type, addralign } = shapes[role]!;
  if (file.words[header + 1] !== type || (addralign !== 0 && file.words[header + 12] !== addralign)) return false;
  let at = sectionAt(file, 1) + file.words[header]!;
  for (let i = 0; i < name.length; i++) if (file.bytes[at++] !== name[i]) return false;
  if (owner >= 0) {
    const { bytes, start } = tables.texts;
    const text = tables.name[owner]!;
    for (let from = start[text]!, end = start[text + 1]!; from < end; from++)
      if (file.bytes[at++] !== bytes[from]) return false;
  }
  return file.bytes[at] === 0;
}

/** Reads over the runs of relocations, which must be those of the section's tables. */
function checkRelocations({ tables, cursor, file: { words } }: Reading, index: number, row: number): void {
  let relAt = tables.rel[row]!;
  let relaAt = tables.rela[row]!;
  const relEnd = tables.relEnd[row]!;
  const relaEnd = tables.relaEnd[row]!;
  const size = tables.size[row]!;
  const first = tables.firstElf[index]!;
  for (let runs = readCount(cursor, 2); runs > 0; runs--) {
    const count = readVarU(cursor);
    const code = readVarU(cursor);
    const width = code >> 1;
    if (width !== 1 && width !== 2 && width !== 4 && width !== 8) notPlain("width of a relocation");
    const isRela = (code & 1) !== 0;
    if (count > (isRela ? (relaEnd - relaAt) / 6 : (relEnd - relAt) / 4)) notPlain("fewer relocations than declared");
    for (let i = 0; i < count; i++) {
      const at = isRela ? relaAt : relAt;
      const symbol = tables.symbolOf[first + words[at + 3]!]!;
      if (words[at]! + width > size || symbol < 0) notPlain("a relocation");
      if (isRela) {
        if ((words[at + 4] !== 0 || words[at + 5] !== 0) && isFunction(tables, symbol))
          notPlain("a place in a function");
        relaAt += 6;
      } else relAt += 4;
    }
  }
  if (relAt !== relEnd || relaAt !== relaEnd) notPlain("more relocations than declared");
}

/** Where each symbol stands, from its ELF symbol. With what it calls in one function, the engine took 25 ms to optimise it. */
function placeSymbols(reading: Reading, index: number): void {
  const { tables, file } = reading;
  const { symbolOf } = tables;
  const first = tables.firstElf[index]!;
  let at = sectionAt(file, 3) / 4;
  for (let elf = 0; elf < file.symbolCount; elf++, at += 6) {
    const row = symbolOf[first + elf]!;
    if (row >= 0) placeSymbol(reading, row, elf, at);
  }
  for (let row = tables.firstSection[index]!; row < tables.firstSection[index + 1]!; row++)
    if (tables.role[row] === ROLE.text && tables.place[tables.owner[row]!] !== row)
      notPlain("code of another's section");
}

/** `at`: where its ELF symbol is among the file's words. */
function placeSymbol({ tables, sectionRow, file }: Reading, row: number, elf: number, at: number): void {
  const { words } = file;
  const written = words[at + 1]! >>> 16;
  const section = written === SHN.XINDEX ? words[file.extended + elf]! : written;
  // A section of a large file may have that number, too.
  if ((written === SHN.COMMON) !== (linkageOf(tables, row) === LINKAGE.common)) notPlain("common");
  if (written === SHN.COMMON) {
    if (!isVariable(tables, row) || spaceOf(tables, row) !== SPACE.global) notPlain("common");
    if ((tables.flags[row]! & (INITIALISED | HAS_SCOPE)) !== 0) notPlain("common");
    tables.place[row] = COMMON;
    tables.rare.common++;
    return;
  }
  if (section === 0) {
    tables.place[row] = -1;
    return;
  }
  const place = sectionRow[section]!;
  if (place < 0) notPlain("a place outside the object");
  if (isReference(tables, row)) notPlain("a reference with a place");
  tables.place[row] = place;
  if (isVariable(tables, row) && tables.align[place]! < alignOfShape(tables.shapes, tables.shape[row]!))
    notPlain("alignment of a section");
  if (tables.code[row]! >> 4 === 0 && tables.flags[row]! >> 4 === SPACE.shared) {
    // It has no offset yet; its value is its alignment.
    if (!isSharedRole(tables.role[place]!) || (tables.flags[row]! & INITIALISED) !== 0) notPlain("shared memory");
    return;
  }
  const offset = words[at + 2]!;
  if (words[at + 3] !== 0 || offset >= 2 ** 31) notPlain("a large place");
  tables.offset[row] = offset;
  if (isFunction(tables, row)) {
    // Of a second name the section is another's.
    if (offset !== 0 || tables.role[place] !== ROLE.text) notPlain("a function inside a section");
    if (tables.owner[place] !== row) tables.rare.secondNames++;
  } else checkPlace(tables, row, place, offset);
}

/** Of a variable that has bytes. */
function checkPlace({ shapes, role, flags, shape, size: bytesIn }: Tables, row: number, place: number, offset: number) {
  const of = role[place]!;
  const size = sizeOfShape(shapes, shape[row]!);
  if (of === ROLE.text || isSharedRole(of) || offset % alignOfShape(shapes, shape[row]!) !== 0)
    notPlain("a place not aligned");
  if (offset + size > bytesIn[place]!) notPlain("a place beyond its section");
  if ((flags[row]! & INITIALISED) !== 0 && (size === 0 || of === ROLE.global)) notPlain("a value without bytes");
  if ((of === ROLE.constant) !== (flags[row]! >> 4 === SPACE.const)) notPlain("a space in another's section");
}

// ------------------------------------------------------------------------------------------------------- debug sections

function readDebug(reading: Reading, index: number, poolSize: number): void {
  const { tables, cursor, file } = reading;
  const modules = tables.firstModule[index + 1]! - tables.firstModule[index]!;
  let total = 0;
  for (let left = readCount(cursor, 6); left > 0; left--) {
    const name = textAt(reading, poolSize);
    const module = readVarU(cursor);
    const elf = readVarU(cursor);
    const offset = readVarU(cursor);
    const size = readVarU(cursor);
    const shapeSize = readCount(cursor, 1);
    if (module >= modules || elf >= file.sectionCount) notPlain("a debug section");
    if (file.words[file.headers + HEADER_WORDS * elf + 1] !== SHT.PROGBITS) notPlain("type of a debug section");
    if (!isNamed(file, elf, debugNameOf(reading, name))) notPlain("name of a debug section");
    total += size;
    if (offset + size > sectionBytes(file, elf) || total > file.bytes.length) notPlain("a long debug section");
    const at = sectionAt(file, elf) + offset;
    const data = file.bytes.subarray(at, at + size);
    const shape = file.bytes.subarray(cursor.at, cursor.at + shapeSize);
    tables.debug.push({ file: index, name, module: tables.firstModule[index]! + module, data, shape });
    cursor.at += shapeSize;
  }
}

function debugNameOf({ tables, debugNames }: Reading, name: TextId): Uint8Array {
  const known = debugNames.get(name);
  if (known !== undefined) return known;
  const made = encoder.encode(debugElfName(textOf(tables.texts, name)));
  debugNames.set(name, made);
  return made;
}
