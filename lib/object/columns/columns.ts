// The columns of a link: one row for each symbol, section and module of all objects, in the order of files and, in a file, of the file. Rows refer to others by number. Made by ./read/object-reader.ts, which has
// checked every index and offset in them; nothing changes them afterwards. Without what is dead they are made anew (../../link/gc/prune.ts).

import { IS_ALIAS } from "../file/declaration-codes.js";
import { createTypes, type TypeId, type TypeTable } from "./types.js";
import { unsupported } from "./cursor.js";
import type { KeptRanges } from "./kept-ranges.js";
import { createStrings, type StringId, type StringTable } from "./strings.js";

/** What rows of one object refer to. */
export interface ColumnFile {
  readonly bytes: Uint8Array;
  /** What its records of relocations are in: little-endian words of those bytes, or others. */
  readonly words: Uint32Array;
}

/** A file, and how many rows it takes at most. */
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
  /** First row of each file, and behind the last one of the last. */
  readonly firstSymbol: Int32Array;
  readonly firstSection: Int32Array;
  readonly firstModule: Int32Array;
  /** The same for `symbolOf`, which has a row for each symbol that relocations of the file may name. */
  readonly firstElfSymbol: Int32Array;

  // Of each symbol:
  readonly name: Int32Array & { readonly [row: SymbolRow]: StringId };
  /** Kind and linkage as in .ptxkit.decl: 16 x kind + linkage. */
  readonly code: Uint8Array;
  /** The byte behind the origin in .ptxkit.decl: space and flags of a variable, flags of a function, type of a reference. */
  readonly flags: Uint8Array;
  readonly typeId: Int32Array & { readonly [row: SymbolRow]: TypeId };
  /** Its section, -1 where it is undefined, COMMON where the linker finds the place. */
  readonly sectionOf: Int32Array & { readonly [row: SymbolRow]: SectionRow };
  /** Bytes from the section's start. */
  readonly offset: Float64Array;
  readonly module: Int32Array;
  readonly line: Int32Array;
  readonly column: Int32Array;

  /** The symbol for each symbol number in relocations (of ELF symbols, in ELF files); -1 for those that the object does not have. */
  readonly symbolOf: Int32Array;
  /** By the same, for --defsym (../../link/defsym/define.ts): bytes behind the symbol that references mean. */
  readonly shifts: ReadonlyMap<number, number>;

  // Of each section:
  /** Index in `roles`. */
  readonly role: Uint8Array;
  /** The function whose code it is. */
  readonly owner: Int32Array & { readonly [row: SectionRow]: SymbolRow };
  /** Where its contents begin: bytes from the start of the file. */
  readonly contentsAt: Int32Array;
  /** Bytes. */
  readonly size: Float64Array;
  readonly align: Float64Array;
  /** Where its relocations without and with addends, REL and RELA records, begin and end among the words of the file; 0 and 0 for none. */
  readonly rel: Int32Array;
  readonly relEnd: Int32Array;
  readonly rela: Int32Array;
  readonly relaEnd: Int32Array;
  /** What attributes say of its code: barriers, plus flags of `CODE_PROPERTY`. */
  readonly codeProperties: Uint16Array;
  /** Where its relocations are counted, among the words of the file: how many runs, and of each how many, and their code. */
  readonly runs: Int32Array;
  /** Of files from which something was discarded (../../link/gc/prune.ts): the retained ranges of bytes. */
  readonly keptRanges: ReadonlyMap<SectionRow, KeptRanges>;

  /** Code that was made anew; undefined where all is that of the files. */
  readonly rewritten: RewrittenCode | undefined;

  // What files have few of.
  /** Modules as .ptxkit.decl has them, with strings as in types. */
  readonly modules: number[];
  /** Where each module begins in `modules`. */
  readonly moduleStart: number[];
  readonly moduleVersion: number[];
  /** The targets that modules are linked for. */
  readonly targets: Set<StringId>;
  /** By file: of an object without a module, or of one whose module is compiled for another target than its own. */
  readonly otherTargets: Map<number, { readonly target: StringId; readonly version: number }>;
  readonly kernels: SymbolRow[];
  /** Caller and callee, one behind the other. */
  readonly calls: SymbolRow[];
  /** Functions whose address is taken. */
  readonly addressTaken: SymbolRow[];
  /** Function and the one whose address its code takes, one behind the other. */
  readonly addressUses: SymbolRow[];
  /** Function and the string of the prototype that it calls through a register, one behind the other. */
  readonly indirectCalls: number[];
  readonly debug: DebugPart[];
  readonly featureCounts: FeatureCounts;
  /** Whether this is what --gc-sections has left. */
  readonly isPruned: boolean;
}

/** Counts of symbols with rare properties, to skip passes. Not recounted after symbols are discarded. */
export interface FeatureCounts {
  shared: number;
  common: number;
  references: number;
  /** Functions whose code is named after another one. */
  functionAliases: number;
  /** Aliases of variables. */
  aliases: number;
}

/** Code that is in no file. */
export interface RewrittenCode {
  readonly bytes: Uint8Array;
  /** Where that of each section begins in them; -1 for those whose code is that of their file. */
  readonly at: Int32Array;
}

/** One module's part of a debug section. */
export interface DebugPart {
  readonly file: number;
  readonly name: StringId;
  readonly module: number;
  readonly data: Uint8Array;
  /** object/dwarf/debug-sections.ts */
  readonly record: Uint8Array;
}

/** Makes columns of that many rows, of zeros. */
export interface ColumnAllocator {
  words(rows: number): Int32Array;
  halves(rows: number): Uint16Array;
  bytes(rows: number): Uint8Array;
}

const heapColumns: ColumnAllocator = {
  words: (rows) => new Int32Array(rows),
  halves: (rows) => new Uint16Array(rows),
  bytes: (rows) => new Uint8Array(rows),
};

/** Columns for the objects, with the names known so far; undefined rows are filled file by file. */
export function createColumns(
  files: readonly SizedFile[],
  types = createTypes(createStrings()),
  columns = heapColumns,
): Columns {
  const [symbols, sections] = [1 + sum(files, "symbolCount"), 1 + sum(files, "sectionCount")];
  if (symbols > 2 ** 27 || sections > 2 ** 27) unsupported("more than 134217728 symbols or sections");
  const column = columns.words;
  return {
    strings: types.strings,
    types,
    files,
    firstSymbol: column(files.length + 1),
    firstSection: column(files.length + 1),
    firstModule: column(files.length + 1),
    firstElfSymbol: column(files.length + 1),
    name: column(symbols),
    code: columns.bytes(symbols),
    flags: columns.bytes(symbols),
    typeId: column(symbols),
    sectionOf: column(symbols),
    offset: new Float64Array(symbols),
    module: column(symbols),
    line: column(symbols),
    column: column(symbols),
    symbolOf: column(symbols).fill(-1),
    shifts: new Map(),
    role: columns.bytes(sections),
    owner: column(sections),
    contentsAt: column(sections),
    size: new Float64Array(sections),
    align: new Float64Array(sections),
    rel: column(sections),
    relEnd: column(sections),
    rela: column(sections),
    relaEnd: column(sections),
    codeProperties: columns.halves(sections),
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
/** The first of those in `SPACES`; banks of constants but bank 3 come last. */
export const SPACE = { global: 0, const: 1, shared: 2, local: 3, firstBank: 5 } as const;

/** In a section's `codeProperties`, above its barriers; `recursive`: a kernel of an image that needs a stack of unknown size. */
export const CODE_PROPERTY = { blockZ: 0x100, matrices: 0x200, recursive: 0x400 } as const;

export const KIND = { variable: 0, function: 1, reference: 2 } as const;

export const isVariable = ({ code }: Columns, row: SymbolRow): boolean => code[row]! >> 4 === KIND.variable;
export const isFunction = ({ code }: Columns, row: SymbolRow): boolean => code[row]! >> 4 === KIND.function;
/** A texture, sampler or surface: it has no address, and any declaration but `.extern` is its definition. */
export const isReference = ({ code }: Columns, row: SymbolRow): boolean => code[row]! >> 4 === KIND.reference;
export const linkageOf = ({ code }: Columns, row: SymbolRow): number => code[row]! & 7;
export const isVariableAlias = ({ code }: Columns, row: SymbolRow): boolean => (code[row]! & IS_ALIAS) !== 0;
export const spaceOf = ({ flags }: Columns, row: SymbolRow): number => flags[row]! >> 4;
export const isConstant = (columns: Columns, row: SymbolRow): boolean =>
  isVariable(columns, row) && spaceOf(columns, row) === SPACE.const;

export const isSharedVariable = (columns: Columns, row: SymbolRow): boolean =>
  isVariable(columns, row) && spaceOf(columns, row) === SPACE.shared;
/** Of a function: whether it is a kernel. */
export const isEntry = ({ flags }: Columns, row: SymbolRow): boolean => (flags[row]! & 1) !== 0;
/** Of a function that has code: whether the code is named after another one (`.alias`). */
export const isFunctionAlias = ({ owner, sectionOf }: Columns, row: SymbolRow): boolean =>
  owner[sectionOf[row]!] !== row;
/** Of a variable. */
export const isManaged = ({ flags }: Columns, row: SymbolRow): boolean => (flags[row]! & 1) !== 0;

/** In place of a section: that of a `.common` variable. */
export const COMMON = -2;
export const isCommon = ({ sectionOf }: Columns, row: SymbolRow): boolean => sectionOf[row] === COMMON;

/** Of what may be a reference: whether it is one that its module has, and not only uses. */
export const isReferenceDefinition = (columns: Columns, row: SymbolRow): boolean =>
  isReference(columns, row) && linkageOf(columns, row) !== LINKAGE.extern;

/** The index of the range that a row is in. */
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

/** The file of a section; quick where the one before was of the same. */
export const fileFinder = ({ firstSection }: Columns): ((section: SectionRow) => number) => rowFinder(firstSection);

// ------------------------------------------------------------------------------------------------------------ contents

/** Words of a record without an addend and of one with one. */
export const REL_WORDS = 4;
export const RELA_WORDS = 6;

/** How many relocations a section has. */
export const relocationsIn = ({ rel, relEnd, rela, relaEnd }: Columns, section: SectionRow): number =>
  (relEnd[section]! - rel[section]!) / REL_WORDS + (relaEnd[section]! - rela[section]!) / RELA_WORDS;

/** Among which bytes the code of a function is. */
export const bytesWithCode = ({ files, rewritten }: Columns, file: number, section: SectionRow): Uint8Array =>
  rewritten !== undefined && rewritten.at[section]! >= 0 ? rewritten.bytes : files[file]!.bytes;

/** Where it begins there. */
export const startOfCode = ({ rewritten, contentsAt }: Columns, section: SectionRow): number =>
  rewritten !== undefined && rewritten.at[section]! >= 0 ? rewritten.at[section]! : contentsAt[section]!;

/** Where the code of a function is: among which bytes, from where on, and how many bytes. */
export const codeIn = (
  columns: Columns,
  file: number,
  section: SectionRow,
): readonly [from: Uint8Array, start: number, size: number] => [
  bytesWithCode(columns, file, section),
  startOfCode(columns, section),
  columns.size[section]!,
];
