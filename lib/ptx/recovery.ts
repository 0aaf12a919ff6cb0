// Decides where parsing resumes after a syntax error, so that each mistake gives one message.
//
// In a body, parsing resumes after the next semicolon, before a brace, or before a line that looks like a new statement if the
// error left nothing open. A line that can only begin a module item ends the body, whatever is open. Every step moves forward
// from the error, and looking back is bounded by the statement's own length: linear time.

import { exampleOf } from "./examples.table.js";
import { type Cursor, fail, failExpected, peek } from "./cursor.js";
import { nameText } from "./names.js";
import * as kind from "./token.js";
import { bodyStarters, moduleStarters, statementStarters } from "./words.table.js";

const LINE_FEED = 10;
const PERCENT = 0x25;

/** Skips the rest of a wrong statement that began at token `first`; parsing resumes at the next token. */
export function resumeInBody(cursor: Cursor, first: number): void {
  let depth = openBetween(cursor, first, cursor.index);
  // A block after another construct is parsed as a block of its own.
  if (depth === 0 && cursor.kinds[cursor.index] === kind.BRACE_OPEN && cursor.index > first) return;
  for (; ; cursor.index++) {
    switch (cursor.kinds[cursor.index]) {
      case kind.END:
        return;
      case kind.SEMICOLON:
        cursor.index++;
        return;
      case kind.BRACE_OPEN:
      case kind.PAREN_OPEN:
      case kind.BRACKET_OPEN:
        depth++;
        break;
      case kind.BRACE_CLOSE:
        if (depth <= 0) return;
        depth--;
        break;
      case kind.PAREN_CLOSE:
      case kind.BRACKET_CLOSE:
        if (depth > 0) depth--;
        break;
      default:
        if (cursor.index > first && beginsLine(cursor, cursor.index)) {
          if (isStarter(cursor, moduleStarters)) return;
          if (depth <= 0 && beginsStatement(cursor)) return;
        }
    }
  }
}

/**
 * Whether a function's body begins at the next token although its brace is missing; `first` is the first token of the wrong item.
 * Otherwise each statement of the body would be an error of its own.
 */
export function beginsBareBody(cursor: Cursor, first: number): boolean {
  if (!beginsLine(cursor, cursor.index) || openBetween(cursor, first, cursor.index) !== 0) return false;
  const token = cursor.kinds[cursor.index];
  if (token === kind.DIRECTIVE) return isStarter(cursor, bodyStarters);
  return token === kind.WORD || token === kind.DOTTED || token === kind.AT;
}

/** Number of open brackets of any kind in the tokens from `first` up to `end`. */
function openBetween(cursor: Cursor, first: number, end: number): number {
  let depth = 0;
  for (let index = first; index < end; index++) {
    switch (cursor.kinds[index]!) {
      case kind.BRACE_OPEN:
      case kind.PAREN_OPEN:
      case kind.BRACKET_OPEN:
        depth++;
        break;
      case kind.BRACE_CLOSE:
      case kind.PAREN_CLOSE:
      case kind.BRACKET_CLOSE:
        depth--;
        break;
    }
  }
  return depth;
}

/** The kind of the wrong module item, which determines the meaning of its semicolons and braces. */
export type Head = "function" | "initializer" | "other";

/**
 * Skips the rest of a wrong module item that began at token `first`: to the end of its semicolon or braces, or to the next item.
 */
export function resumeInModule(cursor: Cursor, first: number, head: Head): void {
  let depth = 0;
  let parentheses = 0;
  for (let index = first; index < cursor.index; index++) {
    depth = afterBrace(cursor, index, depth);
    parentheses = afterParenthesis(cursor, index, parentheses);
  }
  for (; cursor.kinds[cursor.index] !== kind.END; cursor.index++) {
    if (cursor.index > first && cursor.kinds[cursor.index] === kind.DIRECTIVE && beginsLine(cursor, cursor.index)) {
      if (isStarter(cursor, moduleStarters)) return;
      // The parameters and directives of a wrong function may be on separate lines.
      if (depth === 0 && parentheses === 0 && head !== "function") return;
    }
    const token = cursor.kinds[cursor.index];
    const before = depth;
    depth = afterBrace(cursor, cursor.index, depth);
    parentheses = afterParenthesis(cursor, cursor.index, parentheses);
    if (
      token === kind.SEMICOLON
        ? depth === 0 || head === "initializer"
        : token === kind.BRACE_CLOSE && depth === 0 && before <= 1
    ) {
      cursor.index++;
      // `= { 1, 2 };` ends with its semicolon, not with the brace.
      if (token === kind.BRACE_CLOSE && cursor.kinds[cursor.index] === kind.SEMICOLON) cursor.index++;
      return;
    }
  }
}

function afterBrace(cursor: Cursor, index: number, depth: number): number {
  const token = cursor.kinds[index];
  if (token === kind.BRACE_OPEN) return depth + 1;
  return token === kind.BRACE_CLOSE && depth > 0 ? depth - 1 : depth;
}

function afterParenthesis(cursor: Cursor, index: number, depth: number): number {
  const token = cursor.kinds[index];
  if (token === kind.PAREN_OPEN) return depth + 1;
  return token === kind.PAREN_CLOSE && depth > 0 ? depth - 1 : depth;
}

/** Whether only white space precedes a token on its line. */
export function beginsLine(cursor: Cursor, index: number): boolean {
  if (index === 0) return true;
  const { bytes } = cursor.source;
  const previous = cursor.ends[index - 1]!;
  for (let at = cursor.starts[index]! - 1; at >= previous; at--) if (bytes[at] === LINE_FEED) return true;
  return false;
}

/**
 * Reports that `what` was expected before the next token, and throws. If that token begins a line, the message is `elsewhere`, at
 * the end of the preceding token.
 */
export function failBefore(cursor: Cursor, what: string, elsewhere: string = what): never {
  if (cursor.sink === undefined || !beginsLine(cursor, cursor.index)) return failExpected(cursor, what);
  const end = cursor.ends[cursor.index - 1]!;
  return fail(
    cursor,
    { start: end, end },
    `expected ${elsewhere}`,
    peek(cursor) === kind.END ? undefined : exampleOf(elsewhere),
  );
}

function isStarter(cursor: Cursor, words: ReadonlySet<string>): boolean {
  const { index } = cursor;
  return cursor.kinds[index] === kind.DIRECTIVE && words.has(nameText(cursor.names, cursor.ids[index]!));
}

/**
 * Whether the next token, at the beginning of a line, begins a statement: an opcode, a label, a guard or a directive. False for a
 * continued list of operands.
 */
function beginsStatement(cursor: Cursor): boolean {
  const { index, kinds } = cursor;
  const previous = kinds[index - 1];
  if (previous === kind.COMMA || previous === kind.OR) return false;
  switch (kinds[index]) {
    case kind.WORD:
    case kind.DOTTED:
      return cursor.source.bytes[cursor.starts[index]!] !== PERCENT;
    case kind.AT:
      return true;
    case kind.DIRECTIVE:
      return isStarter(cursor, statementStarters);
    default:
      return false;
  }
}
