// The lexer's slow path: comments, strings, line markers, slashes, and bytes that begin no token. A separate file, so that V8
// does not inline it into the lexer's loop.

import { classes, DIGIT, HASH, QUOTE, SLASH } from "./characters.table.js";
import type { LexicalFault } from "./foreign.js";

const LINE_FEED = 0x0a;
const QUOTE_BYTE = 0x22;
const STAR_BYTE = 0x2a;
const SLASH_BYTE = 0x2f;

/** End of a comment, string, line marker, slash, or run of bytes that begin no token; negated for comments and line markers. */
export function lexSlowPath(
  bytes: Uint8Array,
  start: number,
  length: number,
  first: number | undefined,
  faults: LexicalFault[],
): number {
  switch (first) {
    case SLASH: {
      const next = start + 1 < length ? bytes[start + 1] : 0;
      if (next === SLASH_BYTE) {
        const end = bytes.indexOf(LINE_FEED, start);
        return end < 0 ? -length : -end;
      }
      if (next !== STAR_BYTE) return start + 1;
      const end = commentEnd(bytes, start);
      if (end > 0) return -end;
      faults.push({
        start,
        end: start + 2,
        message: "this comment is never closed",
        remedy: "close it with '*/'",
        truncates: true,
      });
      return -length;
    }
    case QUOTE: {
      const end = bytes.indexOf(QUOTE_BYTE, start + 1);
      if (end >= 0) return end + 1;
      faults.push({ start, end: start + 1, message: "this string is never closed", remedy: "close it with '\"'" });
      return lineEnd(bytes, start);
    }
    case HASH: {
      const end = markerEnd(bytes, start);
      return end > start ? -end : start + 1;
    }
    default: {
      let at = start;
      while (at < length && classes[bytes[at]!] === 0) at++;
      return at;
    }
  }
}

/** End of the comment that begins at `start`, or -1 if it is never closed. */
function commentEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 2; ; at++) {
    at = bytes.indexOf(SLASH_BYTE, at);
    if (at < 0) return -1;
    if (bytes[at - 1] === STAR_BYTE && at > start + 2) return at + 1;
  }
}

function lineEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(LINE_FEED, start);
  return end < 0 ? bytes.length : end;
}

/** End of a line marker `# 12 "a.cu" 3` that begins at `start` and extends to the end of the line; `start` if there is none. */
function markerEnd(bytes: Uint8Array, start: number): number {
  const blanks = (at: number): number => {
    while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
    return at;
  };
  const digits = (at: number): number => {
    while (at < bytes.length && classes[bytes[at]!] === DIGIT) at++;
    return at;
  };
  const number = blanks(start + 1);
  const afterNumber = digits(number);
  let at = blanks(afterNumber);
  if (afterNumber === number || at === afterNumber || bytes[at] !== QUOTE_BYTE) return start;
  at++;
  while (at < bytes.length && bytes[at] !== QUOTE_BYTE && bytes[at] !== LINE_FEED) at++;
  if (bytes[at] !== QUOTE_BYTE) return start;
  at = blanks(digits(blanks(at + 1)));
  if (bytes[at] === 0x0d) at++;
  return at === bytes.length || bytes[at] === LINE_FEED ? at : start;
}
