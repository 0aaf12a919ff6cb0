// `.ptxkit.decl` of an output: its strings and types, numbered in order of first use. docs/format.md, "Declarations".

import {
  createRows,
  finishRows,
  putWord,
  WIDE,
  WIDE_WORDS,
  wideWords,
  type DeclarationRows,
  type Words,
} from "../../file/declaration-rows.js";
import { largeNumber, type TypeId, type TypeTable } from "../types.js";
import type { Columns } from "../columns.js";
import type { StringId, StringTable } from "../strings.js";

/** Declarations whose strings and types are numbered at first use. */
export interface Declarations {
  readonly rows: DeclarationRows;
  readonly strings: StringTable;
  /** The number of each string; -1 for unused strings. */
  readonly index: Int32Array;
  readonly used: StringId[];
  /** For each type, its number in the file + 1; 0 for unused types. */
  readonly types: Int32Array;
}

/** `symbols`: expected number of symbols. */
export const createDeclarations = (strings: StringTable, shapes: number, symbols: number): Declarations => ({
  rows: createRows(symbols),
  strings,
  index: new Int32Array(strings.count).fill(-1),
  used: [],
  types: new Int32Array(shapes),
});

/** The number of a string; the first use assigns it. */
export function declareText({ rows, strings, index, used }: Declarations, id: StringId): number {
  if (index[id]! >= 0) return index[id]!;
  const { textEnds } = rows;
  const before = textEnds.length === 0 ? 0 : textEnds.words[textEnds.length - 1]!;
  putWord(textEnds, before + strings.start[id + 1]! - strings.start[id]!);
  return (index[id] = used.push(id) - 1);
}

/** Declares the words of a type from `start` up to `end`: numbers and strings. */
function declareWords(
  declarations: Declarations,
  into: Words,
  words: ArrayLike<number>,
  start: number,
  end: number,
): void {
  for (let at = start; at < end; at++) {
    const word = words[at]!;
    if (word === WIDE) {
      for (let i = 0; i < WIDE_WORDS; i++) putWord(into, words[at + i]!);
      at += WIDE_WORDS - 1;
    } else if (word >= 0) putWord(into, word);
    else {
      const large = largeNumber(declarations.strings, -word - 1);
      if (large === undefined) putWord(into, -declareText(declarations, -word - 1) - 1);
      else for (const part of wideWords(BigInt(large))) putWord(into, part);
    }
  }
}

export const declareModules = (declarations: Declarations, { modules }: Columns): void =>
  declareWords(declarations, declarations.rows.moduleWords, modules, 0, modules.length);

/** The number of a type in the file; the first use assigns it. */
export function declareType(declarations: Declarations, { words, start }: TypeTable, typeId: TypeId): number {
  const { rows, types } = declarations;
  if (types[typeId]! > 0) return types[typeId]! - 1;
  declareWords(declarations, rows.typeWords, words, start[typeId]!, start[typeId + 1]!);
  putWord(rows.typeEnds, rows.typeWords.length);
  types[typeId] = rows.typeEnds.length;
  return rows.typeEnds.length - 1;
}

export const finishDeclarations = (
  { rows, strings, used }: Declarations,
  header: { readonly target: number; readonly version: number; readonly modules: number },
): Uint8Array =>
  finishRows(rows, header, (into) => {
    let at = 0;
    for (let i = 0; i < used.length; i++) {
      const end = strings.start[used[i]! + 1]!;
      // A loop, because the bytes are few.
      for (let from = strings.start[used[i]!]!; from < end; from++) into[at++] = strings.bytes[from]!;
    }
  });
