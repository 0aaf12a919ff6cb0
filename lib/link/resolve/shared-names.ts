// Reads the names that modules share from ptxkit files and packed objects, as rows of numbers. The selection of archive members
// (select-archive.ts) uses them, because a library of thousands of modules has a hundred thousand names, few of which are ever
// printed. Only the symbols of a file are read here. Extracted files are read and checked in full by
// ../../object/columns/read/object-reader.ts.

import { IS_ALIAS } from "../../object/file/declaration-codes.js";
import { SHN } from "../../../formats/elf/constants.table.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import { unsupported } from "../../object/columns/cursor.js";
import { placeOf, SYMBOLS, type ObjectElf } from "../../object/columns/read/elf-file.js";
import {
  COUNT,
  COUNTS,
  isPacked,
  targetsOfPacked,
  SYMBOL_WORDS,
  type PackedObject,
  type Dictionary,
} from "../../object/columns/packed/packed-object.js";
import { createObjectReader, type ObjectReader } from "../../object/columns/read/object-reader.js";
import { isFromDriver, rankOfCode } from "./resolve.js";
import { createTypes, isUnsizedArray } from "../../object/columns/types.js";
import { COMMON, createColumns, KIND, LINKAGE, SPACE, type Columns } from "../../object/columns/columns.js";
import {
  createStrings,
  intern,
  internString,
  larger32,
  stringOf,
  type StringId,
  type StringTable,
} from "../../object/columns/strings.js";
import { RANK } from "../model/binding-rank.js";

/** Symbols that modules share, in the order in which they were added. */
export interface NameRows {
  readonly strings: StringTable;
  count: number;
  /** The name of each row. */
  name: Int32Array & { readonly [row: number]: StringId };
  /** The rank of each row, plus the two flags below. */
  rank: Uint8Array;
}

export const RANK_BITS = 0xf;
/** Flag: a launch or the driver provides the symbol (contributions.ts), so it needs no definition. */
export const FROM_DRIVER = 0x10;
/** Flag: the symbol has no place in its file, so --wrap may redirect it. */
export const UNPLACED = 0x20;

/** The rows from `start` to `end`. */
export interface NameRange {
  readonly start: number;
  readonly end: number;
  /** Whether kernels are among them. */
  readonly hasKernels: boolean;
}

export const createNameRows = (strings: StringTable = createStrings()): NameRows => ({
  strings,
  count: 0,
  name: new Int32Array(1 << 10),
  rank: new Uint8Array(1 << 10),
});

function addName(rows: NameRows, name: StringId, rank: number): void {
  if (rows.count === rows.name.length) {
    rows.name = larger32(rows.name);
    const claims = new Uint8Array(2 * rows.count);
    claims.set(rows.rank);
    rows.rank = claims;
  }
  rows.name[rows.count] = name;
  rows.rank[rows.count++] = rank;
}

export const addText = (rows: NameRows, name: string, rank: number): void =>
  addName(rows, internString(rows.strings, name), rank);

/** The names of a file. */
export interface FileNames extends NameRange {
  /** The architectures of its modules. */
  readonly targets: readonly Target[];
}

/**
 * Adds the symbols of a file. Throws Unsupported (../../object/columns/cursor.ts) for a file that ptxkit's writer did not make,
 * before anything is added.
 */
export type NameReader = (file: ObjectElf | PackedObject) => FileNames;

/** Returns a function that reads file after file in the same memory. */
export function createNameReader(rows: NameRows): NameReader {
  const targets = new Map<StringId, Target>();
  const targetOf = (name: StringId): Target => {
    const target = targets.get(name) ?? parseTarget(stringOf(rows.strings, name)) ?? unsupported("a target");
    targets.set(name, target);
    return target;
  };
  let columns: Columns | undefined;
  let reader: ObjectReader | undefined;
  let files: ObjectElf[] = [];
  let capacity = 0;
  /** For each string of the columns, 1 + its index among the rows' strings; 0 if not looked up yet. */
  let ids: Int32Array | undefined;
  const addPacked = createPackedReader(rows, targetOf);
  return (file) => {
    if (isPacked(file)) return addPacked(file);
    if (columns === undefined || reader === undefined || file.symbolCount > capacity) {
      capacity = 2 * file.symbolCount;
      files = [{ ...file, symbolCount: capacity }];
      columns = createColumns(files, createTypes(createStrings()));
      reader = createObjectReader(columns);
      ids = undefined;
    }
    files[0] = file;
    columns.modules.length = columns.moduleStart.length = columns.moduleVersion.length = 0;
    reader.readSymbols(0, file);
    placeSymbols(columns, file);
    ids = atLeast(ids, columns.strings.count);
    return addTables(columns, ids);
  };

  function addTables(columns: Columns, ids: Int32Array): FileNames {
    const { strings, modules, moduleStart } = columns;
    const textIn = (id: StringId): StringId =>
      (ids[id] ||= 1 + intern(rows.strings, strings.bytes, strings.start[id]!, strings.start[id + 1]!)) - 1;
    const targets = moduleStart.map((start) => targetOf(textIn(-modules[start + 2]! - 1)));
    return { ...addShared(rows, columns, textIn), targets };
  }
}

/** Reads packed objects without decoding them: the strings of each dictionary are looked up once. */
function createPackedReader(rows: NameRows, targetOf: (name: StringId) => Target): (packed: PackedObject) => FileNames {
  const known = new Map<Dictionary, Int32Array>();
  return ({ rows: words, dictionary }) => {
    const { strings } = dictionary;
    const ids = atLeast(known.get(dictionary), strings.count);
    known.set(dictionary, ids);
    const textIn = (id: StringId): StringId =>
      (ids[id] ||= 1 + intern(rows.strings, strings.bytes, strings.start[id]!, strings.start[id + 1]!)) - 1;
    const start = rows.count;
    let hasKernels = false;
    for (let i = words[COUNT.symbols]!, at = COUNTS; i > 0; i--, at += SYMBOL_WORDS) {
      const code = words[at + 1]! & 0xff;
      const flags = words[at + 1]! >> 8;
      const place = words[at + 3]!;
      hasKernels ||= isKernel(code, flags, place);
      const rank = claimIn(code, place);
      if (rank < 0) continue;
      const isProvided =
        isBankCode(code, flags) || (mayBeDynamic(code, flags, place) && isUnsizedArray(dictionary, words[at + 2]!));
      addName(rows, textIn(words[at]!), rank | (isProvided ? FROM_DRIVER : 0));
    }
    return {
      start,
      end: rows.count,
      hasKernels,
      targets: targetsOfPacked(words).map((text) => targetOf(textIn(text))),
    };
  };
}

/** Places symbols as far as their ranks need it: for a defined symbol, its section does not matter. */
function placeSymbols({ symbolOf, sectionOf }: Columns, file: ObjectElf): void {
  let at = placeOf(file, SYMBOLS) / 4;
  for (let elf = 0; elf < file.symbolCount; elf++, at += 6) {
    const row = symbolOf[elf]!;
    if (row < 0) continue;
    const section = file.words[at + 1]! >>> 16;
    sectionOf[row] = section === SHN.COMMON ? COMMON : section === 0 ? -1 : 0;
  }
}

/** `textIn`: maps a string of the columns to one of the rows. */
function addShared(rows: NameRows, columns: Columns, textIn: (id: StringId) => StringId): NameRange {
  const { code, flags, sectionOf } = columns;
  const start = rows.count;
  const symbols = columns.firstSymbol[1]!;
  let hasKernels = false;
  for (let row = 0; row < symbols; row++) {
    hasKernels ||= isKernel(code[row]!, flags[row]!, sectionOf[row]!);
    const rank = claimIn(code[row]!, sectionOf[row]!);
    if (rank >= 0) addName(rows, textIn(columns.name[row]!), rank | (isFromDriver(columns, row) ? FROM_DRIVER : 0));
  }
  return { start, end: rows.count, hasKernels };
}

const isKernel = (code: number, flags: number, place: number): boolean =>
  code >> 4 === KIND.function && (flags & 1) !== 0 && place >= 0;

/** The rank and flags of a symbol; -1 if no other module sees it. */
function claimIn(code: number, section: number): number {
  const linkage = code & 7;
  if (linkage === LINKAGE.static) return -1;
  const isOwn = code >> 4 === KIND.reference && linkage !== LINKAGE.extern;
  const isUnplaced = section === -1 && (code & IS_ALIAS) === 0;
  return (isOwn ? RANK.strong : rankOfCode(code, section)) | (isUnplaced ? UNPLACED : 0);
}

const isBankCode = (code: number, flags: number): boolean =>
  code >> 4 === KIND.variable && flags >> 4 >= SPACE.firstBank;

/** Like isDynamic, but without the type. */
const mayBeDynamic = (code: number, flags: number, place: number): boolean =>
  code >> 4 === KIND.variable && flags >> 4 === SPACE.shared && place < 0;

/** A column with at least `count` rows, which keeps the old values. */
function atLeast(column: Int32Array | undefined, count: number): Int32Array {
  let enough = column ?? new Int32Array(1 << 8);
  while (enough.length < count) enough = larger32(enough);
  return enough;
}
