// Reads the words of `.ptxkit.decl` (read-declarations.ts): the section with its tables and strings, and a position in the words
// of a module or type. Every word is checked against the table that it counts or refers to, and errors contain its place.

import { malformed, type FormatCode } from "../../../formats/bytes/malformed.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import { DECLARATIONS_VERSION } from "./container.js";
import {
  DECLARATIONS_MAGIC,
  HEADER,
  HEADER_WORDS,
  placesOf,
  WIDE,
  wideAt,
  type DeclarationPlaces,
} from "./declaration-rows.js";

/** A section being read. */
export interface DeclarationReader {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  /** Offset of the section in its file, for errors. */
  readonly base: number;
  readonly places: DeclarationPlaces;
  readonly texts: readonly string[];
}

/** Opens a section. Checks that the tables have the right sizes and that nothing else is there. */
export function openDeclarations(bytes: Uint8Array, base: number): DeclarationReader {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  if (bytes.length < 8 || words[HEADER.magic] !== DECLARATIONS_MAGIC)
    malformed("malformed", base, ".ptxkit.decl holds no declarations");
  // Up to version 8, the version was one byte, followed by three zeros.
  const version = words[HEADER.version]! >>> 0;
  if (version !== DECLARATIONS_VERSION)
    malformed(
      "unsupported",
      base + 4,
      version < DECLARATIONS_VERSION
        ? `declarations of version ${version}: this reader knows version ${DECLARATIONS_VERSION}; assemble or link the file's inputs again`
        : `declarations of version ${version}: this reader knows version ${DECLARATIONS_VERSION}; use the ptxkit that wrote the file`,
    );
  if (words.length < HEADER_WORDS) malformed("truncated", base, `${bytes.length} bytes of declarations`);
  const places = placesOf(words, 0);
  if (places.end !== bytes.length)
    malformed("truncated", base, `declarations of ${places.end} bytes, in a section of ${bytes.length}`);
  const reading = { bytes: aligned, words, base, places };
  return { ...reading, texts: readTexts(reading) };
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function readTexts({ bytes, words, base, places }: Omit<DeclarationReader, "texts">): readonly string[] {
  const { textEnds, typeEnds, textBytes, shapeBytes } = places;
  const texts: string[] = [];
  let start = textBytes;
  for (let at = textEnds; at < typeEnds; at++) {
    const end = textBytes + (words[at]! >>> 0);
    if (end < start || end > shapeBytes) malformed("out-of-range", base + 4 * at, "a text ends outside of the texts");
    texts.push(utf8.decode(bytes.subarray(start, end)));
    start = end;
  }
  if (start !== shapeBytes) malformed("malformed", base + 4 * textEnds, "bytes after the last string");
  return texts;
}

/** `at`: index of the word to which the error refers. */
export function failAt({ base }: DeclarationReader, at: number, code: FormatCode, what: string): never {
  return malformed(code, base + 4 * at, what);
}

export function numberAt(state: DeclarationReader, at: number, what: string): number {
  const word = state.words[at]!;
  return word >= 0 ? word : failAt(state, at, "out-of-range", `${what} ${word >>> 0}: too large`);
}

/** An index below `limit`. */
export function indexAt(state: DeclarationReader, at: number, limit: number, what: string): number {
  const index = state.words[at]! >>> 0;
  return index < limit ? index : failAt(state, at, "out-of-range", `${what} ${index}: there are ${limit}`);
}

export function textAt(state: DeclarationReader, at: number, index: number): string {
  const { texts } = state;
  return texts[index] ?? failAt(state, at, "out-of-range", `text ${index >>> 0}: there are ${texts.length}`);
}

export function targetAt(state: DeclarationReader, at: number, name: string): Target {
  return parseTarget(name) ?? failAt(state, at, "malformed", `${JSON.stringify(name.slice(0, 40))} is not a target`);
}

/** A read position in the words of a module or type. */
export interface Cursor {
  readonly state: DeclarationReader;
  at: number;
  readonly end: number;
}

function next(cursor: Cursor, what: string): number {
  const { state, end } = cursor;
  if (cursor.at >= end) failAt(state, cursor.at, "truncated", `${what}: no words left`);
  return state.words[cursor.at++]!;
}

/** A number that a double can hold. */
export function readNumber(cursor: Cursor, what: string): number {
  const word = next(cursor, what);
  if (word >= 0) return word;
  const value = Number(readParts(cursor, word, what));
  if (!Number.isSafeInteger(value)) failAt(cursor.state, cursor.at - 1, "out-of-range", `${what} ${value}: too large`);
  return value;
}

/** The rest of a 64-bit number, whose first word has been read. */
function readParts(cursor: Cursor, word: number, what: string): bigint {
  const { state, at, end } = cursor;
  const parts = state.words.subarray(at, at + 3);
  if (word !== WIDE || at + 3 > end || parts.some((part) => part < 0 || part >= 2 ** 22))
    failAt(state, at - 1, "malformed", `${what}: no number`);
  cursor.at += 3;
  return wideAt(state.words, at - 1);
}

export const readWide = (cursor: Cursor, what: string): bigint => readParts(cursor, next(cursor, what), what);

export function readText(cursor: Cursor, what: string): string {
  const word = next(cursor, what);
  if (word >= 0 || word === WIDE) failAt(cursor.state, cursor.at - 1, "malformed", `${what}: no text`);
  return textAt(cursor.state, cursor.at - 1, -word - 1);
}

/** A count, followed by that many items of at least `least` words each. */
export function readList<T>(cursor: Cursor, what: string, least: number, item: () => T): readonly T[] {
  const count = readNumber(cursor, what);
  const left = cursor.end - cursor.at;
  if (count * least > left)
    failAt(cursor.state, cursor.at - 1, "truncated", `${what}: ${count}, with ${left} words left`);
  const items: T[] = [];
  for (let i = 0; i < count; i++) items.push(item());
  return items;
}
