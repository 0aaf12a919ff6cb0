// The source line under a message, with the place marked: two lines of text. The line is cut to a window around the place,
// found by native searches, so that a file of one endless line costs no more than any other.

import { blankControls } from "./escape.js";
import type { LinePlace, TextPlace } from "./diagnostic.js";

/** How many bytes of a long line are shown before the place, and from it on. */
const BEFORE = 60;
const FROM = 100;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

/** A line and the mark under it, both without line ends. */
export interface Excerpt {
  readonly text: string;
  readonly mark: string;
}

/** The line of `bytes` that holds the place's first byte; undefined if the place lies outside (the file has changed). */
export function excerptOf(bytes: Uint8Array, { start, end }: TextPlace): Excerpt | undefined {
  if (start > bytes.length) return undefined;
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
  // Tabs stay tabs in both lines: how wide they are is the terminal's affair.
  const indent = (head + before).replace(/[^\t]/g, " ");
  return { text: head + before + after + tail, mark: `${indent}^${"~".repeat(Math.max(0, marked.length - 1))}` };
}

/** Where each line of `bytes` begins, for places that have a line and nothing else. */
export function lineStartsOf(bytes: Uint8Array): readonly number[] {
  const starts = [0];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) starts.push(at + 1);
  return starts;
}

/** Where the name ends that begins at `start`. */
function endOfName(bytes: Uint8Array, start: number, limit: number): number {
  let end = start;
  while (end < limit && isNameByte(bytes[end]!)) end++;
  return end;
}

/** Letters, digits and `$ % _`, of which PTX makes names. */
const isNameByte = (byte: number): boolean => /[\w$%]/.test(String.fromCharCode(byte));

/** Where a name stands by itself for the first time between two places. */
function findName(bytes: Uint8Array, start: number, end: number, name: string): number | undefined {
  const wanted = Buffer.from(name);
  const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  for (let at = line.indexOf(wanted); at >= 0; at = line.indexOf(wanted, at + 1)) {
    const [before, behind] = [line[at - 1], line[at + wanted.length]];
    if ([before, behind].every((byte) => byte === undefined || !isNameByte(byte))) return start + at;
  }
  return undefined;
}

const SEMICOLON = 59;

/** What a line of code ends with where no statement goes on. */
const ENDS: ReadonlySet<number | undefined> = new Set(Buffer.from(";{}"));

/** Where the last statement ends that begins on a line: nvcc writes calls on several. */
function endOfStatement(bytes: Uint8Array, start: number, end: number): number {
  let last = end - 1;
  while (last > start && bytes[last]! <= SPACE) last--;
  const semicolon = ENDS.has(bytes[last]) ? -1 : bytes.indexOf(SEMICOLON, end);
  return semicolon < 0 ? end : semicolon;
}

/** Where a variable's declaration ends, of which `from` is the name: tables are written on many lines. */
function endOfDeclaration(bytes: Uint8Array, from: number): number {
  const semicolon = bytes.indexOf(SEMICOLON, from);
  return semicolon < 0 ? bytes.length : semicolon;
}

/**
 * The place's symbol on its line or on a later one of the statement, or of the declaration whose name is at the column; else the
 * name at the column, or what stands on the line without the blanks around it. Undefined if there is no such line, or nothing there.
 */
export function placeOfLine(
  bytes: Uint8Array,
  starts: readonly number[],
  { file, line, column, symbol }: LinePlace,
): TextPlace | undefined {
  const lineStart = starts[line - 1];
  if (lineStart === undefined) return undefined;
  let start = lineStart;
  let end = starts[line] ?? bytes.length;
  if (symbol !== undefined) {
    const from = Math.min(end, lineStart + (column ?? 1) - 1);
    const stop = column === undefined ? endOfStatement(bytes, start, end) : endOfDeclaration(bytes, from);
    const named = findName(bytes, from, stop, symbol);
    if (named !== undefined) return namedPlace(bytes, starts, { file, line }, named);
  }
  if (column !== undefined) {
    start = Math.min(end, lineStart + column - 1);
    end = endOfName(bytes, start, end);
  }
  while (start < end && bytes[start]! <= SPACE) start++;
  while (end > start && bytes[end - 1]! <= SPACE) end--;
  return start === end ? undefined : { kind: "text", file, line, column: start - lineStart + 1, start, end };
}

/** The name that begins at `start`, on the line or on a later one. */
function namedPlace(
  bytes: Uint8Array,
  starts: readonly number[],
  { file, line }: Pick<LinePlace, "file" | "line">,
  start: number,
): TextPlace {
  let at = line;
  while (at < starts.length && starts[at]! <= start) at++;
  const end = endOfName(bytes, start, bytes.length);
  return { kind: "text", file, line: at, column: start - starts[at - 1]! + 1, start, end };
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  return blankControls(new TextDecoder().decode(bytes.subarray(start, end)));
}
