// Vocabularies of packed objects (packed.ts) -> that of a link: what each text and shape of one is called in the other.

import type { Vocabulary } from "./packed.js";
import { createShapes, finishShape, putWord, WIDE, type Shapes } from "../tables/shapes.js";
import { createTexts, intern } from "../tables/texts.js";

/** Numbers in the link, by those of a vocabulary. */
export interface Translation {
  readonly text: Int32Array;
  readonly shape: Int32Array;
}

/** Adds the entries of `from` that are new to `into`; undefined if both are the same. */
export function translate(from: Vocabulary, into: Shapes): Translation | undefined {
  if (from === into) return undefined;
  const text = new Int32Array(from.texts.count);
  const shape = new Int32Array(from.count);
  const { bytes, start } = from.texts;
  for (let i = 0; i < text.length; i++) text[i] = intern(into.texts, bytes, start[i]!, start[i + 1]!);
  for (let i = 0; i < shape.length; i++) shape[i] = shapeIn(into, from, i, text);
  return { text, shape };
}

function shapeIn(into: Shapes, { words, start }: Vocabulary, id: number, text: Int32Array): number {
  const from = into.start[into.count]!;
  let at = from;
  for (let i = start[id]!; i < start[id + 1]!; i++) at = putWord(into, at, wordIn(words[i]!, text));
  return finishShape(into, from, at);
}

/** Texts are negative numbers, and so is what opens one of 64 bits. */
export const wordIn = (word: number, text: Int32Array | undefined): number =>
  word >= 0 || word === WIDE || text === undefined ? word : -text[-word - 1]! - 1;

/** Whether it can learn more. */
export const isOpen = (vocabulary: Vocabulary): vocabulary is Shapes => "slots" in vocabulary;

/** One that can, in which all has the same numbers. */
export function opened(vocabulary: Vocabulary): Shapes {
  if (isOpen(vocabulary)) return vocabulary;
  const shapes = createShapes(createTexts());
  translate(vocabulary, shapes);
  return shapes;
}

/** A vocabulary without what it takes to learn more, in memory of its own. */
export function closed({ texts, count, words, start }: Shapes): Vocabulary {
  const end = texts.start[texts.count]!;
  return {
    texts: { count: texts.count, bytes: texts.bytes.slice(0, end), start: texts.start.slice(0, texts.count + 1) },
    count,
    words: words.slice(0, start[count]!),
    start: start.slice(0, count + 1),
  };
}

/** The memory of a closed one. */
export const memoryOfVocabulary = ({ texts, words, start }: Vocabulary): readonly ArrayBufferLike[] =>
  [texts.bytes, texts.start, words, start].map(({ buffer }) => buffer);
