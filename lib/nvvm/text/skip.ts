// Skips bodies, and the rest of a faulty construct. The pass over a module reads only the braces of bodies.

import type { Ranged } from "../../ptx/source-text.js";

const LINE_FEED = 10;
const QUOTE = 34;
const SEMICOLON = 59;
const LEFT_BRACE = 123;
const RIGHT_BRACE = 125;
const STAR = 42;
const SLASH = 47;
const LETTER_D = 100;
const LETTER_P = 112;
const LETTER_T = 116;

/** `ptr` at the start of the search. */
const pointerSpelling = /(?<![-\w$.%@!#"\\])ptr(?![-\w$.:"])/y;

/** Bytes that are significant inside a body. */
const marks = new Uint8Array(256);
for (const byte of [LINE_FEED, QUOTE, SEMICOLON, LEFT_BRACE, RIGHT_BRACE]) marks[byte] = 1;

/**
 * Offset after the brace that closes the one at `from`. A body with unbalanced braces ends at a line that starts with `define`
 * or `declare`, so that the fault is reported only when it is read.
 */
export function bodyEnd(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let open = 0;
  for (let at = from; at < length; at++) {
    const byte = bytes[at]!;
    if (marks[byte] === 0) continue;
    switch (byte) {
      case LEFT_BRACE:
        open++;
        break;
      case RIGHT_BRACE:
        if (--open === 0) return at + 1;
        break;
      case QUOTE: {
        const end = bytes.indexOf(QUOTE, at + 1);
        if (end < 0) return length;
        at = end;
        break;
      }
      case SEMICOLON: {
        const end = bytes.indexOf(LINE_FEED, at);
        if (end < 0) return length;
        // The line feed is examined next.
        at = end - 1;
        break;
      }
      default:
        if (bytes[at + 1] === LETTER_D && beginsFunction(bytes, at + 1)) return at + 1;
    }
  }
  return length;
}

const functionWords = ["define", "declare"].map((word) => Buffer.from(word));

/** Whether `define` or `declare` is at the offset. */
export function beginsFunction(bytes: Uint8Array, at: number): boolean {
  return functionWords.some((word) => {
    const behind = bytes[at + word.length];
    return (behind === 32 || behind === 9) && word.every((byte, i) => bytes[at + i] === byte);
  });
}

const statementStart =
  /^(?:[@!$^%]|(?:define|declare|target|source_filename|module|attributes|uselistorder|uselistorder_bb)\b(?!:))/;

/** Start of the next statement of the module after `from`: at the beginning of a line. */
export function nextStatement(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LINE_FEED, from); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, Math.min(20, bytes.length - at - 1));
    if (statementStart.test(line.toString("latin1"))) return at + 1;
  }
  return bytes.length;
}

/** The first spelling of a pointer in a text, bodies included, strings and comments excluded. */
export function findPointerSpelling(
  bytes: Uint8Array,
): (Ranged & { readonly spelling: "typed" | "opaque" }) | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < text.length;) {
    const byte = text[at]!;
    if (byte === QUOTE || byte === SEMICOLON) {
      const end = text.indexOf(byte === QUOTE ? QUOTE : LINE_FEED, at + 1);
      if (end < 0) return undefined;
      at = end + 1;
      continue;
    }
    if (byte === STAR) {
      if (text[at - 1] !== SLASH) return { spelling: "typed", start: at, end: at + 1 };
      // A comment, as the newest text has them.
      const end = text.indexOf("*/", at + 1);
      if (end < 0) return undefined;
      at = end + 2;
      continue;
    }
    if (byte === LETTER_P && text[at + 1] === LETTER_T && isPointerWord(text, at))
      return { spelling: "opaque", start: at, end: at + 3 };
    at++;
  }
  return undefined;
}

/** Whether `ptr` is a word here, not a name or part of one. */
function isPointerWord(text: Buffer, at: number): boolean {
  pointerSpelling.lastIndex = at === 0 ? 0 : 1;
  return pointerSpelling.test(text.toString("latin1", Math.max(at - 1, 0), at + 4));
}
