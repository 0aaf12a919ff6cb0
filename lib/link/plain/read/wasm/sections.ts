// What is known of the ELF sections of the file before its declarations are read: their tables of relocations, and what attributes say
// of code.

import * as ELF from "./constants";
import {
  bytesOf,
  file,
  headerFlags,
  infoOf,
  linkOf,
  placeOf,
  sectionCount,
  symbolCount,
  typeOf,
  entryBytesOf,
} from "./file";
import { notPlain } from "./leave";
import { reserve } from "./memory";

/** Of each ELF section: its row, -1; the ELF sections of its tables of relocations, 0; and what attributes say, with IS_TOLD where they do. */
let rows: usize = 0;
let without: usize = 0;
let withAddends: usize = 0;
let told: usize = 0;
let room: u32 = 0;
/** How many sections have attributes. */
export let toldCount: u32 = 0;

/** By type, whether relocations of data are of it; bytes, of types below 256. */
export let holderTypes: usize = 0;

export function findTables(): void {
  if (room < sectionCount) {
    room = 2 * sectionCount;
    rows = reserve(4 * room);
    without = reserve(4 * room);
    withAddends = reserve(4 * room);
    told = reserve(2 * room);
  }
  memory.fill(rows, 0xff, 4 * sectionCount);
  memory.fill(without, 0, 4 * sectionCount);
  memory.fill(withAddends, 0, 4 * sectionCount);
  memory.fill(told, 0, 2 * sectionCount);
  toldCount = 0;
  for (let elf: u32 = 1; elf < sectionCount; elf++) {
    const type = typeOf(elf);
    if (type == ELF.SHT_CUDA_INFO) readInfo(elf);
    else if (type == ELF.SHT_REL || type == ELF.SHT_RELA) findRelocations(elf, type == ELF.SHT_REL);
    else if (type == ELF.SHT_SYMTAB_SHNDX && elf + 1 != sectionCount) notPlain();
  }
}

/** The row, below 0 for none. */
export function rowOf(elf: u32): i32 {
  return load<i32>(rows + 4 * elf);
}

export function setRow(elf: u32, row: u32): void {
  store<u32>(rows + 4 * elf, row);
}

export function relOf(elf: u32): u32 {
  return load<u32>(without + 4 * elf);
}

export function relaOf(elf: u32): u32 {
  return load<u32>(withAddends + 4 * elf);
}

export function toldOf(elf: u32): u32 {
  return load<u16>(told + 2 * elf);
}

/** Of one table. */
function findRelocations(elf: u32, isRel: bool): void {
  const stride: u32 = isRel ? 16 : 24;
  const offset = placeOf(elf);
  const bytes = bytesOf(elf);
  const info = infoOf(elf);
  if (entryBytesOf(elf) != stride || bytes % stride != 0 || offset % 4 != 0) notPlain();
  if (info >= sectionCount || linkOf(elf) != ELF.SYMBOLS) notPlain();
  const into = (isRel ? without : withAddends) + 4 * info;
  if (load<u32>(into) != 0) notPlain();
  store<u32>(into, elf);
  const isCode = (headerFlags(info) & ELF.SHF_EXECINSTR) != 0;
  for (let at = file + offset, end = at + bytes; at < end; at += stride) {
    if (load<u32>(at, 12) >= symbolCount || load<u32>(at, 4) != 0) notPlain();
    const type = load<u32>(at, 8);
    if (type != ELF.R_CUDA_64 && (isCode || type > 255 || load<u8>(holderTypes + type) == 0)) notPlain();
  }
}

/** What attributes say of code. */
function readInfo(elf: u32): void {
  const about = infoOf(elf);
  if (about >= sectionCount) notPlain();
  const into = told + 2 * about;
  if (load<u16>(into) != 0) notPlain();
  if ((about != 0) != ((headerFlags(elf) & ELF.SHF_INFO_LINK) != 0)) notPlain();
  let said: u32 = 0;
  if (about != 0) {
    said = ELF.IS_TOLD;
    toldCount++;
  }
  let at = file + placeOf(elf);
  const end = at + bytesOf(elf);
  while (at < end) {
    const format = load<u8>(at);
    const attribute = load<u8>(at, 1);
    if (format < 1 || format > 4 || attribute == ELF.EIATTR_CRS_STACK_SIZE) notPlain();
    if (attribute == ELF.EIATTR_NUM_BARRIERS) {
      if (format != ELF.EIFMT_BVAL) notPlain();
      said = (said & ~0xff) | load<u8>(at, 2);
    }
    if (attribute == ELF.EIATTR_CTAIDZ_USED) said |= ELF.FACT_BLOCK_Z;
    if (attribute == ELF.EIATTR_WMMA_USED) said |= ELF.FACT_MATRICES;
    at += 4 + (format == ELF.EIFMT_SVAL ? load<u16>(at, 2) : 0);
  }
  if (at != end) notPlain();
  store<u16>(into, <u16>said);
}
