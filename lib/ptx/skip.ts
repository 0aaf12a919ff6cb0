// Skips a function's body: from its opening brace to the closing one by native search, which processes a gigabyte in the time
// that the lexer needs for a tenth of it. Braces in comments and strings do not count (PTX ISA 9.0 section 4.1 to 4.4), so that
// the starts of those are searched as well; each byte is searched once in total.

import type { TextBytes } from "./names.js";

/** The next offset of each relevant byte; it is searched again only once it has been passed. */
export interface Skipper {
  /** A Buffer, whose indexOf is several times faster than a plain Uint8Array's. */
  readonly bytes: TextBytes;
  open: number;
  close: number;
  quote: number;
  slash: number;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const STAR = 0x2a;
const SLASH = 0x2f;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Creates a skipper; the offsets passed to it must only grow. */
export function createSkipper(bytes: TextBytes): Skipper {
  return { bytes, open: -1, close: -1, quote: -1, slash: -1 };
}

/** End of the body whose opening brace is at `start`, after its closing brace; -1 if the text ends before. */
export function bodyEnd(skipper: Skipper, start: number): number {
  const { bytes } = skipper;
  let depth = 1;
  let at = start + 1;
  for (;;) {
    if (skipper.close < at) skipper.close = find(bytes, CLOSE, at);
    if (skipper.open < at) skipper.open = find(bytes, OPEN, at);
    if (skipper.slash < at) skipper.slash = find(bytes, SLASH, at);
    if (skipper.quote < at) skipper.quote = find(bytes, QUOTE, at);
    const { close, open, slash, quote } = skipper;
    if (close < open && close < slash && close < quote) {
      at = close + 1;
      if (--depth === 0) return at;
    } else if (open < slash && open < quote) {
      at = open + 1;
      depth++;
    } else if (slash < quote) {
      at = pastSlash(bytes, slash);
    } else if (quote < bytes.length) {
      at = find(bytes, QUOTE, quote + 1) + 1;
    } else return -1;
  }
}

/** Offset of the next such byte; the text's length if there is none. */
function find(bytes: TextBytes, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

/** End of the comment that begins at a slash; the offset after the slash if there is no comment. */
function pastSlash(bytes: TextBytes, slash: number): number {
  if (bytes[slash + 1] === SLASH) return find(bytes, LINE_FEED, slash);
  if (bytes[slash + 1] !== STAR) return slash + 1;
  let end = slash + 3;
  do end = find(bytes, SLASH, end) + 1;
  while (end <= bytes.length && bytes[end - 2] !== STAR);
  return end;
}
