// The front of `.ptxkit.decl`: the file's texts, types, modules and symbols, whose places are not found yet (places.ts). Types are
// translated word by word; what they say is looked at once for each shape of the link (shape-rules.ts).

import { DECLARATIONS_VERSION } from "../../../object/file/container.js";
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
} from "../../../object/file/declaration-rows.js";
import { isPlainOption } from "../tables/admitted.js";
import { HAS_SCOPE, IS_ENTRY, IS_UNIFIED } from "../tables/codes.js";
import { notPlain } from "../tables/cursor.js";
import { finishShape, putWord } from "../tables/shapes.js";
import { KIND, LINKAGE, referenceTypes, SPACE } from "../tables/tables.js";
import { intern, textOf, type TextId } from "../tables/texts.js";
import { bytesOf, placeOf } from "./frame.js";
import { roomFor, wordAt, type Reading } from "./reading.js";
import { checkShape, FUNCTION, REFERENCE, VARIABLE } from "./shape-rules.js";

/** Reads the file up to its symbols. */
export function readDeclared(reading: Reading): DeclarationPlaces {
  const { file, declared } = reading;
  const { words } = file;
  const start = (reading.start = wordAt(placeOf(file, declared)));
  const bytes = bytesOf(file, declared);
  if (bytes < 4 * HEADER_WORDS) notPlain("declarations");
  if (words[start] !== DECLARATIONS_MAGIC || words[start + HEADER.version] !== DECLARATIONS_VERSION)
    notPlain("version of the declarations");
  const places = placesOf(words, start);
  if (places.end !== bytes) notPlain("tables of the declarations");
  readTexts(reading, places);
  readTypes(reading, places);
  const target = textIn(reading, words[start + HEADER.target]!);
  readModules(reading, places, target);
  checkFlags(reading, target, words[12]!);
  readSymbols(reading, places);
  return places;
}

function readTexts(reading: Reading, { textEnds, typeEnds, textBytes, shapeBytes }: DeclarationPlaces): void {
  const { file, start, tables } = reading;
  const { bytes, words } = file;
  const pool = (reading.pool = roomFor(reading.pool, typeEnds - textEnds));
  const first = 4 * start + textBytes;
  const behind = 4 * start + shapeBytes;
  let from = first;
  for (let at = textEnds; at < typeEnds; at++) {
    const to = first + words[start + at]!;
    if (to < from || to > behind) notPlain("a text");
    pool[at - textEnds] = intern(tables.texts, bytes, from, to);
    from = to;
  }
  if (from !== behind) notPlain("texts");
}

/** A text of the file by its number. */
function textIn({ pool, file, start }: Reading, index: number): TextId {
  return index < file.words[start + HEADER.texts]! ? pool[index]! : notPlain("number of a text");
}

/** A word of a module or type that is a text or a number. */
const wordIn = (reading: Reading, word: number): number => (word >= 0 ? word : -textIn(reading, -word - 1) - 1);

function readTypes(reading: Reading, { typeEnds, typeWords, moduleWords }: DeclarationPlaces): void {
  const { file, start } = reading;
  const { words } = file;
  const types = (reading.types = roomFor(reading.types, typeWords - typeEnds));
  const first = start + typeWords;
  const behind = start + moduleWords;
  let from = first;
  for (let at = typeEnds; at < typeWords; at++) {
    const to = first + words[start + at]!;
    if (to < from || to > behind) notPlain("a type");
    types[at - typeEnds] = readType(reading, from, to);
    from = to;
  }
  if (from !== behind) notPlain("types");
}

/** The shape of the words from `from` up to `to`. */
function readType(reading: Reading, from: number, to: number): number {
  const { file, tables } = reading;
  const { words } = file;
  const { shapes } = tables;
  const own = shapes.start[shapes.count]!;
  let at = own;
  for (let i = from; i < to; i++) {
    const word = words[i]! | 0;
    if (word !== WIDE) {
      at = putWord(shapes, at, word >= 0 ? word : wordIn(reading, word));
      continue;
    }
    if (i + WIDE_WORDS > to) notPlain("a large number");
    at = putWord(shapes, at, WIDE);
    for (const end = i + WIDE_WORDS - 1; i < end;) {
      const part = words[++i]!;
      at = putWord(shapes, at, part < 2 ** 22 ? part : notPlain("a large number"));
    }
  }
  return finishShape(shapes, own, at);
}

/** Words of a module with no options and files, at least. */
const LEAST_MODULE = 5;

function readModules(reading: Reading, { moduleWords, symbols }: DeclarationPlaces, target: TextId): void {
  const { file, start, tables } = reading;
  const { modules, moduleStart, moduleVersion, targets } = tables;
  const count = file.words[start + HEADER.modules]!;
  if (count === 0 || count * LEAST_MODULE > symbols - moduleWords) notPlain("modules");
  let at = start + moduleWords;
  const end = start + symbols;
  const next = (): number => (at < end ? file.words[at++]! | 0 : notPlain("modules"));
  const number = (): number => {
    const value = next();
    modules.push(value >= 0 ? value : notPlain("a number of a module"));
    return value;
  };
  const text = (): TextId => {
    const word = next();
    const id = word < 0 ? textIn(reading, -word - 1) : notPlain("a text of a module");
    modules.push(-id - 1);
    return id;
  };
  for (let i = 0; i < count; i++) {
    moduleStart.push(modules.length);
    text();
    moduleVersion.push(number());
    const own = text();
    // What was compiled for another target than its module's is nothing that stands in a file of one module.
    if (count === 1 && own !== target) notPlain("two targets");
    targets.add(own);
    for (let options = number(); options > 0; options--) checkOption(reading, text());
    number();
    for (let files = number(); files > 0; files--) {
      number();
      text();
    }
  }
  if (at !== end) notPlain("modules");
  tables.firstModule[reading.index + 1] = tables.firstModule[reading.index]! + count;
}

function checkOption({ checked, tables }: Reading, text: TextId): void {
  if (checked.options.has(text)) return;
  if (!isPlainOption(textOf(tables.texts, text))) notPlain("a target option");
  checked.options.add(text);
}

/** The flags of the file's header are those of its target. */
function checkFlags({ checked, tables }: Reading, target: TextId, flags: number): void {
  let known = checked.flags.get(target);
  if (known === undefined) {
    known = currentFlags(parseTarget(textOf(tables.texts, target))?.sm ?? 0) >>> 0;
    checked.flags.set(target, known);
  }
  if (flags !== known) notPlain("flags");
}

/** All of the symbols but their places. */
function readSymbols(reading: Reading, places: DeclarationPlaces): void {
  const { file, start, tables, index, types, names } = reading;
  const { words, symbolCount } = file;
  const { firstSymbol, firstElf, firstModule, symbolOf, name, code, flags, shape, module, line, column, rare } = tables;
  const typeCount = places.typeWords - places.typeEnds;
  const moduleCount = firstModule[index + 1]! - firstModule[index]!;
  const first = firstSymbol[index]!;
  const end = first + (places.sections - places.symbols) / SYMBOL_WORDS;
  // Each is an ELF symbol of its own, so that there are rows for all of them.
  if (end - first > symbolCount) notPlain("symbols");
  firstSymbol[index + 1] = end;
  for (let row = first, at = start + places.symbols; row < end; row++, at += SYMBOL_WORDS) {
    const elf = words[at]!;
    if (elf >= symbolCount || names[elf]! < 0) notPlain("an ELF symbol");
    const slot = firstElf[index]! + elf;
    if (symbolOf[slot] !== -1) notPlain("two symbols in one");
    symbolOf[slot] = row;
    name[row] = names[elf]!;
    const coded = words[at + 1]!;
    const type = words[at + 2]!;
    const own = words[at + 3]!;
    if (coded > 0xffff || type >= typeCount || own >= moduleCount) notPlain("a symbol");
    if ((words[at + 4]! | words[at + 5]!) < 0) notPlain("place of a declaration");
    const itsCode = coded & 0xff;
    const itsFlags = coded >> 8;
    code[row] = itsCode;
    flags[row] = itsFlags;
    shape[row] = types[type]!;
    module[row] = firstModule[index]! + own;
    line[row] = words[at + 4]!;
    column[row] = words[at + 5]!;
    if ((itsCode & 15) > LINKAGE.extern) notPlain("linkage");
    const kind = itsCode >> 4;
    let shapeKind = VARIABLE;
    let shapeFlags = itsFlags;
    if (kind === KIND.variable) {
      if (itsFlags >> 4 > SPACE.shared) notPlain("state space");
      if (itsFlags >> 4 === SPACE.shared) rare.shared++;
    } else if (kind === KIND.function) {
      if ((itsFlags & ~(IS_ENTRY | IS_UNIFIED)) !== 0) notPlain("flags of a function");
      shapeKind = FUNCTION;
    } else {
      if (kind !== KIND.reference || itsFlags >= referenceTypes.length) notPlain("kind of a symbol");
      rare.references++;
      shapeKind = REFERENCE;
      shapeFlags = 0;
    }
    const bit = 1 << (shapeKind + ((shapeFlags & (HAS_SCOPE | IS_UNIFIED)) >> 2));
    if ((reading.kinds[shape[row]!]! & bit) === 0) checkShape(reading, shape[row]!, shapeKind, shapeFlags, bit);
  }
}
