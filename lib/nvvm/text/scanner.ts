// Tokens of IR text, one at a time: the scanner's fields hold the current token, `advance` replaces it by the next. No token
// table, because bodies are read one by one and each token is used once.

import { internName, nameText, type Names, type TextBytes } from "../../ptx/names.js";
import { kind, single, type TokenKind } from "./token.js";

export interface Scanner {
  readonly bytes: TextBytes;
  readonly names: Names;
  /** The end of reading: of the text, or of a body. */
  limit: number;
  kind: TokenKind;
  start: number;
  /** Offset after the token. */
  end: number;
  /** Offset after the previous token. */
  before: number;
  /** For names and words their id, for numbered ones (`%7`, `#0`) the number. */
  id: number;
}

const SPACE = 1;
/** Characters of keywords: letters, digits and `_`. */
const WORD_BYTE = 2;
/** Characters of names and labels: those and `-`, `$`, `.`. */
const NAME_BYTE = 4;
const DIGIT = 8;

const classes = new Uint8Array(256);
for (const byte of [0, 9, 10, 13, 32]) classes[byte] = SPACE;
for (let byte = 0; byte < 256; byte++) {
  const text = String.fromCharCode(byte);
  if (/\d/.test(text)) classes[byte] = WORD_BYTE | NAME_BYTE | DIGIT;
  else if (/[A-Za-z_]/.test(text)) classes[byte] = WORD_BYTE | NAME_BYTE;
  else if (/[-$.]/.test(text)) classes[byte] = NAME_BYTE;
}

const code = (text: string): number => text.charCodeAt(0);
const LINE_FEED = 10;
const SEMICOLON = code(";");
const SLASH = code("/");
const STAR = code("*");
const QUOTE = code('"');
const BACKSLASH = code("\\");
const COLON = code(":");
const DOT = code(".");
const MINUS = code("-");
const PLUS = code("+");
const ZERO = code("0");

/** A scanner before its first token: `advance` reads that. */
export function createScanner(names: Names, from: number, limit: number): Scanner {
  return { bytes: names.bytes, names, limit, kind: kind.END, start: from, end: from, before: from, id: 0 };
}

/** Reads the next token. */
export function advance(s: Scanner): void {
  const { bytes, limit } = s;
  let at = s.end;
  s.before = at;
  let byte = 0;
  let first = 0;
  for (;;) {
    if (at >= limit) {
      s.start = s.end = limit;
      s.kind = kind.END;
      return;
    }
    byte = bytes[at]!;
    first = classes[byte]!;
    if (first === SPACE) at++;
    else if (byte === SEMICOLON) at = skipLine(bytes, at, limit);
    else if (byte === SLASH && bytes[at + 1] === STAR) at = skipComment(bytes, at, limit);
    else break;
  }
  s.start = at;
  if ((first & DIGIT) === 0 && (first & WORD_BYTE) !== 0) readWord(s, at);
  else if (byte === 37) readName(s, kind.LOCAL, at + 1);
  else if (single[byte] !== 0) {
    s.kind = single[byte]!;
    s.end = at + 1;
  } else readOther(s, at, byte, first);
}

function skipLine(bytes: Uint8Array, from: number, limit: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end < 0 || end >= limit ? limit : end + 1;
}

function skipComment(bytes: Uint8Array, from: number, limit: number): number {
  for (let at = from + 2; at + 1 < limit; at++) if (bytes[at] === STAR && bytes[at + 1] === SLASH) return at + 2;
  return limit;
}

/** A keyword, a label, `c"…"` or a hexadecimal integer. */
function readWord(s: Scanner, start: number): void {
  const { bytes, limit } = s;
  let at = start + 1;
  while (at < limit && (classes[bytes[at]!]! & WORD_BYTE) !== 0) at++;
  const wordEnd = at;
  while (at < limit && (classes[bytes[at]!]! & NAME_BYTE) !== 0) at++;
  if (at < limit && bytes[at] === COLON) {
    s.kind = kind.LABEL;
    s.id = internName(s.names, start, at);
    s.end = at + 1;
    return;
  }
  if (wordEnd === start + 1 && bytes[start] === 99 && bytes[wordEnd] === QUOTE && wordEnd < limit) {
    readQuoted(s, wordEnd, kind.BYTES);
    return;
  }
  s.end = wordEnd;
  const isHex = (bytes[start] === 117 || bytes[start] === 115) && bytes[start + 1] === ZERO && bytes[start + 2] === 120;
  s.kind = isHex ? kind.HEX_INTEGER : kind.WORD;
  s.id = internName(s.names, start, wordEnd);
}

/** `%name`, `%"name"`, `%7` and similar with another first byte; `from` is after that. */
function readName(s: Scanner, named: TokenKind, from: number): void {
  const { bytes, limit } = s;
  if (from >= limit) return invalid(s, from);
  const first = classes[bytes[from]!]!;
  if (bytes[from] === QUOTE) {
    readQuoted(s, from, named);
    if (s.kind === named) s.id = quotedName(s, from + 1, s.end - 1);
    return;
  }
  if ((first & DIGIT) !== 0) {
    readNumber(s, from, named + 1);
    return;
  }
  if ((first & NAME_BYTE) === 0) return invalid(s, from);
  let at = from + 1;
  while (at < limit && (classes[bytes[at]!]! & NAME_BYTE) !== 0) at++;
  s.kind = named;
  s.id = internName(s.names, from, at);
  s.end = at;
}

/** The digits of `%7`. */
function readNumber(s: Scanner, from: number, numbered: TokenKind): void {
  const { bytes, limit } = s;
  let at = from;
  let value = 0;
  while (at < limit && (classes[bytes[at]!]! & DIGIT) !== 0) value = value * 10 + bytes[at++]! - ZERO;
  s.kind = value > 0x7fffffff ? kind.INVALID : numbered;
  s.id = value;
  s.end = at;
}

function invalid(s: Scanner, end: number): void {
  s.kind = kind.INVALID;
  s.end = Math.min(end, s.limit);
}

/** From a quote to the next: a quote in text can only be written as `\22`. */
function readQuoted(s: Scanner, quote: number, quoted: TokenKind): void {
  const end = s.bytes.indexOf(QUOTE, quote + 1);
  if (end < 0 || end >= s.limit) return invalid(s, s.limit);
  s.kind = quoted;
  s.end = end + 1;
}

/** The id of a quoted name. */
function quotedName({ bytes, names }: Scanner, start: number, end: number): number {
  for (let at = start; at < end; at++)
    if (bytes[at] === BACKSLASH) return internText(names, unescape(bytes.toString("latin1", start, end)));
  return internName(names, start, end);
}

/** The id of a name that differs from its spelling in the text. */
function internText(names: Names, text: string): number {
  const { bytes, view } = names;
  const own = Buffer.from(text, "latin1");
  names.bytes = own;
  names.view = new DataView(own.buffer, own.byteOffset, own.length);
  const id = internName(names, 0, own.length);
  names.bytes = bytes;
  names.view = view;
  return id;
}

/** A backslash with two hexadecimal digits, or with a backslash, is one byte. */
function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  // Strings of tables have millions of them.
  const from = Buffer.from(text, "latin1");
  const to = Buffer.alloc(from.length);
  let length = 0;
  for (let at = 0; at < from.length; at++) {
    const isEscape = from[at] === BACKSLASH;
    const digits = isEscape ? (hexDigit(from[at + 1]) << 4) | hexDigit(from[at + 2]) : -1;
    if (isEscape && from[at + 1] === BACKSLASH) at++;
    else if (digits >= 0) at += 2;
    to[length++] = digits >= 0 ? digits : from[at]!;
  }
  return to.toString("latin1", 0, length);
}

/** The value of a digit; negative for other characters. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

function readOther(s: Scanner, at: number, byte: number, first: number): void {
  const { bytes, limit } = s;
  switch (byte) {
    case code("@"):
      return readName(s, kind.GLOBAL, at + 1);
    case QUOTE:
      readQuoted(s, at, kind.STRING);
      if (s.kind === kind.STRING && s.end < limit && bytes[s.end] === COLON) {
        s.kind = kind.LABEL;
        s.id = quotedName(s, at + 1, s.end - 1);
        s.end++;
      }
      return;
    case code("!"):
      return readExclamation(s, at + 1);
    case code("#"):
      if ((classes[bytes[at + 1]!]! & DIGIT) !== 0) return readNumber(s, at + 1, kind.GROUP);
      return readName(s, kind.RECORD, at + 1);
    case code("^"):
      if (at + 1 < limit && (classes[bytes[at + 1]!]! & DIGIT) !== 0) return readNumber(s, at + 1, kind.SUMMARY);
      return invalid(s, at + 1);
    case code("$"):
      if (labelEnd(s, at) > 0) return readLabel(s, at);
      if (bytes[at + 1] !== QUOTE && (classes[bytes[at + 1]!]! & NAME_BYTE) === 0) return invalid(s, at + 1);
      readName(s, kind.COMDAT, at + 1);
      return;
    case DOT:
      if (bytes[at + 1] === DOT && bytes[at + 2] === DOT && at + 2 < limit) {
        s.kind = kind.ELLIPSIS;
        s.end = at + 3;
        return;
      }
      return labelEnd(s, at) > 0 ? readLabel(s, at) : invalid(s, at + 1);
    default:
      if ((first & DIGIT) !== 0 || byte === MINUS || byte === PLUS) return readNumeral(s, at, byte);
      // A whole character of UTF-8.
      for (at++; at < limit && (bytes[at]! & 0xc0) === 0x80;) at++;
      invalid(s, at);
  }
}

/** `!name`, with escapes for other bytes, or `!` alone. */
function readExclamation(s: Scanner, from: number): void {
  if ((classAt(s, from) & DIGIT) !== 0 || !isMetadataByte(s, from)) {
    s.kind = kind.EXCLAMATION;
    s.end = from;
    return;
  }
  let at = from + 1;
  while (isMetadataByte(s, at)) at++;
  s.kind = kind.METADATA;
  s.id = quotedName(s, from, at);
  s.end = at;
}

/** The class of a byte; 0 at the limit. */
const classAt = ({ bytes, limit }: Scanner, at: number): number => (at < limit ? classes[bytes[at]!]! : 0);

const isMetadataByte = (s: Scanner, at: number): boolean =>
  (classAt(s, at) & NAME_BYTE) !== 0 || (at < s.limit && s.bytes[at] === BACKSLASH);

/** The offset of the first byte from `at` on that is not a digit. */
function digitsEnd({ bytes, limit }: Scanner, at: number): number {
  while (at < limit && (classes[bytes[at]!]! & DIGIT) !== 0) at++;
  return at;
}

/** Offset of the colon after the bytes of a label that starts here; 0 if there is none. */
function labelEnd({ bytes, limit }: Scanner, from: number): number {
  let at = from;
  while (at < limit && (classes[bytes[at]!]! & NAME_BYTE) !== 0) at++;
  return at > from && at < limit && bytes[at] === COLON ? at : 0;
}

function readLabel(s: Scanner, at: number): void {
  const end = labelEnd(s, at);
  s.kind = kind.LABEL;
  s.id = internName(s.names, at, end);
  s.end = end + 1;
}

/** An integer, a float, or a label that looks like one. */
function readNumeral(s: Scanner, start: number, first: number): void {
  const { bytes, limit } = s;
  let at = start;
  if (first === ZERO && bytes[at + 1] === 120 && at + 1 < limit) {
    at += 2;
    while (at < limit && (classes[bytes[at]!]! & WORD_BYTE) !== 0) at++;
    s.kind = at === start + 2 ? kind.INVALID : kind.HEXADECIMAL;
    s.end = at;
    return;
  }
  if (first === MINUS || first === PLUS) at++;
  const digits = at;
  at = digitsEnd(s, at);
  const isName = at < limit && (classes[bytes[at]!]! & NAME_BYTE) !== 0 && bytes[at] !== DOT;
  if ((bytes[at] === COLON && at < limit) || isName || at === digits) {
    const end = labelEnd(s, start);
    if (end > 0 && first !== PLUS) {
      if (end !== at || first === MINUS) return readLabel(s, start);
      readNumber(s, start, kind.LABEL_NUMBER);
      s.end = end + 1;
      return;
    }
    if (at === digits) return invalid(s, start + 1);
  }
  s.kind = kind.INTEGER;
  s.end = at;
  if (at >= limit || bytes[at] !== DOT) {
    if (first === PLUS) s.kind = kind.INVALID;
    return;
  }
  at = digitsEnd(s, at + 1);
  if (at < limit && (bytes[at]! | 32) === 101) {
    const sign = bytes[at + 1] === MINUS || bytes[at + 1] === PLUS ? 1 : 0;
    const exponent = at + 1 + sign;
    const end = digitsEnd(s, exponent);
    if (end > exponent) at = end;
  }
  s.kind = kind.DECIMAL;
  s.end = at;
}

/** The value of an integer of up to nine digits without a sign; -1 for others, whose text has to be read. */
export function shortInteger({ bytes, start, end }: Scanner): number {
  if (end - start > 9) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** The text of a word, label or name. */
export const tokenName = (s: Scanner): string => nameText(s.names, s.id);

/** The token's spelling. */
export const tokenText = ({ bytes, start, end }: Scanner): string => bytes.toString("latin1", start, end);

/** The contents of a string or `c"…"`, with escapes resolved. */
export function stringText({ bytes, start, end, kind: token }: Scanner): string {
  return unescape(bytes.toString("latin1", start + (token === kind.BYTES ? 2 : 1), end - 1));
}
