// The rest of `.ptxkit.decl`, behind the symbols: sections with their relocations, where symbols stand, and kernels. Each is held
// against the ELF sections and symbols.

import * as ELF from "./constants";
import { cursor, readCount, readU8, readVarU } from "./cursor";
import {
  align, alignmentOf, at as atOf, bytesOf, extended, facts, file, firstElf, firstSection, firstSymbol, flagsOf, kindOf, linkageOf, name,
  nameAt, offset, owner, place, placeOf, rel, relaEnd, rela, relEnd, role, runs, sectionCount, setWord, shape, size, spaceOf, symbolCount,
  symbolOf, typeOf, wordOf,
} from "./file"; // prettier-ignore
import { notPlain } from "./leave";
import { isSame, List, push } from "./memory";
import { relaOf, relOf, rowOf, setRow, toldCount, toldOf } from "./sections";
import { alignOfShape, parameterBytes, sizeOfShape } from "./shapes";
import { startOf, textBytes } from "./texts";

export const kernels = changetype<List>(memory.data(12));

// How many symbols are such.
export let common: u32 = 0;
export let secondNames: u32 = 0;

/** What an ELF section of each role is, four words each: type, alignment or 0 for any, address and bytes of its name. */
export let roleShapes: usize = 0;
export let roleCount: u32 = 0;
export let mostParameterBytes: u32 = 0;

function isSharedRole(role: u32): bool {
  return role == ELF.ROLE_MODULE_SHARED || role == ELF.ROLE_SHARED;
}

export function readSections(index: u32): void {
  const first = wordOf(firstSection, index);
  const end = first + readCount(3);
  setWord(firstSection, index + 1, end);
  let told: u32 = 0;
  for (let row = first; row < end; row++) if (readSection(index, row)) told++;
  if (told != toldCount) notPlain();
}

/** Whether attributes say something of it. */
function readSection(index: u32, row: u32): bool {
  const elf = readVarU();
  if (elf >= sectionCount || rowOf(elf) != -1) notPlain();
  setRow(elf, row);
  const code = readU8();
  if (code >= roleCount) notPlain();
  let function_: i32 = -1;
  if (code == ELF.ROLE_TEXT || code == ELF.ROLE_SHARED) {
    const symbol = <u64>wordOf(firstSymbol, index) + readVarU();
    if (symbol >= wordOf(firstSymbol, index + 1) || kindOf(<u32>symbol) != ELF.KIND_FUNCTION) notPlain();
    function_ = <i32>symbol;
  }
  if (!isOfRole(elf, code, function_)) notPlain();
  const relTable = relOf(elf);
  const relaTable = relaOf(elf);
  if ((code == ELF.ROLE_GLOBAL || isSharedRole(code)) && (relTable | relaTable) != 0) notPlain();
  store<u8>(role + row, <u8>code);
  setWord(owner, row, function_);
  setWord(atOf, row, placeOf(elf));
  setWord(size, row, bytesOf(elf));
  setWord(align, row, max(1, alignmentOf(elf)));
  putRecords(rel, relEnd, row, relTable);
  putRecords(rela, relaEnd, row, relaTable);
  const told = code == ELF.ROLE_TEXT ? toldOf(elf) : 0;
  if (told != 0) store<u16>(facts + 2 * row, <u16>(told & ~ELF.IS_TOLD));
  setWord(runs, row, <u32>(cursor - file));
  checkRelocations(index, row);
  return told != 0;
}

/** Of the records in that ELF section, 0 for none: from where and up to where, in words. */
function putRecords(from: usize, to: usize, row: u32, elf: u32): void {
  if (elf == 0) return;
  const start = placeOf(elf) / 4;
  setWord(from, row, start);
  setWord(to, row, start + bytesOf(elf) / 4);
}

/** Whether an ELF section is as those of a role are, with the name of its function behind its own where it has one. */
function isOfRole(elf: u32, code: u32, function_: i32): bool {
  const facts = roleShapes + 16 * code;
  const aligned = load<u32>(facts, 4);
  if (typeOf(elf) != load<u32>(facts) || (aligned != 0 && alignmentOf(elf) != aligned)) return false;
  let at = file + placeOf(ELF.NAMES) + nameAt(elf);
  const front = load<u32>(facts, 12);
  if (!isSame(at, load<u32>(facts, 8), front)) return false;
  at += front;
  if (function_ >= 0) {
    const text = wordOf(name, function_);
    const start = startOf(text);
    const length = startOf(text + 1) - start;
    if (!isSame(at, textBytes + start, length)) return false;
    at += length;
  }
  return load<u8>(at) == 0;
}

/** Reads over the runs of relocations, which must be those of the section's tables. */
function checkRelocations(index: u32, row: u32): void {
  let relAt = file + 4 * wordOf(rel, row);
  let relaAt = file + 4 * wordOf(rela, row);
  const endOfRel = file + 4 * wordOf(relEnd, row);
  const endOfRela = file + 4 * wordOf(relaEnd, row);
  const bytes: u64 = wordOf(size, row);
  const symbols = symbolOf + 4 * wordOf(firstElf, index);
  for (let left = readCount(2); left > 0; left--) {
    const count = readVarU();
    const code = readVarU();
    const width = code >> 1;
    if (width != 1 && width != 2 && width != 4 && width != 8) notPlain();
    const isRela = (code & 1) != 0;
    if (count > <u32>(isRela ? (endOfRela - relaAt) / 24 : (endOfRel - relAt) / 16)) notPlain();
    for (let i: u32 = 0; i < count; i++) {
      const at = isRela ? relaAt : relAt;
      const symbol = load<i32>(symbols + 4 * load<u32>(at, 12));
      if (<u64>load<u32>(at) + width > bytes || symbol < 0) notPlain();
      if (isRela) {
        if ((load<u32>(at, 16) | load<u32>(at, 20)) != 0 && kindOf(symbol) == ELF.KIND_FUNCTION) notPlain();
        relaAt += 24;
      } else relAt += 16;
    }
  }
  if (relAt != endOfRel || relaAt != endOfRela) notPlain();
}

// --------------------------------------------------------------------------------------------------------------- places

/** Where each symbol stands, from its ELF symbol. */
export function placeSymbols(index: u32): void {
  const symbols = symbolOf + 4 * wordOf(firstElf, index);
  let at = file + placeOf(ELF.SYMBOLS);
  for (let elf: u32 = 0; elf < symbolCount; elf++, at += 24) {
    const row = load<i32>(symbols + 4 * elf);
    if (row >= 0) placeSymbol(row, elf, at);
  }
  const end = wordOf(firstSection, index + 1);
  for (let row = wordOf(firstSection, index); row < end; row++)
    if (load<u8>(role + row) == ELF.ROLE_TEXT && wordOf(place, wordOf(owner, row)) != row) notPlain();
}

/** `at`: of its ELF symbol. */
function placeSymbol(row: u32, elf: u32, at: usize): void {
  const written = <u32>load<u16>(at, 6);
  const section = written == ELF.SHN_XINDEX ? load<u32>(file + extended + 4 * elf) : written;
  // A section of a large file may have that number, too.
  if ((written == ELF.SHN_COMMON) != (linkageOf(row) == ELF.LINKAGE_COMMON)) notPlain();
  const kind = kindOf(row);
  if (written == ELF.SHN_COMMON) {
    if (kind != ELF.KIND_VARIABLE || spaceOf(row) != ELF.SPACE_GLOBAL) notPlain();
    if ((flagsOf(row) & (ELF.INITIALISED | ELF.HAS_SCOPE)) != 0) notPlain();
    setWord(place, row, ELF.COMMON);
    common++;
    return;
  }
  if (section == 0) {
    setWord(place, row, -1);
    return;
  }
  const section_ = rowOf(section);
  if (section_ < 0 || kind == ELF.KIND_REFERENCE) notPlain();
  setWord(place, row, section_);
  const inRole = load<u8>(role + section_);
  if (kind == ELF.KIND_VARIABLE) {
    if (wordOf(align, section_) < alignOfShape(wordOf(shape, row))) notPlain();
    if (spaceOf(row) == ELF.SPACE_SHARED) {
      // It has no offset yet; its value is its alignment.
      if (!isSharedRole(inRole) || (flagsOf(row) & ELF.INITIALISED) != 0) notPlain();
      return;
    }
  }
  const offsetIn = load<u32>(at, 8);
  if (load<u32>(at, 12) != 0 || offsetIn >= 0x80000000) notPlain();
  setWord(offset, row, offsetIn);
  if (kind == ELF.KIND_FUNCTION) {
    // Of a second name the section is another's.
    if (offsetIn != 0 || inRole != ELF.ROLE_TEXT) notPlain();
    if (wordOf(owner, section_) != row) secondNames++;
  } else checkPlace(row, section_, inRole, offsetIn);
}

/** Of a variable that has bytes. */
function checkPlace(row: u32, section_: u32, inRole: u32, offsetIn: u32): void {
  const bytes = sizeOfShape(wordOf(shape, row));
  if (inRole == ELF.ROLE_TEXT || isSharedRole(inRole) || (offsetIn & (alignOfShape(wordOf(shape, row)) - 1)) != 0)
    notPlain();
  if (<u64>offsetIn + bytes > wordOf(size, section_)) notPlain();
  if ((flagsOf(row) & ELF.INITIALISED) != 0 && (bytes == 0 || inRole == ELF.ROLE_GLOBAL)) notPlain();
  if ((inRole == ELF.ROLE_CONSTANT) != (spaceOf(row) == ELF.SPACE_CONST)) notPlain();
}

export function readKernels(index: u32): void {
  const first = wordOf(firstSymbol, index);
  for (let count = readCount(3); count > 0; count--) {
    const symbol = <u64>first + readVarU();
    if (symbol >= wordOf(firstSymbol, index + 1) || readVarU() != 0 || readVarU() != 0) notPlain();
    const row = <u32>symbol;
    if (kindOf(row) != ELF.KIND_FUNCTION || (flagsOf(row) & ELF.IS_ENTRY) == 0 || <i32>wordOf(place, row) < 0)
      notPlain();
    if (parameterBytes(wordOf(shape, row)) > mostParameterBytes) notPlain();
    push(kernels, row);
  }
}
