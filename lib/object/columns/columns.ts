// The columns of a link: one row for each symbol, section and module of all objects, in the order of files and, within a file, in
// file order. Rows refer to each other by number. ./read/object-reader.ts makes them and has checked every index and offset; they
// are immutable afterwards. Garbage collection makes new columns (../../link/gc/prune.ts).

import { IS_ALIAS } from "../file/declaration-codes.js";
import { createTypes, type TypeId, type TypeTable } from "./types.js";
import { unsupported } from "./cursor.js";
import type { KeptRanges } from "./kept-ranges.js";
import { createStrings, type StringId, type StringTable } from "./strings.js";

/** The bytes to which rows of one object refer. */
export interface ColumnFile {
  readonly bytes: Uint8Array;
  /** The words that contain its relocation records: little-endian words of `bytes`, or a copy with additions. */
  readonly words: Uint32Array;
}

/** A file, and upper bounds of its rows. */
export interface SizedFile extends ColumnFile {
  readonly symbolCount: number;
  readonly sectionCount: number;
}

/** Row of a symbol. */
export type SymbolRow = number;
/** Row of a section. */
export type SectionRow = number;

export interface Columns {
  readonly strings: StringTable;
  readonly types: TypeTable;
  readonly files: readonly ColumnFile[];
  /** First row of each file, and the end. */
  readonly firstSymbol: Int32Array;
  readonly firstSection: Int32Array;
  readonly firstModule: Int32Array;
  /** The same for `symbolOf`, which has a row for each symbol to which relocations of the file may refer. */
  readonly firstElfSymbol: Int32Array;

  // For each symbol:
  readonly name: Int32Array & { readonly [row: SymbolRow]: StringId };
  /** Kind and linkage as in .ptxkit.decl: 16 x kind + linkage. */
  readonly code: Uint8Array;
  /** The byte after the origin in .ptxkit.decl: space and flags of a variable, flags of a function, type of a reference. */
  readonly flags: Uint8Array;
  readonly typeId: Int32Array & { readonly [row: SymbolRow]: TypeId };
  /** Section row; -1 for undefined symbols, COMMON if the linker places the variable. */
  readonly sectionOf: Int32Array & { readonly [row: SymbolRow]: SectionRow };
  /** Offset in bytes from the section's start. */
  readonly offset: Float64Array;
  readonly module: Int32Array;
  readonly line: Int32Array;
  readonly column: Int32Array;

  /**
   * The symbol row for each symbol number in relocations (in ELF files: of ELF symbols); -1 for symbols that the object does not
   * declare.
   */
  readonly symbolOf: Int32Array;
  /**
   * For --defsym (../../link/defsym/define.ts): offset in bytes from the symbol to the target of its references, by the same
   * numbers.
   */
  readonly shifts: ReadonlyMap<number, number>;

  // For each section:
  /** Index in `roleNames`. */
  readonly role: Uint8Array;
  /** The function whose code it contains. */
  readonly owner: Int32Array & { readonly [row: SectionRow]: SymbolRow };
  /** Byte offset of its contents in the file. */
  readonly contentsAt: Int32Array;
  /** Size and alignment in bytes. */
  readonly size: Float64Array;
  readonly align: Float64Array;
  /** Start and end of its REL and RELA records (without and with addends) in the words of the file; 0 and 0 for none. */
  readonly rel: Int32Array;
  readonly relEnd: Int32Array;
  readonly rela: Int32Array;
  readonly relaEnd: Int32Array;
  /** Attributes of its code: number of barriers, plus flags of `CODE_PROPERTY`. */
  readonly codeProperties: Uint16Array;
  /**
   * Index, in the words of the file, of its runs of relocations: the number of runs, and for each the number of relocations and
   * their code.
   */
  readonly runs: Int32Array;
  /** The kept ranges of sections in files from which symbols were discarded (../../link/gc/prune.ts). */
  readonly keptRanges: ReadonlyMap<SectionRow, KeptRanges>;

  /** Code that was encoded again; undefined if all code is in the files. */
  readonly rewritten: RewrittenCode | undefined;

  // Short lists:
  /** Modules as in .ptxkit.decl, with strings encoded as in types. */
  readonly modules: number[];
  /** Start of each module in `modules`. */
  readonly moduleStart: number[];
  readonly moduleVersion: number[];
  /** The targets for which modules are linked. */
  readonly targets: Set<StringId>;
  /**
   * By file: the target and version of an object without a module, or of one whose module is compiled for another target than its
   * own.
   */
  readonly otherTargets: Map<number, { readonly target: StringId; readonly version: number }>;
  readonly kernels: SymbolRow[];
  /** Pairs of caller and callee. */
  readonly calls: SymbolRow[];
  /** Functions whose address is taken. */
  readonly addressTaken: SymbolRow[];
  /** Pairs of a function and a function whose address its code takes. */
  readonly addressUses: SymbolRow[];
  /** Pairs of a function and the prototype string of a call through a register. */
  readonly indirectCalls: number[];
  readonly debug: DebugPart[];
  readonly featureCounts: FeatureCounts;
  /** Whether --gc-sections has discarded symbols. */
  readonly isPruned: boolean;
}

/** Counts of symbols with rare properties, to skip passes. Not recounted after symbols are discarded. */
export interface FeatureCounts {
  shared: number;
  common: number;
  references: number;
  /** Aliases of functions. */
  functionAliases: number;
  /** Aliases of variables. */
  aliases: number;
}

/** Code that is not in any file. */
export interface RewrittenCode {
  readonly bytes: Uint8Array;
  /** Offset in `bytes` of each section's code; -1 for sections whose code is in their file. */
  readonly at: Int32Array;
}

/** One module's part of a debug section. */
export interface DebugPart {
  readonly file: number;
  readonly name: StringId;
  readonly module: number;
  readonly data: Uint8Array;
  /** Layout record: object/dwarf/debug-sections.ts. */
  readonly record: Uint8Array;
}

/** A zeroed column. */
const column = (rows: number): Int32Array => new Int32Array(rows);

/** Creates columns for the objects, with the given type and string tables; rows are filled file by file. */
export function createColumns(files: readonly SizedFile[], types = createTypes(createStrings())): Columns {
  const [symbols, sections] = [1 + sum(files, "symbolCount"), 1 + sum(files, "sectionCount")];
  if (symbols > 2 ** 27 || sections > 2 ** 27) unsupported("more than 134217728 symbols or sections");
  return {
    strings: types.strings,
    types,
    files,
    firstSymbol: column(files.length + 1),
    firstSection: column(files.length + 1),
    firstModule: column(files.length + 1),
    firstElfSymbol: column(files.length + 1),
    name: column(symbols),
    code: new Uint8Array(symbols),
    flags: new Uint8Array(symbols),
    typeId: column(symbols),
    sectionOf: column(symbols),
    offset: new Float64Array(symbols),
    module: column(symbols),
    line: column(symbols),
    column: column(symbols),
    symbolOf: column(symbols).fill(-1),
    shifts: new Map(),
    role: new Uint8Array(sections),
    owner: column(sections),
    contentsAt: column(sections),
    size: new Float64Array(sections),
    align: new Float64Array(sections),
    rel: column(sections),
    relEnd: column(sections),
    rela: column(sections),
    relaEnd: column(sections),
    codeProperties: new Uint16Array(sections),
    runs: column(sections),
    keptRanges: new Map(),
    rewritten: undefined,
    modules: [],
    moduleStart: [],
    moduleVersion: [],
    targets: new Set(),
    otherTargets: new Map(),
    kernels: [],
    calls: [],
    addressTaken: [],
    addressUses: [],
    indirectCalls: [],
    debug: [],
    featureCounts: { shared: 0, common: 0, references: 0, functionAliases: 0, aliases: 0 },
    isPruned: false,
  };
}

const sum = (files: readonly SizedFile[], key: "sectionCount" | "symbolCount"): number =>
  files.reduce((total, file) => total + file[key], 0);

// ---------------------------------------------------------------------------------------------------- rows of a symbol

/** Codes of .ptxkit.decl (object/file/declaration-codes.ts). */
export const LINKAGE = { static: 0, visible: 1, weak: 2, common: 3, extern: 4 } as const;
/** Codes in the order of `SPACES`; banks of constants other than bank 3 come last. */
export const SPACE = { global: 0, const: 1, shared: 2, local: 3, firstBank: 5 } as const;

/**
 * Flags in a section's `codeProperties`, above the number of barriers; `recursive`: a kernel of an image whose stack size is
 * unknown.
 */
export const CODE_PROPERTY = { blockZ: 0x100, matrices: 0x200, recursive: 0x400 } as const;

export const KIND = { variable: 0, function: 1, reference: 2 } as const;

export const isVariable = ({ code }: Columns, row: SymbolRow): boolean => code[row]! >> 4 === KIND.variable;
export const isFunction = ({ code }: Columns, row: SymbolRow): boolean => code[row]! >> 4 === KIND.function;
/** Whether it is a texture, sampler or surface: it has no address, and any declaration except `.extern` is its definition. */
export const isReference = ({ code }: Columns, row: SymbolRow): boolean => code[row]! >> 4 === KIND.reference;
export const linkageOf = ({ code }: Columns, row: SymbolRow): number => code[row]! & 7;
export const isVariableAlias = ({ code }: Columns, row: SymbolRow): boolean => (code[row]! & IS_ALIAS) !== 0;
export const spaceOf = ({ flags }: Columns, row: SymbolRow): number => flags[row]! >> 4;
export const isConstant = (columns: Columns, row: SymbolRow): boolean =>
  isVariable(columns, row) && spaceOf(columns, row) === SPACE.const;

export const isSharedVariable = (columns: Columns, row: SymbolRow): boolean =>
  isVariable(columns, row) && spaceOf(columns, row) === SPACE.shared;
/** Whether a function is a kernel. */
export const isEntry = ({ flags }: Columns, row: SymbolRow): boolean => (flags[row]! & 1) !== 0;
/** Whether a function with code is an alias (`.alias`), so that another function owns its code. */
export const isFunctionAlias = ({ owner, sectionOf }: Columns, row: SymbolRow): boolean =>
  owner[sectionOf[row]!] !== row;
/** Whether a variable is managed. */
export const isManaged = ({ flags }: Columns, row: SymbolRow): boolean => (flags[row]! & 1) !== 0;

/** In place of a section row: a `.common` variable. */
export const COMMON = -2;
export const isCommon = ({ sectionOf }: Columns, row: SymbolRow): boolean => sectionOf[row] === COMMON;

/** Whether it is a reference that its module defines, not only uses. */
export const isReferenceDefinition = (columns: Columns, row: SymbolRow): boolean =>
  isReference(columns, row) && linkageOf(columns, row) !== LINKAGE.extern;

/** Returns a function that finds the range that contains a row; fast for consecutive rows. */
export function rowFinder(first: Int32Array): (row: number) => number {
  let at = 0;
  return (row) => {
    if (row < first[at]! || row >= first[at + 1]!) {
      let [low, high] = [0, first.length - 1];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (first[middle]! <= row) low = middle;
        else high = middle;
      }
      at = low;
    }
    return at;
  };
}

/** Returns a function that finds the file of a section; fast if the previous section was in the same file. */
export const fileFinder = ({ firstSection }: Columns): ((section: SectionRow) => number) => rowFinder(firstSection);

// ------------------------------------------------------------------------------------------------------------ contents

/** Words in a record without an addend and with one. */
export const REL_WORDS = 4;
export const RELA_WORDS = 6;

/** The number of relocations of a section. */
export const relocationsIn = ({ rel, relEnd, rela, relaEnd }: Columns, section: SectionRow): number =>
  (relEnd[section]! - rel[section]!) / REL_WORDS + (relaEnd[section]! - rela[section]!) / RELA_WORDS;

/** The array that contains a function's code. */
export const bytesWithCode = ({ files, rewritten }: Columns, file: number, section: SectionRow): Uint8Array =>
  rewritten !== undefined && rewritten.at[section]! >= 0 ? rewritten.bytes : files[file]!.bytes;

/** The offset of the code in that array. */
export const startOfCode = ({ rewritten, contentsAt }: Columns, section: SectionRow): number =>
  rewritten !== undefined && rewritten.at[section]! >= 0 ? rewritten.at[section]! : contentsAt[section]!;

/** The code of a function: array, start and size in bytes. */
export const codeIn = (
  columns: Columns,
  file: number,
  section: SectionRow,
): readonly [from: Uint8Array, start: number, size: number] => [
  bytesWithCode(columns, file, section),
  startOfCode(columns, section),
  columns.size[section]!,
];
