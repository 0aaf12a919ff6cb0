// The rest of `.ptxkit.decl`, behind the symbols: sections with their relocations, where symbols stand, kernels, and debug sections. Each
// is held against the ELF sections and symbols.

import { MAX_PARAMETER_BYTES, R_CUDA } from "../../../../formats/cuda/index.js";
import { SHN, SHT } from "../../../../formats/elf/constants.table.js";
import { debugElfName } from "../../../object/dwarf/debug-layout.js";
import {
  DEBUG_WORDS,
  KERNEL_WORDS,
  SECTION_WORDS,
  type DeclarationPlaces,
} from "../../../object/file/declaration-rows.js";
import { sectionShape } from "../../../object/section-shape.js";
import { HAS_SCOPE, INITIALISED, plainRoles, ROLE } from "../tables/codes.js";
import { notPlain } from "../tables/cursor.js";
import { alignOfShape, parameterBytes, sizeOfShape } from "../tables/shapes.js";
import { COMMON, isEntry, KIND, LINKAGE, SPACE } from "../tables/tables.js";
import { textOf } from "../tables/texts.js";
import { IS_TOLD } from "./elf-frame.js";
import { alignmentOf, bytesOf, endOfFront, HEADER_WORDS, isNamed, placeOf, SYMBOLS, typeOf } from "./frame.js";
import { DATA_TYPES, wordAt, type Reading } from "./reading.js";

const encoder = new TextEncoder();

/** What an ELF section of each role is called, up to the name of its function, and its type and alignment. */
const roleShapes = plainRoles.slice(0, ROLE.local).map((role, code) => {
  const { name, type, addralign } = sectionShape(role, "relocatable");
  const isOwned = code === ROLE.text || code === ROLE.shared;
  return { type, addralign, name: encoder.encode(isOwned ? `${name}.` : name) };
});

/** The type of relocations of code. */
const CODE_TYPE = R_CUDA["64"];

const isSharedRole = (role: number): boolean => role === ROLE.moduleShared || role === ROLE.shared;

export function readSections(reading: Reading, places: DeclarationPlaces): void {
  const { tables, index, start, file } = reading;
  const { firstSection } = tables;
  const first = firstSection[index]!;
  const count = (places.runs - places.sections) / SECTION_WORDS;
  // Each is an ELF section of its own.
  if (count > file.sectionCount) notPlain("sections");
  firstSection[index + 1] = first + count;
  let told = 0;
  let runs = start + places.runs;
  for (let i = 0, at = start + places.sections; i < count; i++, at += SECTION_WORDS) {
    const row = first + i;
    if (readSection(reading, row, at)) told++;
    if (file.words[at + 3]! !== runs - start - places.runs) notPlain("runs of relocations");
    tables.runs[row] = runs;
    runs = checkRelocations(reading, row, runs, start + places.kernels);
  }
  if (told !== reading.toldCount || runs !== start + places.kernels) notPlain("sections");
}

/** Whether attributes say something of it. `at`: its row in the file. */
function readSection(reading: Reading, row: number, at: number): boolean {
  const { file, tables, rows, told } = reading;
  const elf = file.words[at]!;
  if (elf >= file.sectionCount || rows[elf] !== -1) notPlain("an ELF section");
  rows[elf] = row;
  const role = file.words[at + 1]!;
  if (role >= roleShapes.length) notPlain("role of a section");
  const isOwned = role === ROLE.text || role === ROLE.shared;
  const owner = isOwned ? ownerOf(reading, file.words[at + 2]!) : -1;
  if (!isOwned && file.words[at + 2] !== 0xffff_ffff) notPlain("a function of a section");
  if (!isOfRole(reading, elf, role, owner)) notPlain("an ELF section of another role");
  const { words, headers } = file;
  const header = headers + HEADER_WORDS * elf;
  const rel = reading.rel[elf]!;
  const rela = reading.rela[elf]!;
  if ((role === ROLE.global || isSharedRole(role)) && (rel | rela) !== 0) notPlain("relocations without bytes");
  tables.role[row] = role;
  tables.owner[row] = owner;
  tables.at[row] = words[header + 6]!;
  tables.size[row] = words[header + 8]!;
  tables.align[row] = Math.max(1, words[header + 12]!);
  if (rel !== 0) {
    tables.rel[row] = wordAt(placeOf(file, rel));
    tables.relEnd[row] = tables.rel[row]! + bytesOf(file, rel) / 4;
  }
  if (rela !== 0) {
    tables.rela[row] = wordAt(placeOf(file, rela));
    tables.relaEnd[row] = tables.rela[row]! + bytesOf(file, rela) / 4;
  }
  const said = role === ROLE.text ? told[elf]! : 0;
  tables.facts[row] = said & ~IS_TOLD;
  return said !== 0;
}

/** The row of a function of the file by its number there. */
function ownerOf({ tables, index }: Reading, number: number): number {
  const row = tables.firstSymbol[index]! + number;
  const isFunction = row < tables.firstSymbol[index + 1]! && tables.code[row]! >> 4 === KIND.function;
  return isFunction ? row : notPlain("the function of a section");
}

/** Whether an ELF section is as those of a role are, with the name of its function behind its own where it has one. */
function isOfRole({ file, tables }: Reading, elf: number, role: number, owner: number): boolean {
  const { type, addralign, name } = roleShapes[role]!;
  if (typeOf(file, elf) !== type || (addralign !== 0 && alignmentOf(file, elf) !== addralign)) return false;
  let at = endOfFront(file, elf, name);
  if (at < 0) return false;
  const { bytes } = file;
  if (owner >= 0) {
    const { texts } = tables;
    const text = tables.name[owner]!;
    for (let i = texts.start[text]!; i < texts.start[text + 1]!; i++) if (bytes[at++] !== texts.bytes[i]) return false;
  }
  return bytes[at] === 0;
}

/** The runs of a section's relocations, which must be those of its tables. Returns where they end. */
function checkRelocations({ file, tables, index }: Reading, row: number, from: number, end: number): number {
  const { words, symbolCount } = file;
  const { symbolOf, code, firstElf } = tables;
  const isCode = tables.role[row] === ROLE.text;
  const first = firstElf[index]!;
  const size = tables.size[row]!;
  let relAt = tables.rel[row]!;
  let relaAt = tables.rela[row]!;
  let at = from + 1;
  const behind = from < end ? at + 2 * words[from]! : notPlain("runs of relocations");
  if (behind > end) notPlain("runs of relocations");
  for (; at < behind; at += 2) {
    const count = words[at]!;
    const width = words[at + 1]! >> 1;
    if (width !== 1 && width !== 2 && width !== 4 && width !== 8) notPlain("bytes of a holder");
    const isRela = (words[at + 1]! & 1) !== 0;
    const step = isRela ? 6 : 4;
    const start = isRela ? relaAt : relAt;
    const stop = start + step * count;
    if (stop > (isRela ? tables.relaEnd[row]! : tables.relEnd[row]!)) notPlain("more relocations");
    for (let record = start; record < stop; record += step) {
      const elf = words[record + 3]!;
      const type = words[record + 2]!;
      if (elf >= symbolCount || words[record + 1] !== 0) notPlain("a relocation");
      if (type !== CODE_TYPE && (isCode || type > 255 || DATA_TYPES[type] === 0)) notPlain("type of a relocation");
      const symbol = symbolOf[first + elf]!;
      if (words[record]! + width > size || symbol < 0) notPlain("a relocation");
      if (isRela && (words[record + 4]! | words[record + 5]!) !== 0 && code[symbol]! >> 4 === KIND.function)
        notPlain("a number added to a function");
    }
    if (isRela) relaAt = stop;
    else relAt = stop;
  }
  if (relAt !== tables.relEnd[row] || relaAt !== tables.relaEnd[row]) notPlain("fewer relocations");
  return behind;
}

// --------------------------------------------------------------------------------------------------------------- places

/** Where each symbol stands, from its ELF symbol. */
export function placeSymbols({ file, tables, index, extended, rows }: Reading): void {
  const { words, symbolCount } = file;
  const { firstElf, firstSection, symbolOf, role, place, owner, code, flags, shape, shapes, align, offset, rare } =
    tables;
  let at = wordAt(placeOf(file, SYMBOLS));
  for (let slot = firstElf[index]!, elf = 0; elf < symbolCount; elf++, slot++, at += 6) {
    const row = symbolOf[slot]!;
    if (row < 0) continue;
    const written = words[at + 1]! >>> 16;
    const section = written === SHN.XINDEX ? words[extended + elf]! : written;
    const kind = code[row]! >> 4;
    const space = flags[row]! >> 4;
    // A section of a large file may have that number, too.
    if ((written === SHN.COMMON) !== ((code[row]! & 15) === LINKAGE.common)) notPlain("common");
    if (written === SHN.COMMON) {
      if (kind !== KIND.variable || space !== SPACE.global) notPlain("common");
      if ((flags[row]! & (INITIALISED | HAS_SCOPE)) !== 0) notPlain("common");
      place[row] = COMMON;
      rare.common++;
      continue;
    }
    if (section === 0) {
      place[row] = -1;
      continue;
    }
    const into = rows[section]!;
    if (into < 0 || kind === KIND.reference) notPlain("a place in another section");
    place[row] = into;
    const inRole = role[into]!;
    if (kind === KIND.variable) {
      if (align[into]! < alignOfShape(shapes, shape[row]!)) notPlain("alignment of a section");
      if (space === SPACE.shared) {
        // It has no offset yet; its value is its alignment.
        if (!isSharedRole(inRole) || (flags[row]! & INITIALISED) !== 0) notPlain("a shared variable");
        continue;
      }
    }
    const offsetIn = words[at + 2]!;
    if (words[at + 3] !== 0 || offsetIn >= 2 ** 31) notPlain("offset of a symbol");
    offset[row] = offsetIn;
    if (kind === KIND.function) {
      // Of a second name the section is another's.
      if (offsetIn !== 0 || inRole !== ROLE.text) notPlain("place of a function");
      if (owner[into] !== row) rare.secondNames++;
    } else checkPlace(tables, row, into, inRole);
  }
  for (let row = firstSection[index]!; row < firstSection[index + 1]!; row++)
    if (role[row] === ROLE.text && place[owner[row]!] !== row) notPlain("code of another function");
}

/** Of a variable that has bytes. */
function checkPlace(tables: Reading["tables"], row: number, section: number, role: number): void {
  const { shapes, shape, offset, size, flags } = tables;
  const bytes = sizeOfShape(shapes, shape[row]!);
  if (role === ROLE.text || isSharedRole(role)) notPlain("place of a variable");
  if (offset[row]! % alignOfShape(shapes, shape[row]!) !== 0) notPlain("alignment of a variable");
  if (offset[row]! + bytes > size[section]!) notPlain("a variable behind the end");
  if ((flags[row]! & INITIALISED) !== 0 && (bytes === 0 || role === ROLE.global)) notPlain("a value without bytes");
  if ((role === ROLE.constant) !== (flags[row]! >> 4 === SPACE.const)) notPlain("section of a variable");
}

// ---------------------------------------------------------------------------------------------------- kernels and debug

export function readKernels({ file, tables, index, start }: Reading, { kernels, debug }: DeclarationPlaces): void {
  const { words } = file;
  const { firstSymbol, code, place, shape, shapes } = tables;
  for (let at = start + kernels; at < start + debug; at += KERNEL_WORDS) {
    const row = firstSymbol[index]! + words[at]!;
    if (row >= firstSymbol[index + 1]! || (words[at + 1]! | words[at + 2]!) !== 0) notPlain("a kernel");
    if (code[row]! >> 4 !== KIND.function || !isEntry(tables, row) || place[row]! < 0) notPlain("no kernel");
    if (parameterBytes(shapes, shape[row]!) > MAX_PARAMETER_BYTES) notPlain("parameters");
    tables.kernels.push(row);
  }
}

export function readDebug(reading: Reading, places: DeclarationPlaces): void {
  const { file, tables, index, start, pool } = reading;
  const { words, bytes } = file;
  const modules = tables.firstModule[index + 1]! - tables.firstModule[index]!;
  let shapeAt = 4 * start + places.shapeBytes;
  const end = 4 * start + places.end;
  let total = 0;
  for (let at = start + places.debug; at < start + places.textBytes / 4; at += DEBUG_WORDS) {
    const [nameNumber, module, elf, offset, size, shapeBytes] = words.subarray(at, at + DEBUG_WORDS) as unknown as [number, number, number, number, number, number]; // prettier-ignore
    if (nameNumber >= places.typeEnds - places.textEnds || module >= modules) notPlain("a debug section");
    if (elf >= file.sectionCount || typeOf(file, elf) !== SHT.PROGBITS) notPlain("a debug section");
    total += size;
    if (offset + size > bytesOf(file, elf) || total > bytes.length || shapeAt + shapeBytes > end)
      notPlain("a debug section");
    const name = pool[nameNumber]!;
    if (!isNamed(file, elf, encoder.encode(debugElfName(textOf(tables.texts, name))))) notPlain("a debug section");
    const from = placeOf(file, elf) + offset;
    const data = bytes.subarray(from, from + size);
    const shape = bytes.subarray(shapeAt, shapeAt + shapeBytes);
    tables.debug.push({ file: index, name, module: tables.firstModule[index]! + module, data, shape });
    shapeAt += shapeBytes;
  }
  if (shapeAt !== end) notPlain("shapes of debug sections");
}

// ---------------------------------------------------------------------------------------------------------------- apart

/** Variables of one section have no bytes in common: object/file/file-layout.ts reports those that do. */
export function checkApart({ tables, index }: Reading): void {
  const { firstSymbol, place, code, flags, shape, shapes, offset } = tables;
  const [first, end] = [firstSymbol[index]!, firstSymbol[index + 1]!];
  let last = 0;
  let lastSection = -1;
  let isSorted = true;
  for (let row = first; row < end; row++) {
    const section = place[row]!;
    if (section < 0 || code[row]! >> 4 !== KIND.variable || flags[row]! >> 4 === SPACE.shared) continue;
    const bytes = sizeOfShape(shapes, shape[row]!);
    if (bytes === 0) continue;
    // In the order of the section, as they are often declared, each only has to begin behind the one before.
    if (section < lastSection || (section === lastSection && offset[row]! < last)) isSorted = false;
    lastSection = section;
    last = offset[row]! + bytes;
  }
  if (!isSorted) checkSorted(tables, first, end);
}

function checkSorted(tables: Reading["tables"], first: number, end: number): void {
  const { place, code, flags, shape, shapes, offset } = tables;
  const rows: number[] = [];
  for (let row = first; row < end; row++)
    if (place[row]! >= 0 && code[row]! >> 4 === KIND.variable && flags[row]! >> 4 !== SPACE.shared) rows.push(row);
  rows.sort((a, b) => place[a]! - place[b]! || offset[a]! - offset[b]!);
  let [section, last] = [-1, 0];
  for (const row of rows) {
    const bytes = sizeOfShape(shapes, shape[row]!);
    if (bytes === 0) continue;
    if (place[row] === section && offset[row]! < last) notPlain("two variables in one place");
    section = place[row]!;
    last = offset[row]! + bytes;
  }
}
