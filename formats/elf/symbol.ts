// Symbol tables (System V ABI, "Symbol Table"; Elf64_Sym, 24 bytes), read into columns. Columns are typed arrays, because a table
// of 100,000 symbols is ordinary: binary-parser takes about thirty times as long and seven times the memory. Names are decoded on
// demand; reading checks that all of them can be. NVIDIA's tables contain weak symbols below sh_info, which ELF reserves for
// local ones: use the binding, not sh_info.
import { decoding, malformed } from "../bytes/malformed.js";
import type { Result } from "../bytes/result.js";
import { EM, SHN, SHT, SHT_CUDA } from "./constants.table.js";
import { linkedStrings, type ElfFile, type ElfSection } from "./file.js";
import { checkNames } from "./strings.js";

/** Size of the record in bytes. */
export const SYMBOL_SIZE = 24;

export interface ElfSymbol {
  readonly index: number;
  readonly name: string;
  /** STT_*: low four bits of st_info */
  readonly type: number;
  /** STB_*: high four bits of st_info */
  readonly binding: number;
  /** st_other: visibility in the low two bits, STO_CUDA_* above */
  readonly other: number;
  /** Section in which the symbol is defined; 0 if in none */
  readonly sectionIndex: number;
  /** SHN_ABS, SHN_COMMON or another reserved st_shndx; otherwise 0 */
  readonly special: number;
  /** st_value relative to the section, also in an ET_EXEC cubin; above 2^53 (only in host files), the nearest double */
  readonly value: number;
  /** st_size in bytes; above 2^53, the nearest double */
  readonly size: number;
}

export interface SymbolTable {
  readonly section: ElfSection;
  readonly count: number;
  name(index: number): string;
  type(index: number): number;
  binding(index: number): number;
  other(index: number): number;
  sectionIndex(index: number): number;
  special(index: number): number;
  value(index: number): number;
  /** st_value, exact */
  value64(index: number): bigint;
  size(index: number): number;
  /** st_size, exact */
  size64(index: number): bigint;
  /** All fields of one symbol. */
  at(index: number): ElfSymbol;
}

interface Columns {
  readonly nameOffset: Uint32Array;
  readonly info: Uint8Array;
  readonly other: Uint8Array;
  readonly sectionIndex: Uint32Array;
  readonly special: Uint16Array;
  readonly valueLow: Uint32Array;
  readonly valueHigh: Uint32Array;
  readonly size: Float64Array;
}

/** Whether a section of this type contains Elf64_Sym records. */
export function isSymbolTable(machine: number, type: number): boolean {
  return type === SHT.SYMTAB || type === SHT.DYNSYM || (machine === EM.CUDA && type === SHT_CUDA.MERC_SYMTAB);
}

/** Reads the symbol table in `section`. Checks that every name and section index in it is valid. */
export function symbolsOf(file: ElfFile, section: ElfSection): Result<SymbolTable> {
  return decoding(() => {
    const what = `section ${section.index} (${section.name})`;
    if (!isSymbolTable(file.header.machine, section.type))
      malformed("malformed", section.headerOffset, `${what} is not a symbol table`);
    if (section.entsize !== SYMBOL_SIZE || section.data.length % SYMBOL_SIZE !== 0)
      malformed(
        "malformed",
        section.headerOffset + 56,
        `${what}: ${section.data.length} bytes of ${section.entsize}-byte entries are not symbols of ${SYMBOL_SIZE}`,
      );
    const columns = readColumns(file, section);
    const names = linkedStrings(file, section);
    checkNames(names, columns.nameOffset, section.data.length, (i) => section.offset + i * SYMBOL_SIZE, "symbol");
    return table(section, columns, (i) => (columns.nameOffset[i] === 0 ? "" : names.at(columns.nameOffset[i]!)!));
  });
}

function readColumns(file: ElfFile, section: ElfSection): Columns {
  const { data } = section;
  const count = data.length / SYMBOL_SIZE;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const columns: Columns = {
    nameOffset: new Uint32Array(count),
    info: new Uint8Array(count),
    other: new Uint8Array(count),
    sectionIndex: new Uint32Array(count),
    special: new Uint16Array(count),
    valueLow: new Uint32Array(count),
    valueHigh: new Uint32Array(count),
    size: new Float64Array(count),
  };
  let extended: DataView | undefined;
  for (let i = 0, at = 0; i < count; i++, at += SYMBOL_SIZE) {
    columns.nameOffset[i] = view.getUint32(at, true);
    columns.info[i] = data[at + 4]!;
    columns.other[i] = data[at + 5]!;
    let index = view.getUint16(at + 6, true);
    if (index >= SHN.LORESERVE && index !== SHN.XINDEX) {
      columns.special[i] = index;
      index = 0;
    } else if (index === SHN.XINDEX) {
      extended ??= extendedIndices(file, section);
      if (i * 4 + 4 > extended.byteLength)
        malformed("truncated", section.offset + at, `symbol ${i}: the extended section indices end before it`);
      index = extended.getUint32(i * 4, true);
    }
    if (index !== 0 && index >= file.sections.length)
      malformed("out-of-range", section.offset + at + 6, `symbol ${i}: section ${index} does not exist`);
    columns.sectionIndex[i] = index;
    columns.valueLow[i] = view.getUint32(at + 8, true);
    columns.valueHigh[i] = view.getUint32(at + 12, true);
    columns.size[i] = view.getUint32(at + 16, true) + view.getUint32(at + 20, true) * 2 ** 32;
  }
  return columns;
}

function extendedIndices(file: ElfFile, symbols: ElfSection): DataView {
  const found = file.sections.find((s) => s.type === SHT.SYMTAB_SHNDX && s.link === symbols.index);
  if (found === undefined)
    malformed("malformed", symbols.headerOffset, `${symbols.name}: SHN_XINDEX without a SHT_SYMTAB_SHNDX section`);
  return new DataView(found.data.buffer, found.data.byteOffset, found.data.byteLength);
}

function table(section: ElfSection, columns: Columns, name: (index: number) => string): SymbolTable {
  const { data } = section;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const type = (i: number) => columns.info[i]! & 0xf;
  const binding = (i: number) => columns.info[i]! >> 4;
  const other = (i: number) => columns.other[i]!;
  const sectionIndex = (i: number) => columns.sectionIndex[i]!;
  const special = (i: number) => columns.special[i]!;
  const value = (i: number) => columns.valueLow[i]! + columns.valueHigh[i]! * 2 ** 32;
  const size = (i: number) => columns.size[i]!;
  return {
    section,
    count: columns.info.length,
    name,
    type,
    binding,
    other,
    sectionIndex,
    special,
    value,
    value64: (i) => BigInt(columns.valueLow[i]!) | (BigInt(columns.valueHigh[i]!) << 32n),
    size,
    size64: (i) => view.getBigUint64(i * SYMBOL_SIZE + 16, true),
    at: (i) => ({
      index: i,
      name: name(i),
      type: type(i),
      binding: binding(i),
      other: other(i),
      sectionIndex: sectionIndex(i),
      special: special(i),
      value: value(i),
      size: size(i),
    }),
  };
}
