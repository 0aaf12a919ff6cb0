// ELF symbols of rows: their binding, their position in a symbol table, and their records. Images and objects of -r have the same
// order, that of NVIDIA's files: local and weak symbols, then global variables, references, unsized arrays and functions.

import { IS_UNIFIED } from "../file/declaration-codes.js";
import { SHN, STB, STO_CUDA, STT } from "../../../formats/elf/constants.table.js";
import { COMMON, KIND, LINKAGE, type Columns, type SymbolRow } from "./columns.js";
import { putLong } from "../../../formats/bytes/long-words.js";

export function bindingOf({ sectionOf, code }: Columns, symbol: SymbolRow): number {
  const place = sectionOf[symbol]!;
  if (place < 0 && place !== COMMON) return STB.GLOBAL;
  const linkage = code[symbol]! & LINKAGE_BITS;
  return linkage === LINKAGE.static ? STB.LOCAL : linkage === LINKAGE.weak ? STB.WEAK : STB.GLOBAL;
}

const LINKAGE_BITS = 7;

/** Range of the order numbers, by which symbols are sorted; symbols with the same number keep their order. */
export const FIRST_ORDER = 1;
export const LAST_ORDER = 5;

/** The order number of a global symbol; that of local and weak ones is FIRST_ORDER. `kind`: its kind; `size`: in bytes. */
export function globalOrder(kind: number, size: number): number {
  if (kind === KIND.function) return LAST_ORDER;
  if (kind === KIND.reference) return 3;
  return size === 0 ? 4 : 2;
}

/** Symbol types by the flags of a reference. */
const REFERENCE_TYPES = [STT.CUDA_TEXTURE, STT.CUDA_SAMPLER, STT.CUDA_SURFACE] as const;

export const referenceTypeOf = ({ flags }: Columns, symbol: SymbolRow): number => REFERENCE_TYPES[flags[symbol]!]!;

/** The first flag of a row: a kernel, or a managed variable. */
const FIRST_FLAG = 1;

/** The flags in st_other of a function or variable. */
export function otherOf({ flags, code }: Columns, symbol: SymbolRow): number {
  const own = flags[symbol]! & (FIRST_FLAG | IS_UNIFIED);
  // Most have neither.
  if (own === 0) return 0;
  const isFunction = code[symbol]! >> 4 === KIND.function;
  const [first, unified] = isFunction ? [STO_CUDA.ENTRY, STO_CUDA.MANAGED] : [STO_CUDA.MANAGED, STO_CUDA.ENTRY];
  return ((own & FIRST_FLAG) !== 0 ? first : 0) | ((own & IS_UNIFIED) !== 0 ? unified : 0);
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
