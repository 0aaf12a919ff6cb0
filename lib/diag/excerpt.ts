// The source line of a message with its place marked: two lines of text. A long line is cut to a window around the place with
// native searches, so that a file of one endless line costs no more than any other. Only ranges of a text are requested: a large
// text may have been freed, and need not be read again as a whole.

import { blankControls } from "./escape.js";
import type { LinePlace, TextPlace } from "./diagnostic.js";

/**
 * A text whose lines are shown: its bytes, or a reader of ranges. The reader returns fewer bytes if the text is no longer
 * available.
 */
export interface ShownText {
  /** Bytes. */
  readonly length: number;
  subarray(start: number, end: number): Uint8Array;
}

/** Bytes of a long line that are shown before the place, and from it on. */
const BEFORE = 60;
const FROM = 100;
/** A line is long if it has at least this many bytes on one side, including a trailing carriage return. */
const REACH = BEFORE + FROM + 2;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const AT = 64;

/** A line and the mark under it, both without line ends. */
export interface Excerpt {
  readonly text: string;
  readonly mark: string;
}

/** The line with the place's first byte; undefined if the place is outside the text (the file has changed). */
export function excerptOf(text: ShownText, { start, end }: TextPlace): Excerpt | undefined {
  if (start > text.length) return undefined;
  const from = Math.max(0, start - REACH);
  const bytes = text.subarray(from, Math.min(text.length, start + REACH));
  return start - from > bytes.length ? undefined : excerptIn(bytes, start - from, end - from);
}

/** The excerpt around the place. */
function excerptIn(bytes: Uint8Array, start: number, end: number): Excerpt {
  const lineStart = start === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, start - 1) + 1;
  const lineFeed = bytes.indexOf(LINE_FEED, start);
  let lineEnd = lineFeed < 0 ? bytes.length : lineFeed;
  if (lineEnd > start && bytes[lineEnd - 1] === CARRIAGE_RETURN) lineEnd--;

  const isLong = lineEnd - lineStart > BEFORE + FROM;
  const from = isLong ? Math.max(lineStart, start - BEFORE) : lineStart;
  const to = isLong ? Math.min(lineEnd, start + FROM) : lineEnd;
  const before = decode(bytes, from, start);
  const marked = decode(bytes, start, Math.max(start, Math.min(end, to)));
  const after = decode(bytes, start, to);
  const head = from > lineStart ? "..." : "";
  const tail = to < lineEnd ? "..." : "";
  // Tabs stay tabs in both lines, because their width depends on the terminal.
  const indent = (head + before).replace(/[^\t]/g, " ");
  return { text: head + before + after + tail, mark: `${indent}^${"~".repeat(Math.max(0, marked.length - 1))}` };
}

/** Bytes of a text that are searched in one step. */
const CHUNK = 2 ** 20;

/** The offset of each line's start, for places that have only a line. */
export function lineStartsOf(text: ShownText): Int32Array {
  let starts = new Int32Array(1024);
  let count = 1;
  for (let from = 0; from < text.length; from += CHUNK) {
    const part = text.subarray(from, Math.min(text.length, from + CHUNK));
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) {
      if (count === starts.length) starts = larger(starts);
      starts[count++] = from + at + 1;
    }
  }
  return starts.subarray(0, count);
}

function larger(starts: Int32Array): Int32Array<ArrayBuffer> {
  const twice = new Int32Array(2 * starts.length);
  twice.set(starts);
  return twice;
}

/** Offset of a byte from `from` on; the text's end if it does not occur. */
function indexOf(text: ShownText, byte: number, from: number): number {
  for (let start = from; start < text.length; start += CHUNK) {
    const found = text.subarray(start, Math.min(text.length, start + CHUNK)).indexOf(byte);
    if (found >= 0) return start + found;
  }
  return text.length;
}

/** End offset of the name that begins at `start`. */
function endOfName(bytes: Uint8Array, start: number, limit: number): number {
  let end = start;
  while (end < limit && isNameByte(bytes[end]!)) end++;
  return end;
}

/** Letters, digits and `$ % _`, the characters of PTX names. */
const isNameByte = (byte: number): boolean => /[\w$%]/.test(String.fromCharCode(byte));

/** The first occurrence of a name as a word. */
function findName(bytes: Uint8Array, name: string): number | undefined {
  const wanted = Buffer.from(name);
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = line.indexOf(wanted); at >= 0; at = line.indexOf(wanted, at + 1)) {
    const [before, behind] = [line[at - 1], line[at + wanted.length]];
    if ([before, behind].every((byte) => byte === undefined || !isNameByte(byte))) return at;
  }
  return undefined;
}

const SEMICOLON = 59;

/** Last characters of a line after which no statement continues. */
const ENDS: ReadonlySet<number | undefined> = new Set(Buffer.from(";{}"));

/** End offset of the last statement that begins on a line: nvcc splits calls over several lines. */
function endOfStatement(text: ShownText, start: number, end: number): number {
  const line = text.subarray(start, end);
  let last = line.length - 1;
  while (last > 0 && line[last]! <= SPACE) last--;
  if (ENDS.has(line[last])) return end;
  const semicolon = indexOf(text, SEMICOLON, end);
  return semicolon === text.length ? end : semicolon;
}

/**
 * Locates a place that has only a line. If the place has a symbol, searches it on the line or a later one of the statement; with
 * a column, of the declaration whose name is there (tables take many lines). Otherwise the place is the name at the column, or
 * the line without surrounding blanks. Undefined if there is no such line, or it is empty.
 */
export function placeOfLine(
  text: ShownText,
  starts: Int32Array,
  { file, line, column, symbol }: LinePlace,
): TextPlace | undefined {
  const lineStart = starts[line - 1];
  if (lineStart === undefined) return undefined;
  const lineEnd = starts[line] ?? text.length;
  const from = Math.min(lineEnd, lineStart + (column ?? 1) - 1);
  if (symbol !== undefined) {
    const stop = column === undefined ? endOfStatement(text, from, lineEnd) : indexOf(text, SEMICOLON, from);
    const bytes = text.subarray(from, stop);
    const named = findName(bytes, symbol);
    if (named !== undefined) {
      const end = from + endOfName(bytes, named, bytes.length);
      return namedPlace(starts, { file, line }, from + named, end);
    }
  }
  const bytes = text.subarray(from, lineEnd);
  let start = 0;
  // Names of globals in NVVM IR begin with '@'.
  const sigil = bytes[0] === AT ? 1 : 0;
  let end = column === undefined ? bytes.length : endOfName(bytes, sigil, bytes.length);
  while (start < end && bytes[start]! <= SPACE) start++;
  while (end > start && bytes[end - 1]! <= SPACE) end--;
  if (start === end) return undefined;
  const [first, last] = [from + start, from + end];
  return { kind: "text", file, line, column: first - lineStart + 1, start: first, end: last };
}

/** The place of the name from `start` to `end`, on the line or on a later one. */
function namedPlace(
  starts: Int32Array,
  { file, line }: Pick<LinePlace, "file" | "line">,
  start: number,
  end: number,
): TextPlace {
  let at = line;
  while (at < starts.length && starts[at]! <= start) at++;
  return { kind: "text", file, line: at, column: start - starts[at - 1]! + 1, start, end };
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  return blankControls(new TextDecoder().decode(bytes.subarray(start, end)));
}
