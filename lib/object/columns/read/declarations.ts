// Reads the first part of `.ptxkit.decl`: the file's strings, types, modules and symbols, but not the symbols' places
// (sections.ts). Types are translated word by word; each type of the link is checked once (type-rules.ts).

import { HAS_SCOPE, IS_ENTRY, IS_UNIFIED, REFERENCES } from "../../file/declaration-codes.js";
import { DECLARATIONS_VERSION } from "../../file/container.js";
import { currentFlags } from "../../../../formats/cuda/index.js";
import { parseTarget } from "../../../isa/requirement.js";
import {
  DECLARATIONS_MAGIC,
  HEADER,
  HEADER_WORDS,
  placesOf,
  SYMBOL_WORDS,
  WIDE,
  WIDE_WORDS,
  type DeclarationPlaces,
} from "../../file/declaration-rows.js";
import { isModuleOption } from "../module-options.js";
import { unsupported } from "../cursor.js";
import { finishType, putWord } from "../types.js";
import { KIND, LINKAGE, SPACE } from "../columns.js";
import { intern, stringOf, type StringId } from "../strings.js";
import { bytesOf, placeOf } from "./elf-file.js";
import { atLeastRows, wordAt, type ReaderState } from "./reader-state.js";
import { checkType, FUNCTION, REFERENCE, VARIABLE } from "./type-rules.js";

/** Reads the declarations up to the symbols. */
export function readDeclared(state: ReaderState): DeclarationPlaces {
  const { file, declared } = state;
  const { words } = file;
  const start = (state.start = wordAt(placeOf(file, declared)));
  const bytes = bytesOf(file, declared);
  if (bytes < 4 * HEADER_WORDS) unsupported("declarations");
  if (words[start] !== DECLARATIONS_MAGIC || words[start + HEADER.version] !== DECLARATIONS_VERSION)
    unsupported("version of the declarations");
  const places = placesOf(words, start);
  if (places.end !== bytes) unsupported("tables of the declarations");
  readTexts(state, places);
  readTypes(state, places);
  const target = textIn(state, words[start + HEADER.target]!);
  readModules(state, places, target);
  checkFlags(state, target, words[12]!);
  readSymbols(state, places);
  return places;
}

function readTexts(state: ReaderState, { textEnds, typeEnds, textBytes, shapeBytes }: DeclarationPlaces): void {
  const { file, start, columns } = state;
  const { bytes, words } = file;
  const pool = (state.strings = atLeastRows(state.strings, typeEnds - textEnds));
  const first = 4 * start + textBytes;
  const behind = 4 * start + shapeBytes;
  let from = first;
  for (let at = textEnds; at < typeEnds; at++) {
    const to = first + words[start + at]!;
    if (to < from || to > behind) unsupported("a text");
    pool[at - textEnds] = intern(columns.strings, bytes, from, to);
    from = to;
  }
  if (from !== behind) unsupported("texts");
}

/** A string of the file by its number. */
function textIn({ strings, file, start }: ReaderState, index: number): StringId {
  return index < file.words[start + HEADER.texts]! ? strings[index]! : unsupported("number of a text");
}

/** Translates a word of a module or type: a string or a number. */
const wordIn = (state: ReaderState, word: number): number => (word >= 0 ? word : -textIn(state, -word - 1) - 1);

function readTypes(state: ReaderState, { typeEnds, typeWords, moduleWords }: DeclarationPlaces): void {
  const { file, start } = state;
  const { words } = file;
  const types = (state.types = atLeastRows(state.types, typeWords - typeEnds));
  const first = start + typeWords;
  const behind = start + moduleWords;
  let from = first;
  for (let at = typeEnds; at < typeWords; at++) {
    const to = first + words[start + at]!;
    if (to < from || to > behind) unsupported("a type");
    types[at - typeEnds] = readType(state, from, to);
    from = to;
  }
  if (from !== behind) unsupported("types");
}

/** Reads the type in the words from `from` up to `to`. */
function readType(state: ReaderState, from: number, to: number): number {
  const { file, columns } = state;
  const { words } = file;
  const { types } = columns;
  const own = types.start[types.count]!;
  let at = own;
  for (let i = from; i < to; i++) {
    const word = words[i]! | 0;
    if (word !== WIDE) {
      at = putWord(types, at, word >= 0 ? word : wordIn(state, word));
      continue;
    }
    if (i + WIDE_WORDS > to) unsupported("a large number");
    at = putWord(types, at, WIDE);
    for (const end = i + WIDE_WORDS - 1; i < end;) {
      const part = words[++i]!;
      at = putWord(types, at, part < 2 ** 22 ? part : unsupported("a large number"));
    }
  }
  return finishType(types, own, at);
}

/** Minimum words of a module: one without options and files. */
const MIN_MODULE = 5;

function readModules(state: ReaderState, { moduleWords, symbols }: DeclarationPlaces, target: StringId): void {
  const { file, start, columns } = state;
  const { modules, moduleStart, moduleVersion, targets } = columns;
  const count = file.words[start + HEADER.modules]!;
  if (count === 0 || count * MIN_MODULE > symbols - moduleWords) unsupported("modules");
  let at = start + moduleWords;
  const end = start + symbols;
  const next = (): number => (at < end ? file.words[at++]! | 0 : unsupported("modules"));
  const number = (): number => {
    const value = next();
    modules.push(value >= 0 ? value : unsupported("a number of a module"));
    return value;
  };
  const text = (): StringId => {
    const word = next();
    const id = word < 0 ? textIn(state, -word - 1) : unsupported("a text of a module");
    modules.push(-id - 1);
    return id;
  };
  for (let i = 0; i < count; i++) {
    moduleStart.push(modules.length);
    text();
    moduleVersion.push(number());
    const own = text();
    // A file of one module cannot contain code compiled for another target.
    if (count === 1 && own !== target) unsupported("two targets");
    targets.add(own);
    for (let options = number(); options > 0; options--) checkOption(state, text());
    number();
    for (let files = number(); files > 0; files--) {
      number();
      text();
    }
  }
  if (at !== end) unsupported("modules");
  columns.firstModule[state.index + 1] = columns.firstModule[state.index]! + count;
}

function checkOption({ checked, columns }: ReaderState, text: StringId): void {
  if (checked.options.has(text)) return;
  if (!isModuleOption(stringOf(columns.strings, text))) unsupported("a target option");
  checked.options.add(text);
}

/** Checks that the flags in the file's header are those of its target. */
function checkFlags({ checked, columns }: ReaderState, target: StringId, flags: number): void {
  let known = checked.flags.get(target);
  if (known === undefined) {
    known = currentFlags(parseTarget(stringOf(columns.strings, target))?.sm ?? 0) >>> 0;
    checked.flags.set(target, known);
  }
  if (flags !== known) unsupported("flags");
}

/** Reads all of the symbols except their places. */
function readSymbols(state: ReaderState, places: DeclarationPlaces): void {
  const { file, start, columns, index, types, names } = state;
  const { words, symbolCount } = file;
  const { firstSymbol, firstElfSymbol, firstModule, symbolOf, name, code, flags, typeId, module, line, column } =
    columns;
  const typeCount = places.typeWords - places.typeEnds;
  const moduleCount = firstModule[index + 1]! - firstModule[index]!;
  const first = firstSymbol[index]!;
  const end = first + (places.sections - places.symbols) / SYMBOL_WORDS;
  // Each is a different ELF symbol, so rows exist for all of them.
  if (end - first > symbolCount) unsupported("symbols");
  firstSymbol[index + 1] = end;
  for (let row = first, at = start + places.symbols; row < end; row++, at += SYMBOL_WORDS) {
    const elf = words[at]!;
    if (elf >= symbolCount || names[elf]! < 0) unsupported("an ELF symbol");
    const slot = firstElfSymbol[index]! + elf;
    if (symbolOf[slot] !== -1) unsupported("two symbols in one");
    symbolOf[slot] = row;
    name[row] = names[elf]!;
    const coded = words[at + 1]!;
    const type = words[at + 2]!;
    const own = words[at + 3]!;
    if (coded > 0xffff || type >= typeCount || own >= moduleCount) unsupported("a symbol");
    if ((words[at + 4]! | words[at + 5]!) < 0) unsupported("place of a declaration");
    const itsCode = coded & 0xff;
    const itsFlags = coded >> 8;
    code[row] = itsCode;
    flags[row] = itsFlags;
    typeId[row] = types[type]!;
    module[row] = firstModule[index]! + own;
    line[row] = words[at + 4]!;
    column[row] = words[at + 5]!;
    if ((itsCode & 15) > LINKAGE.extern) unsupported("linkage");
    checkKind(state, typeId[row]!, itsCode >> 4, itsFlags);
  }
}

/** Checks that flags and type fit the kind of a symbol. */
function checkKind(state: ReaderState, typeId: number, kind: number, flags: number): void {
  const { featureCounts } = state.columns;
  let typeKind = VARIABLE;
  let typeFlags = flags;
  if (kind === KIND.variable) {
    if (flags >> 4 > SPACE.shared) unsupported("state space");
    if (flags >> 4 === SPACE.shared) featureCounts.shared++;
  } else if (kind === KIND.function) {
    if ((flags & ~(IS_ENTRY | IS_UNIFIED)) !== 0) unsupported("flags of a function");
    typeKind = FUNCTION;
  } else {
    if (kind !== KIND.reference || flags >= REFERENCES.length) unsupported("kind of a symbol");
    featureCounts.references++;
    typeKind = REFERENCE;
    typeFlags = 0;
  }
  const bit = 1 << (typeKind + ((typeFlags & (HAS_SCOPE | IS_UNIFIED)) >> 2));
  if ((state.kinds[typeId]! & bit) === 0) checkType(state, typeId, typeKind, typeFlags, bit);
}
