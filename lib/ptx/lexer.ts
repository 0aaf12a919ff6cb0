// PTX text to tokens, in one pass over the bytes. PTX ISA 9.0 sections 4.1 to 4.5; in unclear cases as in ptxas 13.0: a name
// continues with letters, digits, `_` and `$` only (`7 %3` is a register after a number); `.5` is a number but `.1d` a modifier;
// a string has no escapes and may contain line ends; `# 12 "a.cu"` is a line marker anywhere before a line end; a byte above
// ASCII is an error even in a comment.
//
// The output is typed arrays. An opcode with its modifiers is one token and one interned name ("ld.global.u32"), so that an
// instruction has few tokens and no string. A skipped body is one token: a module's declarations are lexed at once and its bodies
// one by one into the same arrays, which stay in the processor's caches. Rejected: one regular expression (slower than this with
// interning on top), strings per token (seven times slower), a token on demand (the parser's look-ahead then needs a ring).

import {
  SINGLE,
  classes,
  DIGIT,
  DOT,
  double,
  follows,
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
import { lexSlowPath } from "./lex-slow-path.js";
import { bodyEnd, createSkipper, type Skipper } from "./skip.js";
import * as kind from "./token.js";
import type { TokenTable } from "./token.js";

/** The lexer of a module's text. */
export interface Lexer {
  readonly bytes: Uint8Array;
  /** Names of all text read so far, perhaps including earlier modules. */
  readonly names: Names;
  /** The tokens of the last call to `readTokens`. */
  readonly tokens: TokenTable;
  readonly faults: LexicalFault[];
}

/** Whether bodies of functions and data of sections are read or skipped. */
export type Bodies = "read" | "skip";

const BLANK = 0x20;
const PERCENT_BYTE = 0x25;
const DOT_BYTE = 0x2e;
const ZERO_BYTE = 0x30;
const COLON_BYTE = 0x3a;
const AT_BYTE = 0x40;
const UNDERSCORE_BYTE = 0x5f;

/** A lexer at the start, with room for some tokens; reuses the memory of `spare`, which must no longer be in use. */
export function createLexer(bytes: Uint8Array, capacity = FEW, spare?: Lexer): Lexer {
  const names = createNames(bytes, spare?.names);
  const kept = spare !== undefined && spare.tokens.kinds.length <= MAX_KEPT ? spare.tokens : undefined;
  return { bytes: names.bytes, names, tokens: kept ?? createTokens(capacity), faults: [] };
}

/** Initial number of tokens: a declaration or two. */
const FEW = 1024;

/** Token arrays larger than this are not kept for reuse. */
const MAX_KEPT = 1 << 16;

/** Frees large token arrays, which must no longer be in use. */
export function forgetTokens({ tokens }: Lexer): void {
  if (tokens.kinds.length > MAX_KEPT) Object.assign(tokens, createTokens(FEW));
}

const createTokens = (capacity: number): TokenTable => ({
  count: 0,
  kinds: new Uint8Array(capacity),
  starts: new Int32Array(capacity),
  ends: new Int32Array(capacity),
  names: new Int32Array(capacity),
});

/** Splits a module's bytes into tokens. Any bytes give tokens, in linear time. */
export function tokenize(bytes: Uint8Array): Lexer {
  const lexer = createLexer(bytes, (bytes.length >> 2) + 64);
  readTokens(lexer, beginsWithMark(bytes) ? 3 : 0, bytes.length, "read");
  const fault = foreignFault(bytes);
  if (fault !== undefined) lexer.faults.push(fault);
  return lexer;
}

/**
 * Reads the bytes [from, length) and replaces the previous tokens. The range is the whole text or a body, from brace to brace: no
 * token, comment or string crosses its bounds.
 */
export function readTokens(lexer: Lexer, from: number, length: number, bodies: Bodies): void {
  const { tokens } = lexer;
  const skipper = skipperFor(bodies, lexer.names.bytes);
  tokens.count = 0;
  let at = readOrdinary(lexer, from, length);
  while (at < length) {
    if (isFull(tokens)) widen(tokens);
    else at = readOther(lexer, skipper, at, length);
    at = readOrdinary(lexer, at, length);
  }
  const { count } = tokens;
  tokens.kinds[count] = kind.END;
  tokens.starts[count] = length;
  tokens.ends[count] = length;
}

/**
 * Reads names, directives, plain decimals and single punctuation, which is nearly all of a text. Returns the offset of anything
 * else, or where the token table is full. Separate from the rest, so that it is small: the engine compiles a function as a whole.
 */
function readOrdinary({ bytes, names, tokens }: Lexer, from: number, length: number): number {
  // Local constants, so that the engine need not check for every byte that the tables are the same.
  const classOf = classes;
  const follow = follows;
  const { kinds, starts, ends, names: ids } = tokens;
  const last = kinds.length - 1;
  let { count } = tokens;
  let at = from;
  while (at < length && count < last) {
    const start = at;
    const byte = bytes[at]!;
    const first = classOf[byte]!;
    let token: number = kind.INTEGER;
    let id = 0;
    at++;
    if (first === SPACE) {
      while (at < length && bytes[at] === BLANK) at++;
      continue;
    }
    if (first === SINGLE) token = single[byte]!;
    else if (first === DIGIT) {
      while (at < length && classOf[bytes[at]!] === DIGIT) at++;
      const isOctal = byte === ZERO_BYTE && at !== start + 1;
      if (isOctal || (at < length && (follow[bytes[at]!] !== 0 || bytes[at] === DOT_BYTE))) {
        at = start;
        break;
      }
    } else {
      if (!beginsName(bytes, at, length, first)) {
        at = start;
        break;
      }
      token = first === DOT ? kind.DIRECTIVE : kind.WORD;
      for (;;) {
        // Inlined from nameEnd, because names are most of a text and the call costs noticeable time. Unrolled four times, as
        // there.
        while (at < length && follow[bytes[at]!] === 1) {
          if (++at === length || follow[bytes[at]!] === 0) break;
          if (++at === length || follow[bytes[at]!] === 0) break;
          if (++at === length || follow[bytes[at]!] === 0) break;
          at++;
        }
        if (at + 1 >= length) break;
        if (bytes[at] === DOT_BYTE && first !== DOT && follow[bytes[at + 1]!] === 1) token = kind.DOTTED;
        else if (token === kind.WORD || bytes[at] !== COLON_BYTE || !isDoubleColon(bytes, at)) break;
        at += 2;
      }
      id = internName(names, start, at);
    }
    kinds[count] = token;
    starts[count] = start;
    ends[count] = at;
    ids[count] = id;
    count++;
    // Skips the blank that follows most names, which saves an iteration.
    if (at < length && bytes[at] === BLANK) at++;
  }
  tokens.count = count;
  return at;
}

/** Whether a byte of class `first` begins a name or a directive; `at` is the offset after it. */
function beginsName(bytes: Uint8Array, at: number, length: number, first: number): boolean {
  if (first === LETTER) return true;
  if (at === length) return false;
  if (first === PREFIX) return follows[bytes[at]!] === 1;
  return first === DOT && classes[bytes[at]!] === LETTER;
}

/** Reads one uncommon token or a comment. Returns its end. The token table has room for it. */
function readOther(lexer: Lexer, skipper: Skipper | undefined, start: number, length: number): number {
  const { bytes, tokens, faults } = lexer;
  const byte = bytes[start]!;
  const first = classes[byte]!;
  switch (first) {
    case PREFIX:
      if (byte === PERCENT_BYTE) return addToken(tokens, kind.PERCENT, start, start + 1);
      return addToken(tokens, byte === UNDERSCORE_BYTE ? kind.SINK : kind.INVALID_BYTES, start, start + 1);
    case DOT:
      return readDot(lexer, start, length);
    case DIGIT:
      return readNumber(lexer, start, length);
    case PUNCTUATION:
      return readPunctuation(lexer, skipper, start, length);
    default: {
      const end = lexSlowPath(bytes, start, length, first, faults);
      if (end < 0) return -end;
      const token = first === SLASH ? kind.DIVIDE : first === QUOTE ? kind.STRING : kind.INVALID_BYTES;
      return addToken(tokens, token, start, end);
    }
  }
}

function addToken(tokens: TokenTable, token: number, start: number, end: number, id = 0): number {
  const index = tokens.count++;
  tokens.kinds[index] = token;
  tokens.starts[index] = start;
  tokens.ends[index] = end;
  tokens.names[index] = id;
  return end;
}

/** Reads a float that begins with its point, or a directive with `::` in it. */
function readDot({ bytes, names, tokens }: Lexer, start: number, length: number): number {
  let at = start + 1;
  if (at < length && classes[bytes[at]!] === DIGIT) {
    const end = numberEnd(bytes, start);
    if (end === length || follows[bytes[end]!] === 0) return addToken(tokens, kind.FLOAT, start, end);
  }
  for (;;) {
    at = nameEnd(bytes, at, length);
    if (at === start + 1 || bytes[at] !== COLON_BYTE || !isDoubleColon(bytes, at)) break;
    at += 2;
  }
  return at === start + 1
    ? addToken(tokens, kind.INVALID_BYTES, start, at)
    : addToken(tokens, kind.DIRECTIVE, start, at, internName(names, start, at));
}

function readNumber({ bytes, tokens }: Lexer, start: number, length: number): number {
  const end = numberEnd(bytes, start);
  return end < length && follows[bytes[end]!] === 1
    ? addToken(tokens, kind.BAD_NUMBER, start, nameEnd(bytes, end, length))
    : addToken(tokens, numberKind(bytes, start, end), start, end);
}

/** Reads punctuation that may have two characters, a body to be skipped, or `@@DWARF`. */
function readPunctuation(
  { bytes, tokens }: Lexer,
  skipper: Skipper | undefined,
  start: number,
  length: number,
): number {
  const byte = bytes[start]!;
  const at = start + 1;
  const pairs = double[byte];
  if (pairs !== undefined && at < length && pairs[bytes[at]!] !== 0)
    return addToken(tokens, pairs[bytes[at]!]!, start, at + 1);
  const token = single[byte]!;
  if (token === kind.BRACE_OPEN) {
    const end = skippedEnd(skipper, tokens.kinds[tokens.count - 1], start);
    if (end >= 0) return addToken(tokens, kind.BODY, start, end);
  } else if (byte === AT_BYTE && at < length && bytes[at] === AT_BYTE && isDwarfLine(bytes, start))
    return addToken(tokens, kind.DWARF_LINE, start, start + 7);
  return addToken(tokens, token, start, at);
}

/** Whether only the END token still fits. */
const isFull = ({ count, kinds }: TokenTable): boolean => count === kinds.length - 1;

/** Doubles the size of the token table. */
function widen(tokens: TokenTable): void {
  const { kinds, starts, ends, names } = tokens;
  const wider = createTokens(2 * kinds.length);
  wider.kinds.set(kinds);
  wider.starts.set(starts);
  wider.ends.set(ends);
  wider.names.set(names);
  Object.assign(tokens, { ...wider, count: tokens.count });
}

/**
 * Creates a skipper if bodies are skipped. A separate function: in the loop above, the engine would optimise for the variant of
 * the first texts, and discard all of that code when another text uses the other.
 */
function skipperFor(bodies: Bodies, bytes: TextBytes): Skipper | undefined {
  return bodies === "skip" ? createSkipper(bytes) : undefined;
}

/** End of the skipped body that a brace at `start` opens; -1 if there is none. */
function skippedEnd(skipper: Skipper | undefined, last: number | undefined, start: number): number {
  return skipper === undefined || !endsHead(last) ? -1 : bodyEnd(skipper, start);
}

/**
 * Whether a brace after this token opens a function's body or a section's data in valid text: it follows parameters, a name, or a
 * directive, while initial values follow `=`, `{` or `,`. The parser rejects a body in a wrong place.
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

/** Whether the text begins with a byte order mark. It is invalid as any byte above ASCII, but must not become part of a word. */
function beginsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** End of the name that `at` continues. Unrolled four times: the engine's loop check then runs once for four bytes. */
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

/** Whether the colon at `at` begins `::` before a name. */
function isDoubleColon(bytes: Uint8Array, at: number): boolean {
  return at + 2 < bytes.length && bytes[at + 1] === COLON_BYTE && follows[bytes[at + 2]!] === 1;
}

function isDwarfLine(bytes: Uint8Array, start: number): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(7, bytes.length - start)).equals(DWARF);
}

const DWARF = Buffer.from("@@DWARF");
