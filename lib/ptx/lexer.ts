// PTX text to tokens, in one pass over the bytes. PTX ISA 9.0 sections 4.1 to 4.5; doubtful cases as ptxas 13.0 takes
// them: a name continues with letters, digits, `_` and `$` only (`7 %3` is a register after a number); `.5` is a number
// but `.1d` a modifier; a string has no escapes and may hold line ends; `# 12 "a.cu"` is a line marker wherever a line
// ends after it; a byte above ASCII is an error even in a comment.
//
// The output is typed arrays, and an opcode with its modifiers is one token and one interned name ("ld.global.u32"), so
// that an instruction costs few tokens and no string. Where bodies are skipped, each is one token, so that a module's
// declarations are lexed at once and its bodies one by one into the same arrays, which stay in the processor's caches.
// Rejected: one regular expression (slower than this with interning on top), strings per token (seven times slower), a
// token on demand (the parser's look-ahead then needs a ring).

import {
  ALONE,
  classes,
  DIGIT,
  DOT,
  double,
  follows,
  HASH,
  LETTER,
  PREFIX,
  PUNCTUATION,
  QUOTE,
  single,
  SLASH,
  SPACE,
} from "./characters.table.js";
import { foreignFault, type LexicalFault } from "./foreign.js";
import { createNames, internName, type Names, type TextBytes } from "./names.js";
import { numberEnd, numberKind } from "./number.js";
import { bodyEnd, createSkipper, type Skipper } from "./skip.js";
import * as kind from "./token.js";
import type { TokenTable } from "./token.js";

/** A module's text on its way to tokens. */
export interface Lexer {
  readonly bytes: Uint8Array;
  /** Of all that has been read, perhaps of modules before this one, too. */
  readonly names: Names;
  /** What was read last. */
  readonly tokens: TokenTable;
  readonly faults: LexicalFault[];
}

/** What becomes of functions' bodies and of sections' data. */
export type Bodies = "read" | "skip";

const LINE_FEED = 0x0a;
const QUOTE_BYTE = 0x22;
const PERCENT_BYTE = 0x25;
const STAR_BYTE = 0x2a;
const DOT_BYTE = 0x2e;
const SLASH_BYTE = 0x2f;
const ZERO_BYTE = 0x30;
const COLON_BYTE = 0x3a;
const AT_BYTE = 0x40;
const UNDERSCORE_BYTE = 0x5f;

/** A lexer that has read nothing, with room for some tokens; in the memory of one that nobody needs any more, if there is one. */
export function createLexer(bytes: Uint8Array, capacity = FEW, spare?: Lexer): Lexer {
  const names = createNames(bytes, spare?.names);
  const kept = spare !== undefined && spare.tokens.kinds.length <= MOST_KEPT ? spare.tokens : undefined;
  return { bytes: names.bytes, names, tokens: kept ?? createTokens(capacity), faults: [] };
}

/** Tokens of a declaration or two. */
const FEW = 1024;

/** Tokens; the room for more of them is given back. */
const MOST_KEPT = 1 << 16;

/** Gives back the room of very many tokens, which nobody looks at any more. */
export function forgetTokens({ tokens }: Lexer): void {
  if (tokens.kinds.length > MOST_KEPT) Object.assign(tokens, createTokens(FEW));
}

const createTokens = (capacity: number): TokenTable => ({
  count: 0,
  kinds: new Uint8Array(capacity),
  starts: new Int32Array(capacity),
  ends: new Int32Array(capacity),
  names: new Int32Array(capacity),
});

/** Splits a module's bytes into tokens. Any bytes whatever give tokens, in time linear in their number. */
export function tokenize(bytes: Uint8Array): Lexer {
  const lexer = createLexer(bytes, (bytes.length >> 2) + 64);
  readTokens(lexer, beginsWithMark(bytes) ? 3 : 0, bytes.length, "read");
  const fault = foreignFault(bytes);
  if (fault !== undefined) lexer.faults.push(fault);
  return lexer;
}

/**
 * Reads the bytes [from, to) in place of what was read before. The range is the whole text or a body, from brace to brace:
 * no token, comment or string crosses its bounds.
 */
export function readTokens(lexer: Lexer, from: number, length: number, bodies: Bodies): void {
  const { bytes, names, tokens, faults } = lexer;
  const skipper = skipperFor(bodies, names.bytes);
  // Held here, the engine need not look on every byte whether they are still the same tables.
  const classOf = classes;
  const follow = follows;
  let { kinds, starts, ends, names: ids } = tokens;
  let capacity = kinds.length;
  let count = 0;
  let at = from;

  while (at < length) {
    const start = at;
    const byte = bytes[at]!;
    let token: number = kind.INVALID_BYTES;
    let id = 0;
    const first = classOf[byte];
    switch (first) {
      case SPACE:
        do at++;
        while (at < length && classOf[bytes[at]!] === SPACE);
        continue;

      case LETTER:
      case PREFIX: {
        at++;
        if (first === PREFIX && (at === length || follow[bytes[at]!] === 0)) {
          if (byte === PERCENT_BYTE) token = kind.PERCENT;
          else if (byte === UNDERSCORE_BYTE) token = kind.SINK;
          break;
        }
        token = kind.WORD;
        for (;;) {
          // Names are most of a text, and a call of nameEnd for each part of one is felt.
          while (at < length && follow[bytes[at]!] === 1) at++;
          if (at + 1 >= length) break;
          if (bytes[at] === DOT_BYTE && follow[bytes[at + 1]!] === 1) token = kind.DOTTED;
          else if (token === kind.WORD || bytes[at] !== COLON_BYTE || !isDoubleColon(bytes, at)) break;
          at += 2;
        }
        id = internName(names, start, at);
        break;
      }

      case ALONE:
        at++;
        token = single[byte]!;
        break;

      case DOT: {
        at++;
        if (at < length && classOf[bytes[at]!] === DIGIT) {
          const end = numberEnd(bytes, start);
          if (end === length || follow[bytes[end]!] === 0) {
            at = end;
            token = kind.FLOAT;
            break;
          }
        }
        for (;;) {
          at = nameEnd(bytes, at, length);
          if (at === start + 1 || bytes[at] !== COLON_BYTE || !isDoubleColon(bytes, at)) break;
          at += 2;
        }
        if (at === start + 1) break;
        token = kind.DIRECTIVE;
        id = internName(names, start, at);
        break;
      }

      case DIGIT:
        at++;
        while (at < length && classOf[bytes[at]!] === DIGIT) at++;
        // Most are plain decimals.
        if (
          (byte !== ZERO_BYTE || at === start + 1) &&
          (at === length || (follow[bytes[at]!] === 0 && bytes[at] !== DOT_BYTE))
        ) {
          token = kind.INTEGER;
          break;
        }
        at = numberEnd(bytes, start);
        token = numberKind(bytes, start, at);
        if (at < length && follow[bytes[at]!] === 1) {
          token = kind.BAD_NUMBER;
          at = nameEnd(bytes, at, length);
        }
        break;

      case PUNCTUATION: {
        at++;
        const pairs = double[byte];
        if (pairs !== undefined && at < length && pairs[bytes[at]!] !== 0) {
          token = pairs[bytes[at]!]!;
          at++;
          break;
        }
        token = single[byte]!;
        if (token === kind.BRACE_OPEN) {
          const end = skippedEnd(skipper, kinds[count - 1], start);
          if (end < 0) break;
          at = end;
          token = kind.BODY;
          break;
        }
        if (byte === AT_BYTE && at < length && bytes[at] === AT_BYTE && isDwarfLine(bytes, start)) {
          at = start + 7;
          token = kind.DWARF_LINE;
        }
        break;
      }

      default: {
        const end = readRare(bytes, start, length, first, faults);
        at = Math.abs(end);
        if (end < 0) continue;
        if (first === SLASH) token = kind.DIVIDE;
        else if (first === QUOTE) token = kind.STRING;
      }
    }
    kinds[count] = token;
    starts[count] = start;
    ends[count] = at;
    ids[count] = id;
    count++;
    if (count === capacity) {
      capacity *= 2;
      kinds = widen(kinds, new Uint8Array(capacity));
      starts = widen(starts, new Int32Array(capacity));
      ends = widen(ends, new Int32Array(capacity));
      ids = widen(ids, new Int32Array(capacity));
    }
  }
  kinds[count] = kind.END;
  starts[count] = length;
  ends[count] = length;
  tokens.count = count;
  tokens.kinds = kinds;
  tokens.starts = starts;
  tokens.ends = ends;
  tokens.names = ids;
}

/**
 * End of a comment, string, line marker, slash, or of bytes that begin no token; negative of what is none. Apart from the rest, as
 * they are seldom, and the engine compiles all of a function at once.
 */
function readRare(
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
      faults.push({ start, end: start + 2, message: "this comment is never closed", truncates: true });
      return -length;
    }
    case QUOTE: {
      const end = bytes.indexOf(QUOTE_BYTE, start + 1);
      if (end >= 0) return end + 1;
      faults.push({ start, end: start + 1, message: "this string is never closed" });
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

/**
 * What the two ways of reading differ in is asked here: in the loop above, the engine would compile what the first texts have shown
 * of it, and throw all of that code away when a text shows the rest.
 */
function skipperFor(bodies: Bodies, bytes: TextBytes): Skipper | undefined {
  return bodies === "skip" ? createSkipper(bytes) : undefined;
}

/** End of the body that a brace opens which is to be skipped; -1 where there is none. */
function skippedEnd(skipper: Skipper | undefined, last: number | undefined, start: number): number {
  return skipper === undefined || !endsHead(last) ? -1 : bodyEnd(skipper, start);
}

/**
 * Whether a brace after this token opens a function's body or a section's data in text that is right: it follows parameters,
 * a name, or a directive, where initial values follow `=`, `{` or `,`. A body in a wrong place is the parser's to refuse.
 */
function endsHead(last: number | undefined): boolean {
  switch (last) {
    case kind.PAREN_CLOSE:
    case kind.WORD:
    case kind.INTEGER:
    case kind.SEMICOLON:
    case kind.DIRECTIVE:
      return true;
    default:
      return false;
  }
}

/** A byte order mark, which is as foreign as any other byte above ASCII, but must not become part of a word. */
function beginsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function widen<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** End of what continues a name from `at` on. Four steps a turn: the engine looks about once a turn, not once a byte. */
function nameEnd(bytes: Uint8Array, at: number, length: number): number {
  const follow = follows;
  for (const last = length - 4; at <= last; at += 4) {
    if (follow[bytes[at]!] === 0) return at;
    if (follow[bytes[at + 1]!] === 0) return at + 1;
    if (follow[bytes[at + 2]!] === 0) return at + 2;
    if (follow[bytes[at + 3]!] === 0) return at + 3;
  }
  while (at < length && follow[bytes[at]!] === 1) at++;
  return at;
}

/** `::` with a name after it, where the first colon is. */
function isDoubleColon(bytes: Uint8Array, at: number): boolean {
  return at + 2 < bytes.length && bytes[at + 1] === COLON_BYTE && follows[bytes[at + 2]!] === 1;
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

/** End of a line marker `# 12 "a.cu" 3` that begins at `start` and takes the rest of its line; `start` if it is none. */
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

function isDwarfLine(bytes: Uint8Array, start: number): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(7, bytes.length - start)).equals(DWARF);
}

const DWARF = Buffer.from("@@DWARF");
