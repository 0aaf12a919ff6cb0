// Syntax errors, thrown where they are found and caught where parsing resumes.

import type { CodeName } from "../../diag/codes.table.js";
import type { Details } from "../../diag/sink.js";
import { nearest } from "../../base/nearest.js";
import type { Ranged } from "../../ptx/source-text.js";
import { placeOf } from "../../ptx/source.js";
import { isFull } from "../error-limit.js";
import type { Parser } from "./state.js";
import { forms } from "./forms.table.js";
import { advance, tokenText, type Scanner } from "./scanner.js";
import { kind, kindText, type TokenKind } from "./token.js";

/** Thrown when parsing cannot continue, and caught where the next statement starts; never leaves this folder. */
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

/** Ends the statement: the current token is unexpected; `words` are the words that it may be a misspelling of. */
export function failExpected(p: Parser, what: string, words: readonly string[] = []): never {
  const s = p.scanner;
  const [meant] = s.kind === kind.WORD ? nearest(tokenText(s), words) : [];
  if (s.kind === kind.INVALID && (s.bytes[s.start] === 34 || s.bytes[s.start + 1] === 34))
    fail(p, "a string has no end", { start: s.start, end: s.start + 1 }, { remedy: "close it with '\"'" });
  const form = meant === undefined ? undefined : forms.get(meant);
  fail(p, `expected ${what}${afterText(p)} but found ${foundText(s)}`, tokenRange(s), {
    ...(meant === undefined ? {} : { meant: { name: meant } }),
    ...(form === undefined ? {} : { remedy: formText(p, form) }),
  });
}

/** ` after 'load'`: the previous token, if it belongs to the construct that is being read. */
function afterText(p: Parser): string {
  const s = p.scanner;
  const earlier: Scanner = { ...s, end: p.from };
  do advance(earlier);
  while (earlier.kind !== kind.END && earlier.end < s.before);
  return earlier.kind !== kind.END && earlier.end === s.before && earlier.start >= p.from
    ? ` after ${shownText(tokenText(earlier))}`
    : "";
}

/** The default remedy of an error: the construct's form, in the module's spelling of pointers. */
const formText = (p: Parser, form: string): string =>
  `write ${p.module.opaque ? form : form.replaceAll(/\bptr\b/g, "TYPE*")}`;

/** Reports a fault. */
export function reportFault(p: Parser, fault: SyntaxFault): void {
  if (isFull(p.sink)) return;
  const form = forms.get(p.construct);
  const isPlain = fault.code === "nvvm-syntax" && fault.details.remedy === undefined && form !== undefined;
  const details = isPlain ? { ...fault.details, remedy: formText(p, form) } : fault.details;
  p.sink.report(fault.code, fault.message, placeOf(p.source, fault.range), details);
}

/** Reports a fault after which the rest of the statement can be read. */
export function report(p: Parser, code: CodeName, message: string, range: Ranged, details: Details = {}): void {
  if (!isFull(p.sink)) p.sink.report(code, message, placeOf(p.source, range), details);
}

export const tokenRange = ({ start, end }: Scanner): Ranged => ({ start, end: Math.max(end, start) });

const MAX_SHOWN = 40;

/** The current token as shown in messages. */
function foundText(s: Scanner): string {
  if (s.kind === kind.END) return s.limit === s.bytes.length ? "the end of the file" : "the end of the function";
  return shownText(tokenText(s));
}

const shownText = (text: string): string => (text.length > MAX_SHOWN ? `'${text.slice(0, MAX_SHOWN)}…'` : `'${text}'`);

export const expectedText = (token: TokenKind): string => kindText[token] ?? "something else";
