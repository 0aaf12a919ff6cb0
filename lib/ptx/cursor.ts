// The parser's position in the token table, queries about the next tokens, and error handling. An error is reported and thrown;
// statements and module items catch it and resume at the next likely beginning (recovery.ts). Grammar functions thus follow the
// grammar, and every node in the tree is well-formed.
//
// Rejected: error nodes in the tree (every later stage would have to handle them), and a panic flag that makes every function
// return nothing (a test after each call, in the hottest code of the linker's front end).

import type { DiagnosticSink } from "../diag/sink.js";
import type { Lexer } from "./lexer.js";
import { exampleOf } from "./examples.table.js";
import { hintFor, meantDirectives } from "./hint.js";
import { nameText, type Names } from "./names.js";
import { createRecords, type InstructionRecords } from "./records.js";
import type { SectionStore } from "./scan-section.js";
import type { Ranged, Source } from "./source-text.js";
import { placeOf } from "./source.js";
import * as kind from "./token.js";
import type { Name } from "./tree.js";
import { RESERVED } from "./words.table.js";

/** The parser's state. */
export interface Cursor {
  readonly source: Source;
  /** Undefined: the first error ends parsing, and the text is parsed again with a sink. */
  readonly sink: DiagnosticSink | undefined;
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  ids: Int32Array;
  readonly names: Names;
  /** The two parts of a dotted name, by name id. Filled on demand. */
  readonly selectors: Map<number, Selected>;
  /** Whether instructions are skipped, to be read when they are checked. */
  stepsOver: boolean;
  /** The last instruction that was read. */
  readonly records: InstructionRecords;
  /** Index of the next token; never beyond the END token. */
  index: number;
  /** Number of open blocks, braces and parentheses. */
  depth: number;
  /** Token index at which an unclosed block was last reported; -1 before. */
  closing: number;
  /** Number of blocks that ended without a closing brace, because the next token begins a module item. */
  unclosed: number;
  /** The header lacked a directive, which was reported; it is not reported again if the directive comes later. */
  headless: boolean;
  /** An unclosed comment extends to the end of the file, which explains errors there. */
  readonly truncated: boolean;
  /** Number of labels from lists by number, such as `L<4>`. */
  listed: number;
  /** Number of syntax errors so far. */
  faults: number;
  /** The contents of the module's debug sections; undefined before the first. */
  sections: SectionStore | undefined;
}

/** The name and the selector of `%tid.x`. */
export interface Selected {
  readonly text: string;
  readonly selector: string;
  /** Whether the selector exists. */
  readonly isRight: boolean;
}

/** Thrown after a diagnostic was reported; caught where parsing can resume. */
class SyntaxFault extends Error {
  override readonly name = "SyntaxFault";
}

/** Thrown when parsing cannot usefully continue: too many faults, nesting too deep, or no sink. */
class ParseAbandoned extends Error {
  override readonly name = "ParseAbandoned";
}

export const isSyntaxFault = (error: unknown): boolean => error instanceof SyntaxFault;
export const isAbandoned = (error: unknown): boolean => error instanceof ParseAbandoned;

/** After this many syntax errors the rest of a file is not read: it is probably not PTX, and each error takes memory. */
const MAX_FAULTS = 1000;

/** Nesting limit of braces, parentheses and operators, so that no later stage overflows its stack. */
export const DEEPEST_NESTING = 256;

/** A cursor at the first token. */
export function createCursor(
  source: Source,
  sink: DiagnosticSink | undefined,
  { tokens, names, faults }: Lexer,
): Cursor {
  return {
    source,
    sink,
    kinds: tokens.kinds,
    starts: tokens.starts,
    ends: tokens.ends,
    ids: tokens.names,
    names,
    selectors: new Map(),
    stepsOver: false,
    records: createRecords(),
    index: 0,
    depth: 0,
    closing: -1,
    unclosed: 0,
    headless: false,
    truncated: faults.some((fault) => fault.truncates === true),
    listed: 0,
    faults: 0,
    sections: undefined,
  };
}

/** Restarts at the first of the tokens that the lexer has read since. */
export function restart(cursor: Cursor, { tokens }: Lexer): void {
  cursor.kinds = tokens.kinds;
  cursor.starts = tokens.starts;
  cursor.ends = tokens.ends;
  cursor.ids = tokens.names;
  cursor.index = 0;
  cursor.depth = 0;
}

/** The kind of the next token. */
export function peek(cursor: Cursor): number {
  return cursor.kinds[cursor.index]!;
}

/** The kind of the token after the next one. */
export function peekSecond(cursor: Cursor): number {
  return cursor.kinds[cursor.index] === kind.END ? kind.END : cursor.kinds[cursor.index + 1]!;
}

/** Start offset of the next token. */
export function startOf(cursor: Cursor): number {
  return cursor.starts[cursor.index]!;
}

/** End offset of the last token that was read. */
export function endOf(cursor: Cursor): number {
  return cursor.index === 0 ? 0 : cursor.ends[cursor.index - 1]!;
}

/** Skips the next token if it has this kind, and returns whether it did. */
export function accept(cursor: Cursor, token: number): boolean {
  if (cursor.kinds[cursor.index] !== token) return false;
  cursor.index++;
  return true;
}

/** Skips the next token, which must have this kind; `context` completes "expected ';' ...". */
export function expect(cursor: Cursor, token: number, context: string): void {
  if (cursor.kinds[cursor.index] !== token) failExpected(cursor, `${describeKind(token)} ${context}`);
  cursor.index++;
}

/** The text of the next token; for words, the interned string. */
export function tokenText(cursor: Cursor, index: number = cursor.index): string {
  const token = cursor.kinds[index]!;
  if (token >= kind.WORD && token <= kind.DIRECTIVE) return nameText(cursor.names, cursor.ids[index]!);
  return cursor.names.bytes.toString("latin1", cursor.starts[index], cursor.ends[index]);
}

/** The next token if it is a directive, with its dot; otherwise undefined. */
export function peekDirective(cursor: Cursor): string | undefined {
  return cursor.kinds[cursor.index] === kind.DIRECTIVE ? nameText(cursor.names, cursor.ids[cursor.index]!) : undefined;
}

/** Skips the next token if it is this directive, and returns whether it did. */
export function acceptDirective(cursor: Cursor, text: string): boolean {
  if (peekDirective(cursor) !== text) return false;
  cursor.index++;
  return true;
}

/** Reads a whole name in a declaration or reference. `what` completes "expected ...". */
export function expectName(cursor: Cursor, what: string): Name {
  const { index } = cursor;
  if (cursor.kinds[index] !== kind.WORD) failExpected(cursor, what);
  const text = nameText(cursor.names, cursor.ids[index]!);
  if (text === RESERVED) failExpected(cursor, what);
  cursor.index++;
  return { start: cursor.starts[index]!, end: cursor.ends[index]!, text };
}

/** Reports that `what` was expected in place of the next token, and throws. */
export function failExpected(cursor: Cursor, what: string): never {
  if (cursor.sink === undefined) throw new ParseAbandoned(what);
  const { index } = cursor;
  const text = tokenText(cursor, index);
  const isCut = cursor.kinds[index] === kind.END;
  const hint = hintFor(cursor.kinds[index]!, text, what) ?? (isCut ? undefined : exampleOf(what));
  const meant = cursor.kinds[index] === kind.DIRECTIVE ? meantDirectives(text) : [];
  return fail(cursor, rangeOf(cursor, index), `expected ${what}, found ${describeToken(cursor, index)}`, hint, meant);
}

/** Reports a syntax error and abandons the current construct. */
export function fail(
  cursor: Cursor,
  range: Ranged,
  message: string,
  remedy?: string,
  replacements?: readonly string[],
): never {
  report(cursor, range, message, remedy, replacements);
  throw new SyntaxFault(message);
}

/** The remedy for a text that ends inside a construct, unless there is a better one. */
const CUT_OFF = "the text ends here: copy or make it again, it may have been cut off";

/** Reports a syntax error without interrupting the parse. */
export function report(
  cursor: Cursor,
  range: Ranged,
  message: string,
  remedy?: string,
  replacements: readonly string[] = [],
): void {
  if (cursor.sink === undefined) throw new ParseAbandoned(message);
  if (cursor.truncated && range.start >= cursor.source.bytes.length) return;
  const said = remedy ?? (range.end >= cursor.source.bytes.length ? CUT_OFF : undefined);
  cursor.sink.report("syntax", message, placeOf(cursor.source, range), {
    ...(said === undefined ? {} : { remedy: said }),
    ...(replacements.length === 0 ? {} : { replacements }),
  });
  cursor.faults++;
  if (cursor.faults < MAX_FAULTS) return;
  cursor.sink.report("syntax", `${MAX_FAULTS} syntax errors; the rest of the file was not read`, {
    kind: "file",
    file: cursor.source.name,
  });
  throw new ParseAbandoned(message);
}

/** Enters one nesting level, which the last token opened; leave it with `cursor.depth--`. */
export function enter(cursor: Cursor): void {
  if (++cursor.depth <= DEEPEST_NESTING) return;
  const message = `nested more than ${DEEPEST_NESTING} deep; the rest of the file was not read`;
  report(cursor, rangeOf(cursor, Math.max(0, cursor.index - 1)), message);
  throw new ParseAbandoned(message);
}

/** The range of one token. */
export function rangeOf(cursor: Cursor, index: number): Ranged {
  return { start: cursor.starts[index]!, end: cursor.ends[index]! };
}

const LONGEST_SHOWN = 40;

/** A token's name in a message. */
export function describeToken(cursor: Cursor, index: number): string {
  const token = cursor.kinds[index]!;
  if (token === kind.END) return "the end of the file";
  if (token === kind.INVALID_BYTES) {
    const byte = cursor.source.bytes[cursor.starts[index]!]!;
    if (byte < 0x20 || byte === 0x7f) return `the byte 0x${byte.toString(16).padStart(2, "0").toUpperCase()}`;
  }
  const text = tokenText(cursor, index);
  const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
  if (token === kind.BAD_NUMBER) return `the malformed number '${shown}'`;
  return token === kind.STRING ? `the string ${shown}` : `'${shown}'`;
}

const spellings = new Map([...kind.punctuation].map(([spelling, token]) => [token, spelling]));

const kindNames: ReadonlyMap<number, string> = new Map([
  [kind.INTEGER, "an integer"],
  [kind.STRING, "a string"],
  [kind.WORD, "a name"],
  [kind.SINK, "'_'"],
]);

function describeKind(token: number): string {
  return kindNames.get(token) ?? `'${spellings.get(token)}'`;
}
