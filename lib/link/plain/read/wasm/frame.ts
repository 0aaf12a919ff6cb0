// The frame of the file that is read: its section headers and its symbol table, checked, so that whoever reads on finds every section
// inside the file and every name and section of a symbol.

import * as ELF from "./constants";
import {
  alignmentOf, bytesOf, entryBytesOf, extended, file, fileBytes, highWords, linkOf, nameAt, placeOf, sectionCount, setFound, symbolCount,
  typeOf,
} from "./file"; // prettier-ignore
import { notPlain } from "./leave";
import { isSame } from "./memory";

/** Names by which sections are found, of each its address and bytes: those of FIXED_NAMES, in their order. */
export let fixedNames: usize = 0;
const SYMBOLS_NAME: u32 = 0;
const NOTE_NAME: u32 = 1;
const DECLARATIONS_NAME: u32 = 2;
const INFO_NAME: u32 = 3;
const GRAPH_NAME: u32 = 4;

export let containerVersion: u32 = 0;

export function checkFrame(): void {
  checkHeaders();
  const declarations = findDeclared();
  setFound(declarations, findGraph(declarations), findExtended());
  checkSymbolTable();
  if (!isNamed(ELF.SYMBOLS, SYMBOLS_NAME) || !isNamed(ELF.NOTE, NOTE_NAME)) notPlain();
  checkNote();
}

/** Whether an ELF section begins with that name. */
function beginsWith(elf: u32, name: u32): bool {
  const row = fixedNames + 8 * name;
  return isSame(file + placeOf(ELF.NAMES) + nameAt(elf), load<u32>(row), load<u32>(row, 4));
}

function isNamed(elf: u32, name: u32): bool {
  const length = load<u32>(fixedNames + 8 * name, 4);
  return beginsWith(elf, name) && load<u8>(file + placeOf(ELF.NAMES) + nameAt(elf) + length) == 0;
}

/** Whether a section of this type has its bytes in the file; otherwise it has a size in memory only. */
function hasFileBytes(type: u32): bool {
  if (type == ELF.SHT_NULL || type == ELF.SHT_NOBITS) return false;
  return type != ELF.SHT_CUDA_GLOBAL && type != ELF.SHT_CUDA_SHARED && type != ELF.SHT_CUDA_SHARED_RESERVED;
}

function checkHeaders(): void {
  // Of section 0 there is only what had no room in the file header.
  if ((nameAt(0) | typeOf(0)) != 0) notPlain();
  const nameBytes = bytesOf(ELF.NAMES);
  let end: u32 = 0;
  for (let elf: u32 = 0; elf < sectionCount; elf++) {
    const offset = placeOf(elf);
    const size = bytesOf(elf);
    const align = alignmentOf(elf);
    if (highWords(elf) != 0) notPlain();
    if ((align & (align - 1)) != 0 || size >= 0x80000000 || align >= 0x80000000) notPlain();
    if (nameAt(elf) >= nameBytes && nameAt(elf) != 0) notPlain();
    // One behind another, so that each byte belongs to one section and nothing is read more than once.
    const mask = min(max<u32>(1, align), ELF.MAX_FILE_ALIGNMENT) - 1;
    if (offset != ((end + mask) & ~mask)) notPlain();
    end = max(offset, ELF.ELF_HEADER_SIZE);
    if (!hasFileBytes(typeOf(elf))) continue;
    if (offset > fileBytes || size > fileBytes - offset) notPlain();
    end += size;
  }
  if (!endsInZero(ELF.NAMES)) notPlain();
}

function endsInZero(elf: u32): bool {
  return typeOf(elf) == ELF.SHT_STRTAB && bytesOf(elf) > 0 && load<u8>(file + placeOf(elf) + bytesOf(elf) - 1) == 0;
}

/**
 * The call graph, in a file where no section has the name of another that is found by its name. Few names begin alike, so that
 * few are compared as a whole.
 */
function findGraph(declarations: u32): u32 {
  const names = file + placeOf(ELF.NAMES);
  let found: u32 = 0;
  for (let elf: u32 = 1; elf < sectionCount; elf++) {
    const name = names + nameAt(elf);
    const letter = load<u8>(name, 1);
    if (letter == P && elf != declarations && isNamed(elf, DECLARATIONS_NAME)) notPlain();
    if (letter == S && elf != ELF.SYMBOLS && isNamed(elf, SYMBOLS_NAME)) notPlain();
    if (letter != N) continue;
    if (load<u8>(name, 2) == O && elf != ELF.NOTE && isNamed(elf, NOTE_NAME)) notPlain();
    // A section that is called as attributes are has them.
    if (load<u8>(name, 4) == I && typeOf(elf) != ELF.SHT_CUDA_INFO && beginsWith(elf, INFO_NAME)) notPlain();
    if (load<u8>(name, 5) != A || !isNamed(elf, GRAPH_NAME)) continue;
    if (found != 0) notPlain();
    found = elf;
  }
  if (found == 0) notPlain();
  return found;
}

/** Letters that tell the names apart: `.note.ptxkit`, `.nv.callgraph`, `.nv.info`, `.ptxkit.decl` and `.symtab`. */
const A: u32 = 0x61;
const I: u32 = 0x69;
const N: u32 = 0x6e;
const O: u32 = 0x6f;
const P: u32 = 0x70;
const S: u32 = 0x73;

/** Behind the declarations are a note with an ID and sections of symbols, at most. */
function findDeclared(): u32 {
  for (let elf = sectionCount - 1; elf > ELF.NOTE && elf + 3 >= sectionCount; elf--) {
    if (!isNamed(elf, DECLARATIONS_NAME)) continue;
    // Of some types a section has no bytes, whatever its header says of where they are.
    if (typeOf(elf) != ELF.SHT_PROGBITS) notPlain();
    return elf;
  }
  notPlain();
  return 0;
}

/** Where the sections of symbols are, in a file whose last section has them; else 0. */
function findExtended(): u32 {
  const last = sectionCount - 1;
  if (typeOf(last) != ELF.SHT_SYMTAB_SHNDX) return 0;
  const symbols = <u64>(bytesOf(ELF.SYMBOLS) / 24);
  if (linkOf(last) != ELF.SYMBOLS || placeOf(last) % 4 != 0 || bytesOf(last) != symbols * 4) notPlain();
  return placeOf(last);
}

/** The names and sections of symbols exist. */
function checkSymbolTable(): void {
  if (!isSymbolTable() || !endsInZero(ELF.STRINGS)) notPlain();
  const stringBytes = bytesOf(ELF.STRINGS);
  let at = file + placeOf(ELF.SYMBOLS);
  for (let symbol: u32 = 0; symbol < symbolCount; symbol++, at += 24) {
    if (load<u32>(at) >= stringBytes) notPlain();
    const section = <u32>load<u16>(at, 6);
    if (section == ELF.SHN_XINDEX) {
      const index: u32 = extended == 0 ? 0 : load<u32>(file + extended + 4 * symbol);
      if (index == 0 || index >= sectionCount) notPlain();
    } else if (section >= min(sectionCount, ELF.SHN_LORESERVE) && section != ELF.SHN_COMMON) notPlain();
  }
}

function isSymbolTable(): bool {
  const elf = ELF.SYMBOLS;
  if (typeOf(elf) != ELF.SHT_SYMTAB || linkOf(elf) != ELF.STRINGS || entryBytesOf(elf) != 24) return false;
  return placeOf(elf) % 4 == 0 && bytesOf(elf) == <u64>symbolCount * 24;
}

/** "ptxkit", and the version of the container. */
function checkNote(): void {
  const at = file + placeOf(ELF.NOTE);
  if (typeOf(ELF.NOTE) != ELF.SHT_NOTE || alignmentOf(ELF.NOTE) != 4) notPlain();
  if (bytesOf(ELF.NOTE) != 24 || placeOf(ELF.NOTE) % 4 != 0) notPlain();
  const isOurs =
    load<u32>(at) == 7 &&
    load<u32>(at, 4) == 4 &&
    load<u32>(at, 8) == 1 &&
    load<u32>(at, 12) == 0x6b787470 &&
    load<u32>(at, 16) == 0x00007469;
  if (!isOurs || load<u32>(at, 20) != containerVersion) notPlain();
}
