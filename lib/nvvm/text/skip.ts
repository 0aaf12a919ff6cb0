// Steps over bodies, and over the rest of a faulty construct. A module's pass reads only a body's braces.

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

/** `ptr` at the place where the search begins. */
const pointerSpelling = /(?<![-\w$.%@!#"\\])ptr(?![-\w$.:"])/y;

/** Bytes that matter inside a body. */
const marks = new Uint8Array(256);
for (const byte of [LINE_FEED, QUOTE, SEMICOLON, LEFT_BRACE, RIGHT_BRACE]) marks[byte] = 1;

/**
 * Behind the brace that closes the one at `from`. A body whose braces do not match ends where a line begins with `define` or
 * `declare`, so that only its own reading finds fault with it.
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

/** Whether `define` or `declare` is there. */
export function beginsFunction(bytes: Uint8Array, at: number): boolean {
  return functionWords.some((word) => {
    const behind = bytes[at + word.length];
    return (behind === 32 || behind === 9) && word.every((byte, i) => bytes[at + i] === byte);
  });
}

const statementStart =
  /^(?:[@!$^%]|(?:define|declare|target|source_filename|module|attributes|uselistorder|uselistorder_bb)\b(?!:))/;

/** Where the next statement of the module begins, behind `from`: at the beginning of a line. */
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

/** Whether `ptr` is there as a word, and no name or part of one. */
function isPointerWord(text: Buffer, at: number): boolean {
  pointerSpelling.lastIndex = at === 0 ? 0 : 1;
  return pointerSpelling.test(text.toString("latin1", Math.max(at - 1, 0), at + 4));
}
