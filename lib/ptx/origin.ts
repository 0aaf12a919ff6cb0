// Maps places in a text that ptxkit generated to places in its origin (Source.origin).

import type { Copy, Origin, Ranged } from "./source-text.js";

/** The range of the origin that corresponds to a range of the generated text; `line` is that of its start, from 1. */
export function originRange(
  { source: { bytes }, isText, offsets, copies }: Origin,
  range: Ranged,
  line: number,
): Ranged {
  const copy = copyAt(copies, range.start);
  if (copy !== undefined) {
    const moved = copy.from - copy.start;
    return { start: range.start + moved, end: Math.min(range.end, copy.end) + moved };
  }
  const start = Math.min(offsets[line - 1] ?? 0, bytes.length);
  return { start, end: isText ? endOfLine(bytes, start) : start };
}

/** The copied part that contains a byte. */
function copyAt(copies: readonly Copy[], offset: number): Copy | undefined {
  let [low, high] = [0, copies.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (copies[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  const copy = copies[low - 1];
  return copy !== undefined && offset < copy.end ? copy : undefined;
}

const LINE_FEED = 10;
const SPACE = 32;

/** Offset after the last byte of the line that is no blank. */
function endOfLine(bytes: Uint8Array, start: number): number {
  const lineFeed = bytes.indexOf(LINE_FEED, start);
  let end = lineFeed < 0 ? bytes.length : lineFeed;
  while (end > start && bytes[end - 1]! <= SPACE) end--;
  return end;
}
