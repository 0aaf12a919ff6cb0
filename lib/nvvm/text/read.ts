// Basic steps of all readers.

import type { Ranged } from "../../ptx/source-text.js";
import { expectedText, fail, failExpected, failWith, tokenRange } from "./fault.js";
import { advance, shortInteger, stringText, tokenName, tokenText } from "./scanner.js";
import { MAX_DEPTH, type Parser } from "./state.js";
import { kind, type TokenKind } from "./token.js";

/** Skips a token of that kind; returns whether it was present. */
export function accept(p: Parser, token: TokenKind): boolean {
  if (p.scanner.kind !== token) return false;
  advance(p.scanner);
  return true;
}

/** Skips a token of that kind; a message mentions what has to follow it, too. */
export function expect(p: Parser, token: TokenKind, behind?: string): void {
  if (p.scanner.kind !== token)
    failExpected(p, behind === undefined ? expectedText(token) : `${expectedText(token)} and ${behind}`);
  advance(p.scanner);
}

export const isWord = (p: Parser, word: string): boolean =>
  p.scanner.kind === kind.WORD && tokenName(p.scanner) === word;

export function acceptWord(p: Parser, word: string): boolean {
  if (!isWord(p, word)) return false;
  advance(p.scanner);
  return true;
}

export function expectWord(p: Parser, word: string, behind?: string): void {
  if (!acceptWord(p, word)) failExpected(p, behind === undefined ? `'${word}'` : `'${word}' and ${behind}`, [word]);
}

/** A string's text. */
export function readString(p: Parser): string {
  if (p.scanner.kind !== kind.STRING) failExpected(p, "a string");
  const text = stringText(p.scanner);
  advance(p.scanner);
  return text;
}

/** An integer of the grammar (an alignment, a count), from 0 to `most`. */
export function readCount(p: Parser, what: string, most = Number.MAX_SAFE_INTEGER): number {
  const s = p.scanner;
  if (s.kind !== kind.INTEGER) failExpected(p, what);
  const short = shortInteger(s);
  const value = short >= 0 ? short : Number(tokenText(s));
  if (value < 0 || value > most)
    fail(p, `${what} is out of range: it is 0 to ${most}`, tokenRange(s), { remedy: "write a smaller one" });
  advance(s);
  return value;
}

/** The text up to the parenthesis that closes the current one; both are read. */
export function readRaw(p: Parser): string {
  const s = p.scanner;
  const from = s.end;
  expect(p, kind.LEFT_PAREN);
  skipNested(p, 1);
  return s.bytes.toString("latin1", from, s.before - 1).trim();
}

/** Skips to the position after the bracket that closes `depth` open ones. */
export function skipNested(p: Parser, depth: number): void {
  const s = p.scanner;
  for (let open = depth; open > 0; advance(s)) {
    if (s.kind === kind.END || s.kind === kind.INVALID) failExpected(p, "')'");
    if (s.kind === kind.LEFT_PAREN || s.kind === kind.LEFT_BRACE || s.kind === kind.LEFT_BRACKET) open++;
    else if (s.kind === kind.RIGHT_PAREN || s.kind === kind.RIGHT_BRACE || s.kind === kind.RIGHT_BRACKET) open--;
  }
}

/** From a start to the end of the last token that was read. */
export const since = (p: Parser, start: number): Ranged => ({ start, end: Math.max(start, p.scanner.before) });

/** The remedy for nesting that is too deep. */
export const flatter = { remedy: "give the inner ones names, or flatten them" };

/** Counts the nesting of constructs that may contain themselves. */
export function enter(p: Parser): void {
  if (++p.depth <= MAX_DEPTH) return;
  p.depth = 0;
  fail(p, `types, constants and metadata nest at most ${MAX_DEPTH} deep`, tokenRange(p.scanner), flatter);
}

export function leave(p: Parser): void {
  p.depth--;
}

/** Records a pointer's spelling; `ptr` and `T*` in one module exclude each other, and the first in the text is taken as right. */
export function noteSpelling(p: Parser, spelling: "typed" | "opaque"): void {
  const { spellings, opaque } = p.module;
  if (opaque !== (spelling === "opaque")) {
    const [here, there] = opaque ? ["T*", "ptr"] : ["ptr", "T*"];
    failWith(
      p,
      "nvvm-dialect",
      `the pointer is written '${here}' in a module whose pointers are '${there}'`,
      tokenRange(p.scanner),
    );
  }
  spellings[spelling] ??= tokenRange(p.scanner);
}

/** Records a spelling of NVVM IR 1.0. */
export function noteFirst(p: Parser, what: string, range: Ranged): void {
  const { spellings, opaque } = p.module;
  if (opaque)
    failWith(p, "nvvm-dialect", `${what} is a spelling of NVVM IR 1.0, and 'ptr' of LLVM 15 and later`, range);
  spellings.first ??= { ...range, what };
}
