// ELF symbols of rows: their binding, their position in a symbol table, and their records. Images and objects of -r have the same
// order, that of NVIDIA's files: local and weak symbols, then global variables, references, unsized arrays and functions.

import { IS_UNIFIED } from "../file/declaration-codes.js";
import { SHN, STB, STO_CUDA, STT } from "../../../formats/elf/constants.table.js";
import {
  isCommon,
  isEntry,
  isFunction,
  isManaged,
  isReference,
  LINKAGE,
  linkageOf,
  type Columns,
  type SymbolRow,
} from "./columns.js";
import { putLong } from "../../../formats/bytes/long-words.js";
import { sizeOfType, type TypeId } from "./types.js";

export function bindingOf(columns: Columns, symbol: SymbolRow): number {
  if (columns.sectionOf[symbol]! < 0 && !isCommon(columns, symbol)) return STB.GLOBAL;
  const linkage = linkageOf(columns, symbol);
  return linkage === LINKAGE.static ? STB.LOCAL : linkage === LINKAGE.weak ? STB.WEAK : STB.GLOBAL;
}

/** Range of the order numbers, by which symbols are sorted; symbols with the same number are sorted by name. */
export const FIRST_ORDER = 1;
export const LAST_ORDER = 5;

/** The order number: FIRST_ORDER for local and weak symbols, larger for global ones. */
export const orderOf = (columns: Columns, symbol: SymbolRow): number =>
  bindingOf(columns, symbol) === STB.GLOBAL ? globalOrder(columns, symbol, columns.typeId[symbol]!) : FIRST_ORDER;

export function globalOrder(columns: Columns, symbol: SymbolRow, typeId: TypeId): number {
  if (isFunction(columns, symbol)) return LAST_ORDER;
  if (isReference(columns, symbol)) return 3;
  return sizeOfType(columns.types, typeId) === 0 ? 4 : 2;
}

/** Symbol types by the flags of a reference. */
const REFERENCE_TYPES = [STT.CUDA_TEXTURE, STT.CUDA_SAMPLER, STT.CUDA_SURFACE] as const;

export const referenceTypeOf = ({ flags }: Columns, symbol: SymbolRow): number => REFERENCE_TYPES[flags[symbol]!]!;

/** The flags in st_other of a function or variable. */
export function otherOf(columns: Columns, symbol: SymbolRow): number {
  const isUnified = (columns.flags[symbol]! & IS_UNIFIED) !== 0;
  if (isFunction(columns, symbol))
    return (isEntry(columns, symbol) ? STO_CUDA.ENTRY : 0) | (isUnified ? STO_CUDA.MANAGED : 0);
  return (isManaged(columns, symbol) ? STO_CUDA.MANAGED : 0) | (isUnified ? STO_CUDA.ENTRY : 0);
}

export interface SymbolRecords {
  /** Elf64_Sym records. */
  readonly records: Uint32Array;
  /** Words of SHT_SYMTAB_SHNDX, if some section index needs them. */
  extended(): Uint32Array | undefined;
  /** Writes symbol number `at`; `special`: a reserved section index, used instead of a section. */
  put(
    at: number,
    name: number,
    bindingAndType: number,
    other: number,
    section: number,
    value: number,
    size: number,
    special?: number,
  ): void;
}

/** Creates the records for `count` symbols of a file with `sections` sections. */
export function createSymbolRecords(count: number, sections: number): SymbolRecords {
  const records = new Uint32Array(6 * count);
  const extended = sections > SHN.LORESERVE ? new Uint32Array(count) : undefined;
  let isExtended = false;
  return {
    records,
    extended: () => (isExtended ? extended : undefined),
    put(at, name, bindingAndType, other, section, value, size, special = 0) {
      const word = 6 * at;
      const isLarge = section >= SHN.LORESERVE;
      const index = special !== 0 ? special : isLarge ? SHN.XINDEX : section;
      records[word] = name;
      records[word + 1] = bindingAndType | (other << 8) | (index << 16);
      putLong(records, word + 2, value);
      putLong(records, word + 4, size);
      if (!isLarge) return;
      extended![at] = section;
      isExtended = true;
    },
  };
}
