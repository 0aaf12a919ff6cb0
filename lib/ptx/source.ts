// Computes lines and columns of places in PTX text. A tree has byte offsets only. Lines and columns are computed when a message
// needs them. They come from a table of line starts, which is created on first use and lives as long as the source. For ascending
// offsets, as in the checker, which asks for each instruction, lines are counted incrementally without a table.
//
// Rejected: lines in every token (4 bytes per token that error-free modules never need), and the table as a field of Source (a
// Source is plain data that any caller may write as a literal).

import type { TextPlace } from "../diag/diagnostic.js";
import { originRange } from "./origin.js";
import type { Origin, Ranged, Source } from "./source-text.js";

const lineStartsOf = new WeakMap<Source, Int32Array>();

const LINE_FEED = 10;

/** Byte offset of the first byte of every line, ascending; a line ends with its line feed. */
function lineStarts(source: Source): Int32Array {
  const known = lineStartsOf.get(source);
  if (known !== undefined) return known;
  const { bytes } = source;
  let lines = 1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  const starts = new Int32Array(lines);
  let line = 1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) starts[line++] = at + 1;
  lineStartsOf.set(source, starts);
  return starts;
}

/** The line, from 1, of the byte at `offset`; for a generated text, the line in its origin. */
export function lineOf(source: Source, offset: number): number {
  if (source.origin === undefined) return ownLineOf(source, offset);
  return placeOf(source, { start: offset, end: offset }).line;
}

function ownLineOf(source: Source, offset: number): number {
  const starts = lineStarts(source);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Computes places in one source or, for a generated text, in its origin; fast for ascending offsets, correct for all. */
export interface Places {
  /** The line, from 1, of the byte at `offset`. */
  lineOf(offset: number): number;
  placeOf(range: Ranged): TextPlace;
}

/** Whether one of the four bytes is a line feed: only then the subtraction sets a byte's highest bit. */
function hasLineFeed(word: number): boolean {
  const zeroed = word ^ 0x0a0a0a0a;
  return ((zeroed - 0x01010101) & ~zeroed & 0x80808080) !== 0;
}

/** State of the line count of a source. */
interface Counted {
  readonly source: Source;
  readonly view: DataView;
  line: number;
  lineStart: number;
  /** Offset up to which lines have been counted. */
  at: number;
}

export function createPlaces(source: Source): Places {
  const { buffer, byteOffset, length } = source.bytes;
  const counted: Counted = { source, view: new DataView(buffer, byteOffset, length), line: 1, lineStart: 0, at: 0 };
  const { origin } = source;
  const original = (range: Ranged): TextPlace =>
    originPlace(origin!, originRange(origin!, range, lineAt(counted, range.start)));
  if (origin !== undefined)
    return { lineOf: (offset) => original({ start: offset, end: offset }).line, placeOf: original };
  return {
    lineOf: (offset) => lineAt(counted, offset),
    placeOf(range) {
      if (range.start < counted.lineStart) return placeOf(source, range);
      const line = lineAt(counted, range.start);
      const column = range.start - counted.lineStart + 1;
      return { kind: "text", file: source.name, line, column, start: range.start, end: range.end };
    },
  };
}

/** A function shared by all sources: the engine would compile a closure for each. */
function lineAt(counted: Counted, offset: number): number {
  const { source, view } = counted;
  if (offset < counted.lineStart) return ownLineOf(source, offset);
  const { bytes } = source;
  const end = Math.min(offset, bytes.length);
  // A local variable, which the engine keeps in a register.
  let next = counted.at;
  // Skips four bytes at a time if none is a line feed.
  while (next + 4 <= end && !hasLineFeed(view.getInt32(next, true))) next += 4;
  for (; next < end; next++) {
    if (bytes[next] !== LINE_FEED) continue;
    counted.line++;
    counted.lineStart = next + 1;
  }
  counted.at = next;
  return counted.line;
}

/** The place of a range in its source, or in the source's origin, for a diagnostic. */
export function placeOf(source: Source, range: Ranged): TextPlace {
  const line = ownLineOf(source, range.start);
  if (source.origin !== undefined) return originPlace(source.origin, originRange(source.origin, range, line));
  const column = range.start - lineStarts(source)[line - 1]! + 1;
  return { kind: "text", file: source.name, line, column, start: range.start, end: range.end };
}

/** The place of a range of an origin. Byte offsets in a binary origin are columns of its first line. */
export function originPlace({ source, isText }: Origin, range: Ranged): TextPlace {
  if (isText) return placeOf(source, range);
  const { start } = range;
  return { kind: "text", file: source.name, line: 1, column: start + 1, start, end: start };
}
