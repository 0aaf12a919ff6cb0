// What files of ours and packed objects say of names that modules share, as rows of numbers: which members of archives a link takes (select-archive.ts)
// is found in these, because a library of thousands of modules has a hundred thousand names, of which few are ever said aloud.
// Of a file no more is read than its symbols; whoever takes it reads it whole (../read/object-reader.ts), and finds what is wrong with it.

import { SHN } from "../../../../formats/elf/constants.table.js";
import { parseTarget, type Target } from "../../../isa/requirement.js";
import { notPlain } from "../tables/cursor.js";
import { placeOf, SYMBOLS, type ElfFrame } from "../read/frame.js";
import {
  COUNT,
  COUNTS,
  isPacked,
  targetsOfPacked,
  SYMBOL_WORDS,
  type PackedObject,
  type Vocabulary,
} from "../packed/packed.js";
import { createObjectReader, type ObjectReader } from "../read/object-reader.js";
import { CLAIM, claimOfCode, isFromDriver } from "./resolve.js";
import { createShapes, isOpenArray } from "../tables/shapes.js";
import { COMMON, createTables, IS_ALIAS, KIND, LINKAGE, SPACE, type Tables } from "../tables/tables.js";
import { createTexts, intern, internText, larger32, textOf, type TextId, type Texts } from "../tables/texts.js";

/** Symbols that modules share, in the order in which they were added. */
export interface NameRows {
  readonly texts: Texts;
  count: number;
  /** Of each row: its name. */
  name: Int32Array & { readonly [row: number]: TextId };
  /** CLAIM, plus the two below. */
  claim: Uint8Array;
}

export const CLAIM_BITS = 0xf;
/** Beside the claim: what a launch or the driver provides (inputs.ts), which needs no definition. */
export const FROM_DRIVER = 0x10;
/** What has no place in its file, and may mean another name (--wrap). */
export const UNPLACED = 0x20;

/** The rows from `start` to `end`. */
export interface NameRange {
  readonly start: number;
  readonly end: number;
  /** Whether kernels are defined there. */
  readonly hasKernels: boolean;
}

export const createNameRows = (texts: Texts = createTexts()): NameRows => ({
  texts,
  count: 0,
  name: new Int32Array(1 << 10),
  claim: new Uint8Array(1 << 10),
});

function addName(rows: NameRows, name: TextId, claim: number): void {
  if (rows.count === rows.name.length) {
    rows.name = larger32(rows.name);
    const claims = new Uint8Array(2 * rows.count);
    claims.set(rows.claim);
    rows.claim = claims;
  }
  rows.name[rows.count] = name;
  rows.claim[rows.count++] = claim;
}

export const addText = (rows: NameRows, name: string, claim: number): void =>
  addName(rows, internText(rows.texts, name), claim);

/** What a file says. */
export interface FileNames extends NameRange {
  /** The architectures that its modules are for. */
  readonly targets: readonly Target[];
}

/** Adds what a file's symbols are. Leaves a plain link (../tables/cursor.ts) where the file is not as our writer makes them; then nothing is added. */
export type NameReader = (file: ElfFrame | PackedObject) => FileNames;

/** Reads file after file in the same memory. */
export function createNameReader(rows: NameRows): NameReader {
  const targets = new Map<TextId, Target>();
  const targetOf = (name: TextId): Target => {
    const target = targets.get(name) ?? parseTarget(textOf(rows.texts, name)) ?? notPlain("a target");
    targets.set(name, target);
    return target;
  };
  let tables: Tables | undefined;
  let reader: ObjectReader | undefined;
  let files: ElfFrame[] = [];
  let capacity = 0;
  /** Of each text of the tables, one more than its number among those of the rows; 0 where it was not asked for. */
  let ids: Int32Array | undefined;
  const addPacked = createPackedReader(rows, targetOf);
  return (file) => {
    if (isPacked(file)) return addPacked(file);
    if (tables === undefined || reader === undefined || file.symbolCount > capacity) {
      capacity = 2 * file.symbolCount;
      files = [{ ...file, symbolCount: capacity }];
      tables = createTables(files, createShapes(createTexts()));
      reader = createObjectReader(tables);
      ids = undefined;
    }
    files[0] = file;
    tables.modules.length = tables.moduleStart.length = tables.moduleVersion.length = 0;
    reader.readSymbols(0, file);
    placeSymbols(tables, file);
    ids = atLeast(ids, tables.texts.count);
    return addTables(tables, ids);
  };

  function addTables(tables: Tables, ids: Int32Array): FileNames {
    const { texts, modules, moduleStart } = tables;
    const textIn = (id: TextId): TextId =>
      (ids[id] ||= 1 + intern(rows.texts, texts.bytes, texts.start[id]!, texts.start[id + 1]!)) - 1;
    const targets = moduleStart.map((start) => targetOf(textIn(-modules[start + 2]! - 1)));
    return { ...addShared(rows, tables, textIn), targets };
  }
}

/** Of packed objects nothing is made: of each vocabulary the texts that names are get their number once. */
function createPackedReader(rows: NameRows, targetOf: (name: TextId) => Target): (packed: PackedObject) => FileNames {
  const known = new Map<Vocabulary, Int32Array>();
  return ({ rows: words, vocabulary }) => {
    const { texts } = vocabulary;
    const ids = atLeast(known.get(vocabulary), texts.count);
    known.set(vocabulary, ids);
    const textIn = (id: TextId): TextId =>
      (ids[id] ||= 1 + intern(rows.texts, texts.bytes, texts.start[id]!, texts.start[id + 1]!)) - 1;
    const start = rows.count;
    let hasKernels = false;
    for (let i = words[COUNT.symbols]!, at = COUNTS; i > 0; i--, at += SYMBOL_WORDS) {
      const code = words[at + 1]! & 0xff;
      const flags = words[at + 1]! >> 8;
      const place = words[at + 3]!;
      hasKernels ||= isKernel(code, flags, place);
      const claim = claimIn(code, place);
      if (claim < 0) continue;
      const isProvided =
        isBankCode(code, flags) || (mayBeDynamic(code, flags, place) && isOpenArray(vocabulary, words[at + 2]!));
      addName(rows, textIn(words[at]!), claim | (isProvided ? FROM_DRIVER : 0));
    }
    return {
      start,
      end: rows.count,
      hasKernels,
      targets: targetsOfPacked(words).map((text) => targetOf(textIn(text))),
    };
  };
}

/** As far as symbols claim names: of one that is defined the section does not count. */
function placeSymbols({ symbolOf, place }: Tables, file: ElfFrame): void {
  let at = placeOf(file, SYMBOLS) / 4;
  for (let elf = 0; elf < file.symbolCount; elf++, at += 6) {
    const row = symbolOf[elf]!;
    if (row < 0) continue;
    const section = file.words[at + 1]! >>> 16;
    place[row] = section === SHN.COMMON ? COMMON : section === 0 ? -1 : 0;
  }
}

/** `textIn`: a text of the tables among those of the rows. */
function addShared(rows: NameRows, tables: Tables, textIn: (id: TextId) => TextId): NameRange {
  const { code, flags, place } = tables;
  const start = rows.count;
  const symbols = tables.firstSymbol[1]!;
  let hasKernels = false;
  for (let row = 0; row < symbols; row++) {
    hasKernels ||= isKernel(code[row]!, flags[row]!, place[row]!);
    const claim = claimIn(code[row]!, place[row]!);
    if (claim >= 0) addName(rows, textIn(tables.name[row]!), claim | (isFromDriver(tables, row) ? FROM_DRIVER : 0));
  }
  return { start, end: rows.count, hasKernels };
}

const isKernel = (code: number, flags: number, place: number): boolean =>
  code >> 4 === KIND.function && (flags & 1) !== 0 && place >= 0;

/** What a symbol says of its name; -1 where no other module sees it. */
function claimIn(code: number, place: number): number {
  const linkage = code & 7;
  if (linkage === LINKAGE.static) return -1;
  const isOwn = code >> 4 === KIND.reference && linkage !== LINKAGE.extern;
  const isUnplaced = place === -1 && (code & IS_ALIAS) === 0;
  return (isOwn ? CLAIM.strong : claimOfCode(code, place)) | (isUnplaced ? UNPLACED : 0);
}

const isBankCode = (code: number, flags: number): boolean =>
  code >> 4 === KIND.variable && flags >> 4 >= SPACE.firstBank;

/** All of isDynamic but the shape. */
const mayBeDynamic = (code: number, flags: number, place: number): boolean =>
  code >> 4 === KIND.variable && flags >> 4 === SPACE.shared && place < 0;

/** A column of as many rows at least; the old ones stay. */
function atLeast(column: Int32Array | undefined, count: number): Int32Array {
  let enough = column ?? new Int32Array(1 << 8);
  while (enough.length < count) enough = larger32(enough);
  return enough;
}
