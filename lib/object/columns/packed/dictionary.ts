// Translates the dictionaries of packed objects (packed-object.ts) to that of a link: maps the number of each string and type.

import type { Dictionary } from "./packed-object.js";
import { createTypes, finishType, putWord, WIDE, type TypeTable } from "../types.js";
import { createStrings, intern } from "../strings.js";

/** The link's numbers, by the dictionary's numbers. */
export interface Translation {
  readonly string: Int32Array;
  readonly typeId: Int32Array;
}

/** Adds the entries of `from` that are new to `into`; undefined if both are the same. */
export function translate(from: Dictionary, into: TypeTable): Translation | undefined {
  if (from === into) return undefined;
  const text = new Int32Array(from.strings.count);
  const shape = new Int32Array(from.count);
  const { bytes, start } = from.strings;
  for (let i = 0; i < text.length; i++) text[i] = intern(into.strings, bytes, start[i]!, start[i + 1]!);
  for (let i = 0; i < shape.length; i++) shape[i] = shapeIn(into, from, i, text);
  return { string: text, typeId: shape };
}

function shapeIn(into: TypeTable, { words, start }: Dictionary, id: number, text: Int32Array): number {
  const from = into.start[into.count]!;
  let at = from;
  for (let i = start[id]!; i < start[id + 1]!; i++) at = putWord(into, at, wordIn(words[i]!, text));
  return finishType(into, from, at);
}

/** Translates a word of a type: negative words are strings, except the one that introduces a 64-bit number. */
export const wordIn = (word: number, text: Int32Array | undefined): number =>
  word >= 0 || word === WIDE || text === undefined ? word : -text[-word - 1]! - 1;

/** Whether entries can be added to a dictionary. */
export const isGrowable = (dictionary: Dictionary): dictionary is TypeTable => "slots" in dictionary;

/** A growable dictionary with the same numbers. */
export function growable(dictionary: Dictionary): TypeTable {
  if (isGrowable(dictionary)) return dictionary;
  const types = createTypes(createStrings());
  translate(dictionary, types);
  return types;
}

/** A copy of a dictionary without the data for adding entries, in memory of its own. */
export function frozen({ strings, count, words, start }: TypeTable): Dictionary {
  const end = strings.start[strings.count]!;
  return {
    strings: {
      count: strings.count,
      bytes: strings.bytes.slice(0, end),
      start: strings.start.slice(0, strings.count + 1),
    },
    count,
    words: words.slice(0, start[count]!),
    start: start.slice(0, count + 1),
  };
}

/** The memory of a frozen dictionary. */
export const memoryOfDictionary = ({ strings, words, start }: Dictionary): readonly ArrayBufferLike[] =>
  [strings.bytes, strings.start, words, start].map(({ buffer }) => buffer);
