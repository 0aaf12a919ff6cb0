// Statements of a function's body: PTX ISA 9.0 sections 4.3, 5.4, 7.1 and 11. Each wrong statement is reported and skipped;
// parsing of the block continues after it.

import {
  accept,
  type Cursor,
  endOf,
  enter,
  expect,
  expectName,
  fail,
  failExpected,
  isSyntaxFault,
  peek,
  peekDirective,
  rangeOf,
  report,
  startOf,
  tokenText,
} from "./cursor.js";
import { parseLocation } from "./debug.js";
import { parseParameters, parseVariables } from "./declaration.js";
import { parseCount } from "./expression.js";
import { parseInstruction } from "./instruction.js";
import { parseTarget } from "./header.js";
import { parseFunctionDirectives, parsePragmaStrings, parsePrototype } from "./prototype.js";
import { resumeInBody } from "./recovery.js";
import { lineOf } from "./source.js";
import * as kind from "./token.js";
import type {
  AnyInstruction,
  BlockStatement,
  FunctionDeclaration,
  Name,
  PrototypeDeclaration,
  Statement,
  TargetList,
  UnparsedInstructions,
} from "./tree.js";
import { declarationStarters, linkages, moduleStarters } from "./words.table.js";

/** Reads `{ ... }`. A body without closing brace ends before the next module item, with one message. */
export function parseBlock(cursor: Cursor): BlockStatement<AnyInstruction> {
  const opening = cursor.index;
  const start = startOf(cursor);
  cursor.index++;
  const statements = parseStatements(cursor, opening);
  return { kind: "block", start, end: endOf(cursor), statements };
}

/**
 * Reads the statements of a block including its closing brace. `opening` is the token that opened it. Without it, an error was
 * already reported, and the closing brace may be missing, too.
 */
export function parseStatements(cursor: Cursor, opening?: number): readonly Statement<AnyInstruction>[] {
  enter(cursor);
  const { depth } = cursor;
  const statements: Statement<AnyInstruction>[] = [];
  while (cursor.kinds[cursor.index] !== kind.BRACE_CLOSE) {
    if (isCutShort(cursor)) {
      if (opening !== undefined) {
        reportOpen(cursor, opening);
        cursor.unclosed++;
      }
      cursor.depth = depth - 1;
      return statements;
    }
    const first = cursor.index;
    try {
      statements.push(parseStatement(cursor));
    } catch (error) {
      if (!isSyntaxFault(error)) throw error;
      cursor.depth = depth;
      resumeInBody(cursor, first);
      if (cursor.index === first && peek(cursor) !== kind.END) cursor.index++;
    }
  }
  cursor.index++;
  cursor.depth--;
  return statements;
}

/**
 * Whether the block ends without a brace: at the end of the file, or before a word that begins a module item and no prototype.
 */
function isCutShort(cursor: Cursor): boolean {
  const token = peek(cursor);
  if (token !== kind.DIRECTIVE) return token === kind.END;
  const word = peekDirective(cursor)!;
  if (!moduleStarters.has(word)) return false;
  return !isPrototype(cursor);
}

/** Whether a device function without a body begins here: a body may contain such a prototype. */
function isPrototype(cursor: Cursor): boolean {
  let { index } = cursor;
  if (linkages.has(tokenText(cursor, index))) index++;
  if (tokenText(cursor, index) !== ".func") return false;
  for (; ; index++) {
    const token = cursor.kinds[index];
    if (token === kind.SEMICOLON) return true;
    if (token === kind.BRACE_OPEN || token === kind.BRACE_CLOSE || token === kind.END) return false;
  }
}

/** Reports only the innermost open block; those around it end with it. */
function reportOpen(cursor: Cursor, opening: number): void {
  if (cursor.closing === cursor.index) return;
  cursor.closing = cursor.index;
  const line = lineOf(cursor.source, cursor.starts[opening]!);
  const found = peek(cursor) === kind.END ? "the end of the file" : `'${peekDirective(cursor)}'`;
  report(
    cursor,
    rangeOf(cursor, cursor.index),
    `expected '}' for the '{' in line ${line}, found ${found}`,
    peek(cursor) === kind.END ? undefined : "close the block with '}'",
  );
}

function parseStatement(cursor: Cursor): Statement<AnyInstruction> {
  const unparsed = cursor.stepsOver ? stepOver(cursor) : undefined;
  if (unparsed !== undefined) return unparsed;
  switch (cursor.kinds[cursor.index]) {
    case kind.WORD:
      return cursor.kinds[cursor.index + 1] === kind.COLON ? parseLabelled(cursor) : parseInstruction(cursor);
    case kind.DOTTED:
    case kind.AT:
      return parseInstruction(cursor);
    case kind.DIRECTIVE:
      return parseDirective(cursor);
    case kind.BRACE_OPEN:
      return parseBlock(cursor);
    default:
      return failExpected(cursor, "a statement");
  }
}

/**
 * Skips the next instructions; undefined if there are none. Each ends at its semicolon; a wrong one is found when it is read. An
 * instruction with an array element is read at once, because it may expand to several instructions, which label positions must
 * count.
 */
function stepOver(cursor: Cursor): UnparsedInstructions | undefined {
  const { starts, ends, index: token } = cursor;
  let count = 0;
  for (let end = endOfInstruction(cursor, token); end >= 0; end = endOfInstruction(cursor, end)) {
    cursor.index = end;
    count++;
  }
  if (count === 0) return undefined;
  return { kind: "unparsed", start: starts[token]!, end: ends[cursor.index - 1]!, token, count };
}

/** The token after the semicolon of the instruction that begins at a token; -1 if none begins there, or it does not end. */
function endOfInstruction({ kinds }: Cursor, first: number): number {
  const token = kinds[first];
  if (token !== kind.DOTTED && token !== kind.AT && (token !== kind.WORD || kinds[first + 1] === kind.COLON)) return -1;
  for (let at = first + 1; ; at++) {
    const next = kinds[at];
    if (next === kind.SEMICOLON) return at + 1;
    if (next === kind.END || (next === kind.BRACKET_OPEN && kinds[at - 1] === kind.WORD)) return -1;
  }
}

function parseDirective(cursor: Cursor): Statement {
  const word = peekDirective(cursor)!;
  const start = startOf(cursor);
  if (word === ".loc") return parseLocation(cursor);
  if (declarationStarters.has(word)) return parseVariables(cursor, start);
  if (word === ".pragma") return { kind: "pragma", start, strings: parsePragmaStrings(cursor), end: endOf(cursor) };
  if (word === ".target") return parseTarget(cursor);
  if (word === ".func" || linkages.has(word)) return parseInnerPrototype(cursor);
  if (word === ".callprototype" || word === ".branchtargets" || word === ".calltargets") {
    fail(cursor, rangeOf(cursor, cursor.index), `expected a label before '${word}'`, `write 'name: ${word} ...'`);
  }
  return failExpected(cursor, "a statement");
}

function parseInnerPrototype(cursor: Cursor): FunctionDeclaration {
  const start = startOf(cursor);
  const linkage = linkages.get(peekDirective(cursor)!);
  if (linkage !== undefined) cursor.index++;
  if (peekDirective(cursor) !== ".func") failExpected(cursor, "'.func': other linkage belongs outside functions");
  const prototype = parsePrototype(cursor, start, linkage);
  expect(cursor, kind.SEMICOLON, "after the function's prototype");
  return { ...prototype, end: endOf(cursor) };
}

/** Reads a label, or a call prototype or list of targets that the label names. */
function parseLabelled(cursor: Cursor): Statement {
  const name = expectName(cursor, "a label");
  cursor.index++;
  switch (peekDirective(cursor)) {
    case ".callprototype":
      return parseCallPrototype(cursor, name);
    case ".branchtargets":
      return parseTargets(cursor, name, "branch-targets");
    case ".calltargets":
      return parseTargets(cursor, name, "call-targets");
    default:
      return { kind: "label", start: name.start, end: endOf(cursor), name };
  }
}

function parseCallPrototype(cursor: Cursor, name: Name): PrototypeDeclaration {
  cursor.index++;
  const returns = parseParameters(cursor);
  expect(cursor, kind.SINK, "in place of the function's name");
  const parameters = parseParameters(cursor);
  const directives = parseFunctionDirectives(cursor, "func");
  expect(cursor, kind.SEMICOLON, "after the call prototype");
  return { kind: "prototype", start: name.start, end: endOf(cursor), name, returns, parameters, directives };
}

/** Limit of labels from `L<n>`, which is expanded. */
const MAX_LISTED = 65536;

function parseTargets(cursor: Cursor, name: Name, what: TargetList["kind"]): TargetList {
  cursor.index++;
  const targets: Name[] = [];
  do {
    const target = expectName(cursor, what === "branch-targets" ? "a label" : "a function");
    if (!accept(cursor, kind.LESS)) {
      targets.push(target);
      continue;
    }
    const count = parseCount(cursor, "the number of labels");
    expect(cursor, kind.GREATER, "after the number of labels");
    if (count > MAX_LISTED - cursor.listed) {
      fail(cursor, target, `a module can list at most ${MAX_LISTED} labels by their number`);
    }
    cursor.listed += Number(count);
    for (let i = 0; i < Number(count); i++) targets.push({ ...target, text: `${target.text}${i}` });
  } while (accept(cursor, kind.COMMA));
  expect(cursor, kind.SEMICOLON, "or ',' after the target");
  return { kind: what, start: name.start, end: endOf(cursor), name, targets };
}
