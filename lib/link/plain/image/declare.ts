// `.ptxkit.decl` of an output of a plain link (../link.ts), byte for byte as object/file/declarations.ts writes it.

import {
  createRows,
  finishRows,
  putWord,
  WIDE,
  WIDE_WORDS,
  wideWords,
  type DeclarationRows,
  type Words,
} from "../../../object/file/declaration-rows.js";
import { largeNumber, type ShapeId, type Shapes } from "../tables/shapes.js";
import type { Tables } from "../tables/tables.js";
import type { TextId, Texts } from "../tables/texts.js";

/** Declarations whose texts and types are numbered when they are first met. */
export interface Declaring {
  readonly rows: DeclarationRows;
  readonly texts: Texts;
  /** The number of each text, -1 for those that were not met. */
  readonly index: Int32Array;
  readonly used: TextId[];
  /** Of each shape one more than the number of its type, 0 for those that were not met. */
  readonly types: Int32Array;
}

/** `symbols`: how many there will be. */
export const createDeclaring = (texts: Texts, shapes: number, symbols: number): Declaring => ({
  rows: createRows(symbols),
  texts,
  index: new Int32Array(texts.count).fill(-1),
  used: [],
  types: new Int32Array(shapes),
});

/** The number of a text. */
export function declareText({ rows, texts, index, used }: Declaring, id: TextId): number {
  if (index[id]! >= 0) return index[id]!;
  const { textEnds } = rows;
  const before = textEnds.length === 0 ? 0 : textEnds.words[textEnds.length - 1]!;
  putWord(textEnds, before + texts.start[id + 1]! - texts.start[id]!);
  return (index[id] = used.push(id) - 1);
}

/** Numbers and texts as shapes have them, from `start` up to `end`. */
function declareWords(declaring: Declaring, into: Words, words: ArrayLike<number>, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const word = words[at]!;
    if (word === WIDE) {
      for (let i = 0; i < WIDE_WORDS; i++) putWord(into, words[at + i]!);
      at += WIDE_WORDS - 1;
    } else if (word >= 0) putWord(into, word);
    else {
      const large = largeNumber(declaring.texts, -word - 1);
      if (large === undefined) putWord(into, -declareText(declaring, -word - 1) - 1);
      else for (const part of wideWords(BigInt(large))) putWord(into, part);
    }
  }
}

export const declareModules = (declaring: Declaring, { modules }: Tables): void =>
  declareWords(declaring, declaring.rows.moduleWords, modules, 0, modules.length);

/** The number of a shape's type. */
export function declareShape(declaring: Declaring, { words, start }: Shapes, shape: ShapeId): number {
  const { rows, types } = declaring;
  if (types[shape]! > 0) return types[shape]! - 1;
  declareWords(declaring, rows.typeWords, words, start[shape]!, start[shape + 1]!);
  putWord(rows.typeEnds, rows.typeWords.length);
  types[shape] = rows.typeEnds.length;
  return rows.typeEnds.length - 1;
}

export const finishDeclaring = (
  { rows, texts, used }: Declaring,
  header: { readonly target: number; readonly version: number; readonly modules: number },
): Uint8Array =>
  finishRows(rows, header, (into) => {
    let at = 0;
    for (let i = 0; i < used.length; i++) {
      const end = texts.start[used[i]! + 1]!;
      // A loop, because they are few.
      for (let from = texts.start[used[i]!]!; from < end; from++) into[at++] = texts.bytes[from]!;
    }
  });
