// The types of declarations, each interned as a number: the layout of a variable with its scope, a function's prototype with its
// directives, or the fields of a texture, sampler or surface. A type is encoded as in .ptxkit.decl (type-of-symbol.ts), but with
// string numbers of the link instead of a file's. So equal declarations of any two files have one type, and a type is written
// into the image as it was read. Kept in typed arrays, because a link has as many types as functions.

import type { Prototype } from "../../isa/code.js";
import { dataTypes, type DataType } from "../../isa/types.table.js";
import { isPassedAsFloat } from "../attributes/signature.js";
import { WIDE, WIDE_WORDS, wideAt, wideWords } from "../file/declaration-rows.js";
import { unsupported } from "./cursor.js";
import { internString, larger32, stringOf, type StringId, type StringTable } from "./strings.js";

export { WIDE, wideAt };

/** Index of a type in the table of a link. */
export type TypeId = number;

export interface TypeTable {
  readonly strings: StringTable;
  /** Row in isa/types.table.ts, by the string of its name. */
  readonly rowOf: Map<StringId, number>;
  /** The string of each data type's name that was used so far (type-of-symbol.ts). */
  readonly nameOf: Map<DataType, StringId>;
  count: number;
  /** The words of all types, concatenated; string n is -n - 1. */
  words: Int32Array;
  /** Start of each type in `words`. */
  start: Int32Array;
  hash: Int32Array;
  /** Type + 1 by hash; the number of slots is a power of two, at most half of them used. */
  slots: Int32Array;
}

/** Initially small, for the same reason as strings. */
export function createTypes(strings: StringTable): TypeTable {
  return {
    strings,
    rowOf: new Map(),
    nameOf: new Map(),
    count: 0,
    words: new Int32Array(1 << 6),
    start: new Int32Array(1 << 3),
    hash: new Int32Array(1 << 3),
    slots: new Int32Array(1 << 4),
  };
}

// ------------------------------------------------------------------------------------------------------------- reading

/** Writes a bound or size that does not fit a word: the string of its digits after a NUL, with which no name begins. */
export const putLarge = (types: TypeTable, at: number, value: number): number =>
  putWord(types, at, -internString(types.strings, `\0${value}`) - 1);

/** The number in such a string; undefined for other strings. */
export function largeNumber(strings: StringTable, text: StringId): number | undefined {
  const start = strings.start[text]!;
  const isLarge = strings.start[text + 1]! > start && strings.bytes[start] === 0;
  return isLarge ? Number(stringOf(strings, text).slice(1)) : undefined;
}

/** Appends a word to the type that is being read, after the last finished one; `finishType` ends it. */
export function putWord(types: TypeTable, at: number, word: number): number {
  if (at >= types.words.length) types.words = larger32(types.words);
  types.words[at] = word;
  return at + 1;
}

/** The row of a data type in isa/types.table.ts, by its name. */
export function typeRow(types: TypeTable, text: StringId): number {
  return types.rowOf.get(text) ?? findType(types, text);
}

/** A function of its own, because its closure is allocated at every call of the surrounding function. */
function findType(types: TypeTable, text: StringId): number {
  const name = stringOf(types.strings, text);
  const index = dataTypes.findIndex((type) => type.name === name);
  if (index < 0) unsupported("an unknown type");
  types.rowOf.set(text, index);
  return index;
}

/** Writes a number of up to 64 bits. */
export function putWide(types: TypeTable, from: number, value: bigint): number {
  let at = from;
  for (const word of wideWords(value)) at = putWord(types, at, word);
  return at;
}

/** The words of the two numbers of `.unified`, at the end of a type. */
const UNIFIED_WORDS = 2 * WIDE_WORDS;

const HAS_SPACE = 4;
const HAS_ALIGN = 8;

/** A variable's type with another alignment, in bytes, a power of two. */
export function withAlignment(types: TypeTable, typeId: TypeId, align: number): TypeId {
  if (alignOfType(types, typeId) === align) return typeId;
  const from = types.start[types.count]!;
  let at = from;
  for (let word = types.start[typeId]!; word < types.start[typeId + 1]!; word++)
    at = putWord(types, at, types.words[word]!);
  types.words[from + 1] = (types.words[from + 1]! & 3) | ((31 - Math.clz32(align)) << 2);
  return finishType(types, from, at);
}

/** A variable's type with the layout of another's. */
export function withLayoutOf(types: TypeTable, typeId: TypeId, other: TypeId): TypeId {
  const { start } = types;
  const layoutEnd = (of: TypeId): number => start[of]! + 4 + types.words[start[of]! + 2]!;
  const from = start[types.count]!;
  let at = from;
  for (let word = start[other]!; word < layoutEnd(other); word++) at = putWord(types, at, types.words[word]!);
  for (let word = layoutEnd(typeId); word < start[typeId + 1]!; word++) at = putWord(types, at, types.words[word]!);
  return finishType(types, from, at);
}

/** The target of an alias with this type: a name, and an offset in bytes from the start of that variable. */
export const aliasOfType = ({ words, start }: TypeTable, typeId: TypeId): readonly [base: StringId, offset: number] => {
  const end = start[typeId + 1]!;
  return [-words[end - 2]! - 1, words[end - 1]!];
};

/** The type of a variable that is declared like an alias of this type. */
export function typeOfAliased(types: TypeTable, typeId: TypeId): TypeId {
  const { start } = types;
  const from = start[types.count]!;
  let at = from;
  for (let word = start[typeId]!; word < start[typeId + 1]! - 2; word++) at = putWord(types, at, types.words[word]!);
  return finishType(types, from, at);
}

/** The type of `size` bytes: `.b8 x[size]`. */
export function bytesType(types: TypeTable, size: number): TypeId {
  const from = types.start[types.count]!;
  const type = internString(types.strings, "b8");
  let at = from;
  // Alignment of one byte, no vector, one dimension.
  for (const word of [-type - 1, 0, 1, size + 1, size]) at = putWord(types, at, word);
  return finishType(types, from, at);
}

/** Interns the type in `words` from `from` up to `to`; if it is known, the words are removed again. */
export function finishType(types: TypeTable, from: number, to: number): TypeId {
  const { words, slots } = types;
  const { salt } = types.strings;
  let hash = salt;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ words[at]!, salt) ^ (hash >>> 13);
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const found = slots[slot]! - 1;
    if (types.hash[found] !== hash) continue;
    const own = types.start[found]!;
    if (types.start[found + 1]! - own !== to - from) continue;
    let at = from;
    while (at < to && words[at] === words[own + at - from]) at++;
    if (at === to) return found;
  }
  return addType(types, to, hash, slot);
}

function addType(types: TypeTable, to: number, hash: number, slot: number): TypeId {
  const id = types.count++;
  if (id + 2 > types.start.length) {
    types.start = larger32(types.start);
    types.hash = larger32(types.hash);
  }
  types.start[id + 1] = to;
  types.hash[id] = hash;
  types.slots[slot] = id + 1;
  if (2 * types.count > types.slots.length) rehash(types);
  return id;
}

function rehash(types: TypeTable): void {
  const slots = new Int32Array(2 * types.slots.length);
  const mask = slots.length - 1;
  for (let id = 0; id < types.count; id++) {
    const hash = types.hash[id]!;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = id + 1;
  }
  types.slots = slots;
}

// -------------------------------------------------------------------------------------------------------------- asking

/** Alignment in bytes of a variable's type. */
export const alignOfType = ({ words, start }: TypeTable, typeId: TypeId): number =>
  2 ** (words[start[typeId]! + 1]! >> 2);

/** Size in bytes of a variable of this type; 0 for an unsized array. */
export function sizeOfType({ strings, words, start }: TypeTable, typeId: TypeId): number {
  const size = words[start[typeId]! + 3 + words[start[typeId]! + 2]!]!;
  return size >= 0 ? size : largeNumber(strings, -size - 1)!;
}

/** The function that declares a variable of this type; the type must have a scope. */
export function scopeOfType({ words, start }: TypeTable, typeId: TypeId): StringId {
  const end = start[typeId + 1]!;
  return -words[words[end - WIDE_WORDS] === WIDE ? end - UNIFIED_WORDS - 1 : end - 1]! - 1;
}

/** The numbers of `.unified`; the type must have them. */
export function unifiedOfType({ words, start }: TypeTable, typeId: TypeId): readonly [bigint, bigint] {
  const end = start[typeId + 1]!;
  return [wideAt(words, end - UNIFIED_WORDS), wideAt(words, end - WIDE_WORDS)];
}

/** Whether the first dimension is unsized: `x[]`. */
export const isUnsizedArray = ({ words, start }: Pick<TypeTable, "words" | "start">, typeId: TypeId): boolean =>
  words[start[typeId]! + 2]! > 0 && words[start[typeId]! + 3] === 0;

function hasUnsizedDimension({ words, start }: TypeTable, typeId: TypeId): boolean {
  const at = start[typeId]! + 3;
  for (let i = words[at - 1]! - 1; i >= 0; i--) if (words[at + i] === 0) return true;
  return false;
}

/** Whether a variable's declaration agrees with the chosen one, so that compatible.ts has nothing to report. */
export function variablesMatch(types: TypeTable, declared: TypeId, chosen: TypeId): boolean {
  if (declared === chosen) return true;
  const { words, start } = types;
  if (sizeOfType(types, declared) !== sizeOfType(types, chosen) && !hasUnsizedDimension(types, declared)) return false;
  return typesMatch(types, declared, chosen) && words[start[declared]! + 1]! >> 2 <= words[start[chosen]! + 1]! >> 2;
}

/** How specific a type is: `[]` has no size, and bit types agree with every type (../../link/resolve/resolve.ts). */
export function detailOfType(types: TypeTable, typeId: TypeId): number {
  if (sizeOfType(types, typeId) === 0) return 0;
  const type = typeRow(types, -types.words[types.start[typeId]!]! - 1);
  return dataTypes[type]!.class === "bits" ? 1 : 2;
}

/** The same comparison for types and dimensions only. */
export function typesMatch(types: TypeTable, declared: TypeId, chosen: TypeId): boolean {
  const { words, start } = types;
  const [a, b] = [start[declared]!, start[chosen]!];
  const [type, other] = [words[a]!, words[b]!];
  const isBits = (word: number): boolean => dataTypes[typeRow(types, -word - 1)]!.class === "bits";
  if (type !== other && !isBits(type) && !isBits(other)) return false;
  return words[a + 2]! <= 1 || words[b + 2]! <= 1;
}

/** Whether two prototypes pass all values the same way (compatible.ts). */
export function functionsMatch(types: TypeTable, one: TypeId, other: TypeId): boolean {
  if (one === other) return true;
  const { words, start } = types;
  let [a, b] = [start[one]! + 1, start[other]! + 1];
  for (let list = 0; list < 2; list++) {
    const count = words[a]!;
    if (count !== words[b]) return false;
    [a, b] = [a + 1, b + 1];
    for (let i = 0; i < count; i++) {
      if (passing(types, a) !== passing(types, b)) return false;
      [a, b] = [afterParameter(words, a), afterParameter(words, b)];
    }
  }
  return true;
}

/** Whether a function of this type passes all values like a prototype given as a value (passing.ts). */
export function passesAs(types: TypeTable, typeId: TypeId, { returns, parameters }: Prototype): boolean {
  const { words, start } = types;
  let at = start[typeId]! + 1;
  for (const list of [returns, parameters]) {
    if (words[at++] !== list.length) return false;
    for (const { layout } of list) {
      if (passing(types, at) !== layout.size * 4 + (isPassedAsFloat(layout.type, layout.vector) ? 1 : 0)) return false;
      at = afterParameter(words, at);
    }
  }
  return true;
}

/** How the parameter at `at` is passed: its size, whether it is bytes, and whether it is a float, as one number. */
function passing(types: TypeTable, at: number): number {
  const { words } = types;
  const layout = at + 2;
  const dimensions = words[layout + 2]!;
  const size = words[layout + 3 + dimensions]!;
  if (dimensions > 0) return size * 4 + 2;
  const type = dataTypes[typeRow(types, -words[layout]! - 1)]!;
  return size * 4 + (isPassedAsFloat(type, 2 ** (words[layout + 1]! & 3)) ? 1 : 0);
}

/** The index of the parameter after the one at `at`. */
function afterParameter(words: Int32Array, at: number): number {
  const flags = words[at]!;
  const behind = at + 6 + words[at + 4]!;
  return behind + ((flags & HAS_SPACE) !== 0 ? 1 : 0) + ((flags & HAS_ALIGN) !== 0 ? 1 : 0);
}

/** Bytes of a kernel's parameter block (object/parameters.ts). */
export function parameterBytes({ words, start }: TypeTable, typeId: TypeId): number {
  let at = start[typeId]! + 1;
  for (let returns = words[at++]!; returns > 0; returns--) at = afterParameter(words, at);
  let bytes = 0;
  for (let parameters = words[at++]!; parameters > 0; parameters--) {
    const align = 2 ** (words[at + 3]! >> 2);
    bytes = Math.ceil(bytes / align) * align + words[at + 5 + words[at + 4]!]!;
    at = afterParameter(words, at);
  }
  return bytes;
}
