// Reads the rest of `.ptxkit.decl`, after the symbols: sections with their relocations, places of symbols, kernels, and debug
// sections. Each is checked against the ELF sections and symbols.

import { HAS_SCOPE, INITIALISED } from "../../file/declaration-codes.js";
import { MAX_PARAMETER_BYTES, R_CUDA } from "../../../../formats/cuda/index.js";
import { SHN, SHT } from "../../../../formats/elf/constants.table.js";
import { debugElfName } from "../../dwarf/debug-layout.js";
import { DEBUG_WORDS, KERNEL_WORDS, SECTION_WORDS, type DeclarationPlaces } from "../../file/declaration-rows.js";
import { sectionShape } from "../../section-shape.js";
import { roleNames, ROLE } from "../codes.js";
import { unsupported } from "../cursor.js";
import { alignOfType, parameterBytes, sizeOfType } from "../types.js";
import { COMMON, isEntry, KIND, LINKAGE, SPACE } from "../columns.js";
import { stringOf } from "../strings.js";
import { HAS_ATTRIBUTES } from "./elf-sections.js";
import { bytesOf, HEADER_WORDS, isNamed, NAMES, placeOf, SYMBOLS, typeOf } from "./elf-file.js";
import { DATA_TYPES, MANY, wordAt, type Placed, type ReaderState } from "./reader-state.js";

const encoder = new TextEncoder();

/** For each role: the name of its ELF sections, up to the name of the function, and their type and alignment. */
const roleShapes = roleNames.slice(0, ROLE.local).map((role, code) => {
  const { name, type, addralign } = sectionShape(role, "relocatable");
  const isOwned = code === ROLE.text || code === ROLE.shared;
  return { type, addralign, name: encoder.encode(isOwned ? `${name}.` : name) };
});

/** The type of relocations of code. */
const CODE_TYPE = R_CUDA["64"];

const isSharedRole = (role: number): boolean => role === ROLE.moduleShared || role === ROLE.shared;

export function readSections(state: ReaderState, places: DeclarationPlaces): void {
  const { columns, index, start, file } = state;
  const { firstSection } = columns;
  const first = firstSection[index]!;
  const count = (places.runs - places.sections) / SECTION_WORDS;
  // Each is a different ELF section.
  if (count > file.sectionCount || count > MAX_SECTIONS) unsupported("sections");
  firstSection[index + 1] = first + count;
  let described = 0;
  let runs = start + places.runs;
  for (let i = 0, at = start + places.sections; i < count; i++, at += SECTION_WORDS) {
    const row = first + i;
    if (readSection(state, row, at)) described++;
    if (file.words[at + 3]! !== runs - start - places.runs) unsupported("runs of relocations");
    columns.runs[row] = runs;
    runs = checkRelocations(state, row, runs, start + places.kernels);
  }
  if (described !== state.attributeCount || runs !== start + places.kernels) unsupported("sections");
}

/** Reads a section; returns whether it has attributes. `at`: the section's row in the file. */
function readSection(state: ReaderState, row: number, at: number): boolean {
  const { file, columns, rows, attributes } = state;
  const elf = file.words[at]!;
  if (elf >= file.sectionCount || rows[elf] !== -1) unsupported("an ELF section");
  rows[elf] = row;
  const role = file.words[at + 1]!;
  if (role >= roleShapes.length) unsupported("role of a section");
  const isOwned = role === ROLE.text || role === ROLE.shared;
  const owner = isOwned ? ownerOf(state, file.words[at + 2]!) : -1;
  if (!isOwned && file.words[at + 2] !== 0xffff_ffff) unsupported("a function of a section");
  const { words, headers } = file;
  const header = headers + HEADER_WORDS * elf;
  if (!isOfRole(state, header, role, owner)) unsupported("an ELF section of another role");
  const rel = state.rel[elf]!;
  const rela = state.rela[elf]!;
  if ((role === ROLE.global || isSharedRole(role)) && (rel | rela) !== 0) unsupported("relocations without bytes");
  columns.role[row] = role;
  columns.owner[row] = owner;
  columns.contentsAt[row] = words[header + 6]!;
  columns.size[row] = words[header + 8]!;
  columns.align[row] = Math.max(1, words[header + 12]!);
  if (rel !== 0) {
    const table = headers + HEADER_WORDS * rel;
    const start = wordAt(words[table + 6]!);
    columns.rel[row] = start;
    columns.relEnd[row] = start + words[table + 8]! / 4;
  }
  if (rela !== 0) {
    const table = headers + HEADER_WORDS * rela;
    const start = wordAt(words[table + 6]!);
    columns.rela[row] = start;
    columns.relaEnd[row] = start + words[table + 8]! / 4;
  }
  const said = role === ROLE.text ? attributes[elf]! : 0;
  columns.codeProperties[row] = said & ~HAS_ATTRIBUTES;
  return said !== 0;
}

/** The row of a function by its number in the file. */
function ownerOf({ columns, index }: ReaderState, number: number): number {
  const row = columns.firstSymbol[index]! + number;
  const isFunction = row < columns.firstSymbol[index + 1]! && columns.code[row]! >> 4 === KIND.function;
  return isFunction ? row : unsupported("the function of a section");
}

/**
 * Whether an ELF section fits its role; for sections of a function, its name must end with the function's. `header`: word index
 * of its header.
 */
function isOfRole({ file, columns }: ReaderState, header: number, role: number, owner: number): boolean {
  const { bytes, words } = file;
  const { type, addralign, name } = roleShapes[role]!;
  if (words[header + 1] !== type || (addralign !== 0 && words[header + 12] !== addralign)) return false;
  let at = placeOf(file, NAMES) + words[header]!;
  for (let i = 0; i < name.length; i++) if (bytes[at++] !== name[i]) return false;
  if (owner >= 0) {
    const { strings } = columns;
    const text = columns.name[owner]!;
    for (let i = strings.start[text]!; i < strings.start[text + 1]!; i++)
      if (bytes[at++] !== strings.bytes[i]) return false;
  }
  return bytes[at] === 0;
}

/** Checks the runs of a section's relocations against its tables. Returns their end. */
function checkRelocations({ file, columns, index }: ReaderState, row: number, from: number, end: number): number {
  const { words, symbolCount } = file;
  const { symbolOf, code, firstElfSymbol } = columns;
  const isCode = columns.role[row] === ROLE.text;
  const first = firstElfSymbol[index]!;
  const size = columns.size[row]!;
  let relAt = columns.rel[row]!;
  let relaAt = columns.rela[row]!;
  let at = from + 1;
  const behind = from < end ? at + 2 * words[from]! : unsupported("runs of relocations");
  if (behind > end) unsupported("runs of relocations");
  for (; at < behind; at += 2) {
    const count = words[at]!;
    const width = words[at + 1]! >> 1;
    if (width !== 1 && width !== 2 && width !== 4 && width !== 8) unsupported("bytes of a holder");
    const isRela = (words[at + 1]! & 1) !== 0;
    const step = isRela ? 6 : 4;
    const start = isRela ? relaAt : relAt;
    const stop = start + step * count;
    if (stop > (isRela ? columns.relaEnd[row]! : columns.relEnd[row]!)) unsupported("more relocations");
    for (let record = start; record < stop; record += step) {
      const elf = words[record + 3]!;
      const type = words[record + 2]!;
      if (elf >= symbolCount || words[record + 1] !== 0) unsupported("a relocation");
      if (type !== CODE_TYPE && (isCode || type > 255 || DATA_TYPES[type] === 0)) unsupported("type of a relocation");
      const symbol = symbolOf[first + elf]!;
      if (words[record]! + width > size || symbol < 0) unsupported("a relocation");
      if (isRela && (words[record + 4]! | words[record + 5]!) !== 0 && code[symbol]! >> 4 === KIND.function)
        unsupported("a number added to a function");
    }
    if (isRela) relaAt = stop;
    else relAt = stop;
  }
  if (relAt !== columns.relEnd[row] || relaAt !== columns.relaEnd[row]) unsupported("fewer relocations");
  return behind;
}

// --------------------------------------------------------------------------------------------------------------- places

/** Gives each symbol its section and offset, from its ELF symbol. Checks that variables of a section do not overlap. */
export function placeSymbols(state: ReaderState): void {
  const { file, columns, index, extended, rows, placed } = state;
  const { words, symbolCount } = file;
  placed.count = 0;
  const { firstElfSymbol, firstSection, symbolOf, role, sectionOf, owner, code } = columns;
  let at = wordAt(placeOf(file, SYMBOLS));
  for (let slot = firstElfSymbol[index]!, elf = 0; elf < symbolCount; elf++, slot++, at += 6) {
    const row = symbolOf[slot]!;
    if (row < 0) continue;
    const written = words[at + 1]! >>> 16;
    const section = written === SHN.XINDEX ? words[extended + elf]! : written;
    // In a large file, a section may have that number, too.
    if ((written === SHN.COMMON) !== ((code[row]! & 15) === LINKAGE.common)) unsupported("common");
    if (written === SHN.COMMON) placeCommon(columns, row);
    else if (section === 0) sectionOf[row] = -1;
    else placeInSection(state, row, rows[section]!, words[at + 2]!, words[at + 3]!);
  }
  for (let row = firstSection[index]!; row < firstSection[index + 1]!; row++)
    if (role[row] === ROLE.text && sectionOf[owner[row]!] !== row) unsupported("code of another function");
  if (placed.count > MANY) checkOverlap(state);
  else for (let i = 1; i < placed.count; i++) if (placed.starts[i]! < placed.ends[i - 1]!) unsupported(OVERLAP);
}

const OVERLAP = "two variables in one place";

function placeCommon(columns: ReaderState["columns"], row: number): void {
  const { code, flags, sectionOf, featureCounts } = columns;
  if (code[row]! >> 4 !== KIND.variable || flags[row]! >> 4 !== SPACE.global) unsupported("common");
  if ((flags[row]! & (INITIALISED | HAS_SCOPE)) !== 0) unsupported("common");
  sectionOf[row] = COMMON;
  featureCounts.common++;
}

/** `low` and `high`: the words of st_value. */
function placeInSection(state: ReaderState, row: number, into: number, low: number, high: number): void {
  const { columns } = state;
  const { role, sectionOf, owner, code, flags, typeId, types, align, offset, featureCounts } = columns;
  const kind = code[row]! >> 4;
  if (into < 0 || kind === KIND.reference) unsupported("a place in another section");
  sectionOf[row] = into;
  const inRole = role[into]!;
  if (kind === KIND.variable) {
    if (align[into]! < alignOfType(types, typeId[row]!)) unsupported("alignment of a section");
    if (flags[row]! >> 4 === SPACE.shared) {
      // In an object it has no offset yet; the value is its alignment.
      if (!isSharedRole(inRole) || (flags[row]! & INITIALISED) !== 0) unsupported("a shared variable");
      return;
    }
  }
  if (high !== 0 || low >= 2 ** 31) unsupported("offset of a symbol");
  offset[row] = low;
  if (kind === KIND.function) {
    // The section of an alias belongs to another function.
    if (low !== 0 || inRole !== ROLE.text) unsupported("place of a function");
    if (owner[into] !== row) featureCounts.functionAliases++;
  } else checkPlace(state, row, into, inRole);
}

/** Checks the place of a variable with bytes. */
function checkPlace({ columns, index, placed }: ReaderState, row: number, section: number, role: number): void {
  const { types, typeId, offset, size, flags } = columns;
  const bytes = sizeOfType(types, typeId[row]!);
  if (role === ROLE.text || isSharedRole(role)) unsupported("place of a variable");
  if (offset[row]! % alignOfType(types, typeId[row]!) !== 0) unsupported("alignment of a variable");
  if (offset[row]! + bytes > size[section]!) unsupported("a variable past the end");
  if ((flags[row]! & INITIALISED) !== 0 && (bytes === 0 || role === ROLE.global)) unsupported("a value without bytes");
  if ((role === ROLE.constant) !== (flags[row]! >> 4 === SPACE.const)) unsupported("section of a variable");
  if (bytes === 0) return;
  if (placed.count >= MANY) placed.count = MANY + 1;
  else place(placed, LIMIT * (section - columns.firstSection[index]!) + offset[row]!, bytes);
}

/**
 * To compare places across sections, sections are treated as consecutive ranges of this size, which no section reaches. Sums for
 * this many sections are exact.
 */
const LIMIT = 2 ** 31;
const MAX_SECTIONS = 2 ** 21;

/** Inserts a variable among the earlier ones, in the order of their offsets. */
function place(placed: Placed, start: number, bytes: number): void {
  const { starts, ends } = placed;
  let at = placed.count++;
  for (; at > 0 && starts[at - 1]! > start; at--) {
    starts[at] = starts[at - 1]!;
    ends[at] = ends[at - 1]!;
  }
  starts[at] = start;
  ends[at] = start + bytes;
}

// ---------------------------------------------------------------------------------------------------- kernels and debug

export function readKernels({ file, columns, index, start }: ReaderState, { kernels, debug }: DeclarationPlaces): void {
  const { words } = file;
  const { firstSymbol, code, sectionOf, typeId, types } = columns;
  for (let at = start + kernels; at < start + debug; at += KERNEL_WORDS) {
    const row = firstSymbol[index]! + words[at]!;
    if (row >= firstSymbol[index + 1]! || (words[at + 1]! | words[at + 2]!) !== 0) unsupported("a kernel");
    if (code[row]! >> 4 !== KIND.function || !isEntry(columns, row) || sectionOf[row]! < 0) unsupported("no kernel");
    if (parameterBytes(types, typeId[row]!) > MAX_PARAMETER_BYTES) unsupported("parameters");
    columns.kernels.push(row);
  }
}

export function readDebug(state: ReaderState, places: DeclarationPlaces): void {
  const { file, columns, index, start, strings } = state;
  const { words, bytes } = file;
  const modules = columns.firstModule[index + 1]! - columns.firstModule[index]!;
  let shapeAt = 4 * start + places.shapeBytes;
  const end = 4 * start + places.end;
  let total = 0;
  for (let at = start + places.debug; at < start + places.textBytes / 4; at += DEBUG_WORDS) {
    const [nameNumber, module, elf, offset, size, shapeBytes] = words.subarray(at, at + DEBUG_WORDS) as unknown as [number, number, number, number, number, number]; // prettier-ignore
    if (nameNumber >= places.typeEnds - places.textEnds || module >= modules) unsupported("a debug section");
    if (elf >= file.sectionCount || typeOf(file, elf) !== SHT.PROGBITS) unsupported("a debug section");
    total += size;
    if (offset + size > bytesOf(file, elf) || total > bytes.length || shapeAt + shapeBytes > end)
      unsupported("a debug section");
    const name = strings[nameNumber]!;
    if (!isNamed(file, elf, encoder.encode(debugElfName(stringOf(columns.strings, name)))))
      unsupported("a debug section");
    const from = placeOf(file, elf) + offset;
    const data = bytes.subarray(from, from + size);
    const record = bytes.subarray(shapeAt, shapeAt + shapeBytes);
    columns.debug.push({ file: index, name, module: columns.firstModule[index]! + module, data, record });
    shapeAt += shapeBytes;
  }
  if (shapeAt !== end) unsupported("shapes of debug sections");
}

// ---------------------------------------------------------------------------------------------------------------- apart

/**
 * The same check for a file with many variables; object/file/file-layout.ts reports variables that overlap. Ranges are disjoint
 * exactly if, with starts and ends sorted separately, every end is at most the next start.
 */
function checkOverlap({ columns, index }: ReaderState): void {
  const { firstSymbol, firstSection, sectionOf, code, flags, typeId, types, offset } = columns;
  const [first, end] = [firstSymbol[index]!, firstSymbol[index + 1]!];
  const starts = new Float64Array(end - first);
  const ends = new Float64Array(end - first);
  let count = 0;
  for (let row = first; row < end; row++) {
    const section = sectionOf[row]! - firstSection[index]!;
    if (section < 0 || code[row]! >> 4 !== KIND.variable || flags[row]! >> 4 === SPACE.shared) continue;
    const bytes = sizeOfType(types, typeId[row]!);
    if (bytes === 0) continue;
    starts[count] = LIMIT * section + offset[row]!;
    ends[count] = starts[count]! + bytes;
    count++;
  }
  const [sortedStarts, sortedEnds] = [starts.subarray(0, count).sort(), ends.subarray(0, count).sort()];
  for (let i = 1; i < count; i++) if (sortedStarts[i]! < sortedEnds[i - 1]!) unsupported(OVERLAP);
}
