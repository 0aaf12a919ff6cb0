// What declarations say of types, each once, as a number: the layout of a variable with its scope, a function's prototype
// with its directives, or the fields of a texture, sampler or surface. A shape is the run of numbers in which .ptxkit.decl has it (object/file/declarations.ts), with texts by
// their numbers in the link instead of a file's, so that equal declarations of any two files have one shape, and a shape is
// written into the image as it was read. Kept in typed arrays, because a link has as many as it has functions.

import type { Prototype } from "../../../isa/code.js";
import { dataTypes, type DataType } from "../../../isa/types.table.js";
import { isPassedAsFloat } from "../../../object/attributes/signature.js";
import { WIDE, WIDE_WORDS, wideAt, wideWords } from "../../../object/file/declaration-rows.js";
import { notPlain } from "./cursor.js";
import { internText, larger32, textOf, type TextId, type Texts } from "./texts.js";

export { WIDE, wideAt };

/** Index of a shape among those of a link. */
export type ShapeId = number;

export interface Shapes {
  readonly texts: Texts;
  /** The text of each row of the type table. */
  readonly typeOf: Map<TextId, number>;
  /** The texts of types that were met as such (shape-of.ts). */
  readonly textOf: Map<DataType, TextId>;
  count: number;
  /** All shapes' numbers, one shape behind the other; text n is -n - 1. */
  words: Int32Array;
  /** Where each shape begins in `words`. */
  start: Int32Array;
  hash: Int32Array;
  /** Shape + 1 by hash; a power of two, at most half full. */
  slots: Int32Array;
}

/** Small, as texts are at first. */
export function createShapes(texts: Texts): Shapes {
  return {
    texts,
    typeOf: new Map(),
    textOf: new Map(),
    count: 0,
    words: new Int32Array(1 << 6),
    start: new Int32Array(1 << 3),
    hash: new Int32Array(1 << 3),
    slots: new Int32Array(1 << 4),
  };
}

// ------------------------------------------------------------------------------------------------------------- reading

/** A number beyond the words: a text of its digits behind a zero, which no name begins with. Of bounds and sizes only. */
export const putLarge = (shapes: Shapes, at: number, value: number): number =>
  putWord(shapes, at, -internText(shapes.texts, `\0${value}`) - 1);

/** What a word of a bound or a size says; undefined for a text that is none. */
export function largeNumber(texts: Texts, text: TextId): number | undefined {
  const start = texts.start[text]!;
  const isLarge = texts.start[text + 1]! > start && texts.bytes[start] === 0;
  return isLarge ? Number(textOf(texts, text).slice(1)) : undefined;
}

/** Takes numbers of the shape that is being read; it stands behind the last one until `finishShape`. */
export function putWord(shapes: Shapes, at: number, word: number): number {
  if (at >= shapes.words.length) shapes.words = larger32(shapes.words);
  shapes.words[at] = word;
  return at + 1;
}

/** Row of the type table. */
export function typeIndex(shapes: Shapes, text: TextId): number {
  return shapes.typeOf.get(text) ?? findType(shapes, text);
}

/** Apart, because the function in it takes memory whenever what it is in is called. */
function findType(shapes: Shapes, text: TextId): number {
  const name = textOf(shapes.texts, text);
  const index = dataTypes.findIndex((type) => type.name === name);
  if (index < 0) notPlain("an unknown type");
  shapes.typeOf.set(text, index);
  return index;
}

/** A number of up to 64 bits. */
export function putWide(shapes: Shapes, from: number, value: bigint): number {
  let at = from;
  for (const word of wideWords(value)) at = putWord(shapes, at, word);
  return at;
}

/** What of a shape is the two numbers of `.unified`, which stand at its end. */
const UNIFIED_WORDS = 2 * WIDE_WORDS;

const HAS_SPACE = 4;
const HAS_ALIGN = 8;

/** A variable's shape with another alignment, in bytes: a power of two. */
export function realigned(shapes: Shapes, shape: ShapeId, align: number): ShapeId {
  if (alignOfShape(shapes, shape) === align) return shape;
  const from = shapes.start[shapes.count]!;
  let at = from;
  for (let word = shapes.start[shape]!; word < shapes.start[shape + 1]!; word++)
    at = putWord(shapes, at, shapes.words[word]!);
  shapes.words[from + 1] = (shapes.words[from + 1]! & 3) | ((31 - Math.clz32(align)) << 2);
  return finishShape(shapes, from, at);
}

/** A variable's shape with the layout of another's. */
export function withLayoutOf(shapes: Shapes, shape: ShapeId, other: ShapeId): ShapeId {
  const { start } = shapes;
  const layoutEnd = (of: ShapeId): number => start[of]! + 4 + shapes.words[start[of]! + 2]!;
  const from = start[shapes.count]!;
  let at = from;
  for (let word = start[other]!; word < layoutEnd(other); word++) at = putWord(shapes, at, shapes.words[word]!);
  for (let word = layoutEnd(shape); word < start[shape + 1]!; word++) at = putWord(shapes, at, shapes.words[word]!);
  return finishShape(shapes, from, at);
}

/** What an alias of this shape refers to: a text, and bytes from the start of the variable of that name. */
export const aliasOfShape = ({ words, start }: Shapes, shape: ShapeId): readonly [base: TextId, offset: number] => {
  const end = start[shape + 1]!;
  return [-words[end - 2]! - 1, words[end - 1]!];
};

/** The shape of a variable that is declared like an alias of this shape. */
export function shapeOfAliased(shapes: Shapes, shape: ShapeId): ShapeId {
  const { start } = shapes;
  const from = start[shapes.count]!;
  let at = from;
  for (let word = start[shape]!; word < start[shape + 1]! - 2; word++) at = putWord(shapes, at, shapes.words[word]!);
  return finishShape(shapes, from, at);
}

/** The shape of so many bytes: `.b8 x[size]`. */
export function bytesShape(shapes: Shapes, size: number): ShapeId {
  const from = shapes.start[shapes.count]!;
  const type = internText(shapes.texts, "b8");
  let at = from;
  // Aligned to one byte, no vector, of one dimension.
  for (const word of [-type - 1, 0, 1, size + 1, size]) at = putWord(shapes, at, word);
  return finishShape(shapes, from, at);
}

/** The number of the shape in `words` from `from` up to `to`, which is forgotten again where it is known already. */
export function finishShape(shapes: Shapes, from: number, to: number): ShapeId {
  const { words, slots } = shapes;
  const { salt } = shapes.texts;
  let hash = salt;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ words[at]!, salt) ^ (hash >>> 13);
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const found = slots[slot]! - 1;
    if (shapes.hash[found] !== hash) continue;
    const own = shapes.start[found]!;
    if (shapes.start[found + 1]! - own !== to - from) continue;
    let at = from;
    while (at < to && words[at] === words[own + at - from]) at++;
    if (at === to) return found;
  }
  return addShape(shapes, to, hash, slot);
}

function addShape(shapes: Shapes, to: number, hash: number, slot: number): ShapeId {
  const id = shapes.count++;
  if (id + 2 > shapes.start.length) {
    shapes.start = larger32(shapes.start);
    shapes.hash = larger32(shapes.hash);
  }
  shapes.start[id + 1] = to;
  shapes.hash[id] = hash;
  shapes.slots[slot] = id + 1;
  if (2 * shapes.count > shapes.slots.length) rehash(shapes);
  return id;
}

function rehash(shapes: Shapes): void {
  const slots = new Int32Array(2 * shapes.slots.length);
  const mask = slots.length - 1;
  for (let id = 0; id < shapes.count; id++) {
    const hash = shapes.hash[id]!;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = id + 1;
  }
  shapes.slots = slots;
}

// -------------------------------------------------------------------------------------------------------------- asking

/** Bytes that the alignment of a variable's shape asks for. */
export const alignOfShape = ({ words, start }: Shapes, shape: ShapeId): number => 2 ** (words[start[shape]! + 1]! >> 2);

/** Bytes of a variable of this shape; 0 of an open array. */
export function sizeOfShape({ texts, words, start }: Shapes, shape: ShapeId): number {
  const size = words[start[shape]! + 3 + words[start[shape]! + 2]!]!;
  return size >= 0 ? size : largeNumber(texts, -size - 1)!;
}

/** The function in which a variable of this shape was declared, of one that has such. */
export function scopeOfShape({ words, start }: Shapes, shape: ShapeId): TextId {
  const end = start[shape + 1]!;
  return -words[words[end - WIDE_WORDS] === WIDE ? end - UNIFIED_WORDS - 1 : end - 1]! - 1;
}

/** The numbers of `.unified`, of a shape that has them. */
export function unifiedOfShape({ words, start }: Shapes, shape: ShapeId): readonly [bigint, bigint] {
  const end = start[shape + 1]!;
  return [wideAt(words, end - UNIFIED_WORDS), wideAt(words, end - WIDE_WORDS)];
}

/** Whether the first dimension is open: `x[]`. */
export const isOpenArray = ({ words, start }: Pick<Shapes, "words" | "start">, shape: ShapeId): boolean =>
  words[start[shape]! + 2]! > 0 && words[start[shape]! + 3] === 0;

function isOpen({ words, start }: Shapes, shape: ShapeId): boolean {
  const at = start[shape]! + 3;
  for (let i = words[at - 1]! - 1; i >= 0; i--) if (words[at + i] === 0) return true;
  return false;
}

/** Whether nothing is to be said of two declarations of a variable, one of them only a declaration. compatible.ts */
export function variablesAgree(shapes: Shapes, declared: ShapeId, chosen: ShapeId): boolean {
  if (declared === chosen) return true;
  const { words, start } = shapes;
  if (sizeOfShape(shapes, declared) !== sizeOfShape(shapes, chosen) && !isOpen(shapes, declared)) return false;
  return typesAgree(shapes, declared, chosen) && words[start[declared]! + 1]! >> 2 <= words[start[chosen]! + 1]! >> 2;
}

/** How much it says: `[]` has no size, and bits agree with every type. ../../names/resolve.ts */
export function detailOfShape(shapes: Shapes, shape: ShapeId): number {
  if (sizeOfShape(shapes, shape) === 0) return 0;
  const type = typeIndex(shapes, -shapes.words[shapes.start[shape]!]! - 1);
  return dataTypes[type]!.class === "bits" ? 1 : 2;
}

/** The same of their types and dimensions alone. */
export function typesAgree(shapes: Shapes, declared: ShapeId, chosen: ShapeId): boolean {
  const { words, start } = shapes;
  const [a, b] = [start[declared]!, start[chosen]!];
  const [type, other] = [words[a]!, words[b]!];
  const isBits = (word: number): boolean => dataTypes[typeIndex(shapes, -word - 1)]!.class === "bits";
  if (type !== other && !isBits(type) && !isBits(other)) return false;
  return words[a + 2]! <= 1 || words[b + 2]! <= 1;
}

/** Whether two prototypes pass everything alike. compatible.ts */
export function functionsAgree(shapes: Shapes, one: ShapeId, other: ShapeId): boolean {
  if (one === other) return true;
  const { words, start } = shapes;
  let [a, b] = [start[one]! + 1, start[other]! + 1];
  for (let list = 0; list < 2; list++) {
    const count = words[a]!;
    if (count !== words[b]) return false;
    [a, b] = [a + 1, b + 1];
    for (let i = 0; i < count; i++) {
      if (passing(shapes, a) !== passing(shapes, b)) return false;
      [a, b] = [afterParameter(words, a), afterParameter(words, b)];
    }
  }
  return true;
}

/** Whether a function of this shape passes everything as a prototype of plain numbers does. passing.ts */
export function passesAs(shapes: Shapes, shape: ShapeId, { returns, parameters }: Prototype): boolean {
  const { words, start } = shapes;
  let at = start[shape]! + 1;
  for (const list of [returns, parameters]) {
    if (words[at++] !== list.length) return false;
    for (const { layout } of list) {
      if (passing(shapes, at) !== layout.size * 4 + (isPassedAsFloat(layout.type, layout.vector) ? 1 : 0)) return false;
      at = afterParameter(words, at);
    }
  }
  return true;
}

/** How the parameter at `at` is passed: its size, whether it is bytes, and whether it is a float. */
function passing(shapes: Shapes, at: number): number {
  const { words } = shapes;
  const layout = at + 2;
  const dimensions = words[layout + 2]!;
  const size = words[layout + 3 + dimensions]!;
  if (dimensions > 0) return size * 4 + 2;
  const type = dataTypes[typeIndex(shapes, -words[layout]! - 1)]!;
  return size * 4 + (isPassedAsFloat(type, 2 ** (words[layout + 1]! & 3)) ? 1 : 0);
}

/** Where the parameter behind that at `at` begins. */
function afterParameter(words: Int32Array, at: number): number {
  const flags = words[at]!;
  const behind = at + 6 + words[at + 4]!;
  return behind + ((flags & HAS_SPACE) !== 0 ? 1 : 0) + ((flags & HAS_ALIGN) !== 0 ? 1 : 0);
}

/** Bytes of the parameter block of a kernel of this shape. object/parameters.ts */
export function parameterBytes({ words, start }: Shapes, shape: ShapeId): number {
  let at = start[shape]! + 1;
  for (let returns = words[at++]!; returns > 0; returns--) at = afterParameter(words, at);
  let bytes = 0;
  for (let parameters = words[at++]!; parameters > 0; parameters--) {
    const align = 2 ** (words[at + 3]! >> 2);
    bytes = Math.ceil(bytes / align) * align + words[at + 5 + words[at + 4]!]!;
    at = afterParameter(words, at);
  }
  return bytes;
}
