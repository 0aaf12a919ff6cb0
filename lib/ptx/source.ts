// Places in PTX text. A tree has byte offsets only; lines and columns are computed when a message needs them, from a table of
// line starts that is made at the first request and kept as long as the source lives. A caller that asks in ascending order, as
// the checker does for each instruction, counts lines on the way and makes no table.
//
// Rejected: lines in every token (4 bytes a token that error-free modules never need), and the table as a field of Source (a
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

/** The line, counted from 1, that holds the byte at `offset`; of a made text, the line of its origin. */
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

/** Answers about one source, or, of a made text, about its origin; cheap for offsets that grow, right for all. */
export interface Places {
  /** The line, counted from 1, that holds the byte at `offset`. */
  lineOf(offset: number): number;
  placeOf(range: Ranged): TextPlace;
}

/** Whether one of the four bytes is a line feed: without it none would borrow its highest bit. */
function hasLineFeed(word: number): boolean {
  const zeroed = word ^ 0x0a0a0a0a;
  return ((zeroed - 0x01010101) & ~zeroed & 0x80808080) !== 0;
}

/** How far a source's lines have been counted. */
interface Counted {
  readonly source: Source;
  readonly view: DataView;
  line: number;
  lineStart: number;
  /** All before it has been counted. */
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

/** No function of each source's own: the engine would compile every one of them. */
function lineAt(counted: Counted, offset: number): number {
  const { source, view } = counted;
  if (offset < counted.lineStart) return ownLineOf(source, offset);
  const { bytes } = source;
  const end = Math.min(offset, bytes.length);
  // A variable of this call's own, which the engine keeps in a register.
  let next = counted.at;
  // Four bytes a step while none of them ends a line.
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

/** The place of a range of an origin. Bytes of a binary one are columns of its first line. */
export function originPlace({ source, isText }: Origin, range: Ranged): TextPlace {
  if (isText) return placeOf(source, range);
  const { start } = range;
  return { kind: "text", file: source.name, line: 1, column: start + 1, start, end: start };
}
