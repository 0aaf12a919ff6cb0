// Syntax faults on their way from where they are found to where reading goes on.

import type { CodeName } from "../../diag/codes.table.js";
import type { Details } from "../../diag/sink.js";
import { nearest } from "../../base/nearest.js";
import { placeOf } from "../../ptx/source.js";
import type { Ranged } from "../../ptx/tree.js";
import type { Parser } from "./state.js";
import { tokenText, type Scanner } from "./scanner.js";
import { kind, kindText, type TokenKind } from "./token.js";

/** Thrown where the text cannot be read on, and caught where the next statement begins; never leaves this folder. */
export class SyntaxFault extends Error {
  override readonly name = "SyntaxFault";
  readonly code: CodeName;
  readonly range: Ranged;
  readonly details: Details;

  constructor(code: CodeName, message: string, range: Ranged, details: Details = {}) {
    super(message);
    this.code = code;
    this.range = range;
    this.details = details;
  }
}

/** Ends the statement with a fault at the current token, or at a range. */
export function fail(p: Parser, message: string, range: Ranged = tokenRange(p.scanner), details: Details = {}): never {
  throw new SyntaxFault("nvvm-syntax", message, range, details);
}

export function failWith(_p: Parser, code: CodeName, message: string, range: Ranged, details: Details = {}): never {
  throw new SyntaxFault(code, message, range, details);
}

/** Ends the statement: something else than the current token was expected; `words` are those it may be a misspelling of. */
export function failExpected(p: Parser, what: string, words: readonly string[] = []): never {
  const s = p.scanner;
  const [meant] = s.kind === kind.WORD ? nearest(tokenText(s), words) : [];
  if (s.kind === kind.INVALID && (s.bytes[s.start] === 34 || s.bytes[s.start + 1] === 34))
    fail(p, "a string has no end", { start: s.start, end: s.start + 1 });
  fail(
    p,
    `expected ${what} but found ${foundText(s)}`,
    tokenRange(s),
    meant === undefined ? {} : { meant: { name: meant } },
  );
}

/** Reports a fault. */
export function reportFault(p: Parser, fault: SyntaxFault): void {
  p.sink.report(fault.code, fault.message, placeOf(p.source, fault.range), fault.details);
}

/** Reports a fault that does not keep the rest of the statement from being read. */
export function report(p: Parser, code: CodeName, message: string, range: Ranged, details: Details = {}): void {
  p.sink.report(code, message, placeOf(p.source, range), details);
}

export const tokenRange = ({ start, end }: Scanner): Ranged => ({ start, end: Math.max(end, start) });

const MOST_SHOWN = 40;

/** The current token as a message shows it. */
export function foundText(s: Scanner): string {
  if (s.kind === kind.END) return s.limit === s.bytes.length ? "the end of the file" : "the end of the function";
  const text = tokenText(s);
  return text.length > MOST_SHOWN ? `'${text.slice(0, MOST_SHOWN)}…'` : `'${text}'`;
}

export const expectedText = (token: TokenKind): string => kindText[token] ?? "something else";
