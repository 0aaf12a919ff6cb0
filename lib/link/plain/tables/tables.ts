// What the objects of a plain link (../link.ts) hold, as columns: one row for each symbol, section and module of all of
// them, in the order of files and, in a file, of the file. Rows refer to others by number. Made by ../read/object-reader.ts, which has
// checked every index and offset in them; nothing changes them afterwards. Without what is dead they are made anew (../live/prune.ts).

import { createShapes, type ShapeId, type Shapes } from "./shapes.js";
import { notPlain } from "./cursor.js";
import type { Pieces } from "./pieces.js";
import { createTexts, type TextId, type Texts } from "./texts.js";

/** What rows of one object refer to. */
export interface PlainFile {
  readonly bytes: Uint8Array;
  /** What its records of relocations are in: little-endian words of those bytes, or others. */
  readonly words: Uint32Array;
}

/** A file, and how many rows it takes at most. */
export interface SizedFile extends PlainFile {
  readonly symbolCount: number;
  readonly sectionCount: number;
}

/** Row of a symbol. */
export type SymbolRow = number;
/** Row of a section. */
export type SectionRow = number;

export interface Tables {
  readonly texts: Texts;
  readonly shapes: Shapes;
  readonly files: readonly PlainFile[];
  /** First row of each file, and behind the last one of the last. */
  readonly firstSymbol: Int32Array;
  readonly firstSection: Int32Array;
  readonly firstModule: Int32Array;
  /** The same for `symbolOf`, which has a row for each symbol that relocations of the file may name. */
  readonly firstElf: Int32Array;

  // Of each symbol:
  readonly name: Int32Array & { readonly [row: SymbolRow]: TextId };
  /** Kind and linkage as in .ptxkit.decl: 16 x kind + linkage. */
  readonly code: Uint8Array;
  /** The byte behind the origin in .ptxkit.decl: space and flags of a variable, flags of a function, type of a reference. */
  readonly flags: Uint8Array;
  readonly shape: Int32Array & { readonly [row: SymbolRow]: ShapeId };
  /** Its section, -1 where it is undefined, COMMON where the linker finds the place. */
  readonly place: Int32Array & { readonly [row: SymbolRow]: SectionRow };
  /** Bytes from the section's start. */
  readonly offset: Float64Array;
  readonly module: Int32Array;
  readonly line: Int32Array;
  readonly column: Int32Array;

  /** The symbol that relocations mean by a number of theirs (of an ELF symbol, in ELF files); -1 for those that are none of the object. */
  readonly symbolOf: Int32Array;
  /** By the same, for --defsym (../tell/define.ts): bytes behind the symbol that references mean. */
  readonly shifts: ReadonlyMap<number, number>;

  // Of each section:
  /** Index in `roles`. */
  readonly role: Uint8Array;
  /** The function whose code it is. */
  readonly owner: Int32Array & { readonly [row: SectionRow]: SymbolRow };
  /** Where its contents begin: bytes from the start of the file. */
  readonly at: Int32Array;
  /** Bytes. */
  readonly size: Float64Array;
  readonly align: Float64Array;
  /** Where its relocations without and with addends, REL and RELA records, begin and end among the words of the file; 0 and 0 for none. */
  readonly rel: Int32Array;
  readonly relEnd: Int32Array;
  readonly rela: Int32Array;
  readonly relaEnd: Int32Array;
  /** What attributes say of its code: barriers, plus flags of `FACT`. */
  readonly facts: Uint16Array;
  /** Where its relocations are counted, among the words of the file: how many runs, and of each how many, and their code. */
  readonly runs: Int32Array;
  /** Of those of which something was left out (../live/prune.ts): what is left of the file's bytes, and where. */
  readonly moved: ReadonlyMap<SectionRow, Pieces>;

  /** Code that was made anew; undefined where all is that of the files. */
  readonly made: MadeCode | undefined;

  // What files have few of.
  /** Modules as .ptxkit.decl has them, with texts as in shapes. */
  readonly modules: number[];
  /** Where each module begins in `modules`. */
  readonly moduleStart: number[];
  readonly moduleVersion: number[];
  /** The targets that modules are linked for. */
  readonly targets: Set<TextId>;
  /** By file: of an object without a module, or of one whose module is compiled for another target than its own. */
  readonly otherTargets: Map<number, { readonly target: TextId; readonly version: number }>;
  readonly kernels: SymbolRow[];
  /** Caller and callee, one behind the other. */
  readonly calls: SymbolRow[];
  /** Functions whose address is taken. */
  readonly taken: SymbolRow[];
  /** Function and the one whose address its code takes, one behind the other. */
  readonly addressUses: SymbolRow[];
  /** Function and the text of the prototype that it calls through a register, one behind the other. */
  readonly indirectCalls: number[];
  readonly debug: PlainDebug[];
  readonly rare: Rare;
  /** Whether this is what --gc-sections has left. */
  readonly isPruned: boolean;
}

/** What most links have none of: how many symbols of the files are such. Not counted anew where some are left out. */
export interface Rare {
  shared: number;
  common: number;
  references: number;
  /** Functions whose code is named after another one. */
  secondNames: number;
  /** Aliases of variables. */
  aliases: number;
}

/** Code that stands in no file. */
export interface MadeCode {
  readonly bytes: Uint8Array;
  /** Where that of each section begins in them; -1 for those whose code is that of their file. */
  readonly at: Int32Array;
}

/** One module's part of a debug section. */
export interface PlainDebug {
  readonly file: number;
  readonly name: TextId;
  readonly module: number;
  readonly data: Uint8Array;
  /** object/dwarf/debug-sections.ts */
  readonly shape: Uint8Array;
}

/** Makes columns of that many rows, of zeros. */
export interface Columns {
  words(rows: number): Int32Array;
  halves(rows: number): Uint16Array;
  bytes(rows: number): Uint8Array;
}

const ownColumns: Columns = {
  words: (rows) => new Int32Array(rows),
  halves: (rows) => new Uint16Array(rows),
  bytes: (rows) => new Uint8Array(rows),
};

/** Columns for the objects, with what is known of names; undefined rows are filled file by file. */
export function createTables(
  files: readonly SizedFile[],
  shapes = createShapes(createTexts()),
  columns = ownColumns,
): Tables {
  const [symbols, sections] = [1 + sum(files, "symbolCount"), 1 + sum(files, "sectionCount")];
  if (symbols > 2 ** 27 || sections > 2 ** 27) notPlain("more than 134217728 symbols or sections");
  const column = columns.words;
  return {
    texts: shapes.texts,
    shapes,
    files,
    firstSymbol: column(files.length + 1),
    firstSection: column(files.length + 1),
    firstModule: column(files.length + 1),
    firstElf: column(files.length + 1),
    name: column(symbols),
    code: columns.bytes(symbols),
    flags: columns.bytes(symbols),
    shape: column(symbols),
    place: column(symbols),
    offset: new Float64Array(symbols),
    module: column(symbols),
    line: column(symbols),
    column: column(symbols),
    symbolOf: column(symbols).fill(-1),
    shifts: new Map(),
    role: columns.bytes(sections),
    owner: column(sections),
    at: column(sections),
    size: new Float64Array(sections),
    align: new Float64Array(sections),
    rel: column(sections),
    relEnd: column(sections),
    rela: column(sections),
    relaEnd: column(sections),
    facts: columns.halves(sections),
    runs: column(sections),
    moved: new Map(),
    made: undefined,
    modules: [],
    moduleStart: [],
    moduleVersion: [],
    targets: new Set(),
    otherTargets: new Map(),
    kernels: [],
    calls: [],
    taken: [],
    addressUses: [],
    indirectCalls: [],
    debug: [],
    rare: { shared: 0, common: 0, references: 0, secondNames: 0, aliases: 0 },
    isPruned: false,
  };
}

const sum = (files: readonly SizedFile[], key: "sectionCount" | "symbolCount"): number =>
  files.reduce((total, file) => total + file[key], 0);

// ---------------------------------------------------------------------------------------------------- rows of a symbol

/** Codes of .ptxkit.decl (object/file/declarations.ts). */
export const LINKAGE = { static: 0, visible: 1, weak: 2, common: 3, extern: 4 } as const;
export const linkages = ["static", "visible", "weak", "common", "extern"] as const;
/** Beside the linkage of a variable that is another name for a place inside one (object/object.ts, aliasOf). */
export const IS_ALIAS = 8;
/** The first of those in `SPACES`; banks of constants but bank 3 come last. */
export const SPACE = { global: 0, const: 1, shared: 2, local: 3, firstBank: 5 } as const;

/** In a section's facts, above its barriers. */
export const FACT = { blockZ: 0x100, matrices: 0x200 } as const;

export const KIND = { variable: 0, function: 1, reference: 2 } as const;
/** Types of references, by their flags. */
export const referenceTypes = ["texref", "samplerref", "surfref"] as const;

export const isVariable = ({ code }: Tables, row: SymbolRow): boolean => code[row]! >> 4 === KIND.variable;
export const isFunction = ({ code }: Tables, row: SymbolRow): boolean => code[row]! >> 4 === KIND.function;
/** A texture, sampler or surface: it has no place, and what is not `.extern` counts as its definition. */
export const isReference = ({ code }: Tables, row: SymbolRow): boolean => code[row]! >> 4 === KIND.reference;
export const linkageOf = ({ code }: Tables, row: SymbolRow): number => code[row]! & 7;
export const isAlias = ({ code }: Tables, row: SymbolRow): boolean => (code[row]! & IS_ALIAS) !== 0;
export const spaceOf = ({ flags }: Tables, row: SymbolRow): number => flags[row]! >> 4;
/** Of a function: whether it is a kernel. */
export const isEntry = ({ flags }: Tables, row: SymbolRow): boolean => (flags[row]! & 1) !== 0;
/** Of a function that has code: whether the code is named after another one (`.alias`). */
export const isSecondName = ({ owner, place }: Tables, row: SymbolRow): boolean => owner[place[row]!] !== row;
/** Of a variable. */
export const isManaged = ({ flags }: Tables, row: SymbolRow): boolean => (flags[row]! & 1) !== 0;

/** In place of a section: that of a `.common` variable. */
export const COMMON = -2;
export const isCommon = ({ place }: Tables, row: SymbolRow): boolean => place[row] === COMMON;

/** Of what may be a reference: whether it is one that its module has, and not only uses. */
export const isOwnReference = (tables: Tables, row: SymbolRow): boolean =>
  isReference(tables, row) && linkageOf(tables, row) !== LINKAGE.extern;

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

// ------------------------------------------------------------------------------------------------------------ contents

/** Words of a record without an addend and of one with one. */
export const REL_WORDS = 4;
export const RELA_WORDS = 6;

/** How many relocations a section has. */
export const relocationsIn = ({ rel, relEnd, rela, relaEnd }: Tables, section: SectionRow): number =>
  (relEnd[section]! - rel[section]!) / REL_WORDS + (relaEnd[section]! - rela[section]!) / RELA_WORDS;

/** Among which bytes the code of a function is. */
export const bytesWithCode = ({ files, made }: Tables, file: number, section: SectionRow): Uint8Array =>
  made !== undefined && made.at[section]! >= 0 ? made.bytes : files[file]!.bytes;

/** Where it begins there. */
export const startOfCode = ({ made, at }: Tables, section: SectionRow): number =>
  made !== undefined && made.at[section]! >= 0 ? made.at[section]! : at[section]!;

/** Where the code of a function is: among which bytes, from where on, and how many bytes. */
export const codeIn = (
  tables: Tables,
  file: number,
  section: SectionRow,
): readonly [from: Uint8Array, start: number, size: number] => [
  bytesWithCode(tables, file, section),
  startOfCode(tables, section),
  tables.size[section]!,
];
