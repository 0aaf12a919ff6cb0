// Places in PTX text. A tree carries byte offsets only; lines and columns are worked out when a message needs them, from
// a table of line starts that is made on the first question about a source and kept as long as the source lives.
//
// Rejected: lines in every token (4 bytes a token for something that error-free modules never ask), and the table as a
// field of Source (a Source is plain data that anybody may write down).

import type { TextPlace } from "../diag/diagnostic.js";
import type { Ranged, Source } from "./tree.js";

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

/** The line, counted from 1, that holds the byte at `offset`. */
export function lineOf(source: Source, offset: number): number {
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

/** Line numbers for somebody who walks through a source: the bytes between one question and the next are counted once. */
export function createLineCounter(source: Source): (offset: number) => number {
  const { bytes } = source;
  let at = 0;
  let line = 1;
  return (offset) => {
    if (offset < at) return lineOf(source, offset);
    for (; at < offset; at++) if (bytes[at] === LINE_FEED) line++;
    return line;
  };
}

/** The place of a range in its source, for a diagnostic. */
export function placeOf(source: Source, range: Ranged): TextPlace {
  const line = lineOf(source, range.start);
  const column = range.start - lineStarts(source)[line - 1]! + 1;
  return { kind: "text", file: source.name, line, column, start: range.start, end: range.end };
}
