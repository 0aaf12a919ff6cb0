// Operands: PTX ISA 9.0 chapter 6 and the shapes that single instructions add: pairs `d|p`, negated registers of video
// instructions, several items in the brackets of texture and tensor instructions. As in ptxas, vectors do not nest, an
// address's base is a plain name or a constant, and an offset is added, never subtracted (`[a+-4]`).

import {
  accept,
  type Cursor,
  endOf,
  expect,
  expectName,
  fail,
  failExpected,
  peek,
  peekSecond,
  rangeOf,
  RESERVED,
  startOf,
  pushPending,
  takePending,
  tokenText,
} from "./cursor.js";
import type { Selected } from "./cursor.js";
import { atExpression, parseExpression } from "./expression.js";
import { nameText } from "./names.js";
import { beginsLine, failBefore } from "./recovery.js";
import * as kind from "./token.js";
import type { NameOperand, Operand } from "./tree.js";

/** Reads an instruction's first operand: here alone a result may be discarded with `_`, or be a pair `d|p`. */
export function parseFirstOperand(cursor: Cursor): Operand {
  const first = peek(cursor) === kind.SINK ? parseSink(cursor) : parseOperand(cursor);
  if (cursor.kinds[cursor.index] !== kind.OR) return first;
  const isPlain = first.kind === "name" && first.selector === undefined && first.offset === undefined;
  return isPlain || first.kind === "vector" || first.kind === "sink" ? parsePair(cursor, first) : first;
}

/** Reads one operand of an instruction other than call. */
export function parseOperand(cursor: Cursor): Operand {
  switch (peek(cursor)) {
    case kind.WORD:
      return parseWord(cursor);
    case kind.DOTTED:
      return parseSelected(cursor);
    case kind.BRACKET_OPEN:
      return parseAddress(cursor);
    case kind.BRACE_OPEN:
      return parseVector(cursor);
    case kind.NOT:
    case kind.MINUS:
      if (atRegister(cursor)) return parseNegated(cursor);
  }
  if (!atExpression(cursor)) failExpected(cursor, "an operand");
  return parseConstant(cursor);
}

function parseConstant(cursor: Cursor): Operand {
  const start = startOf(cursor);
  const value = parseExpression(cursor);
  return { kind: "constant", start, end: endOf(cursor), value };
}

function parseSink(cursor: Cursor): Operand {
  const start = startOf(cursor);
  cursor.index++;
  return { kind: "sink", start, end: endOf(cursor) };
}

/** A name and what may follow it: a selector, an offset, an index. */
function parseWord(cursor: Cursor): Operand {
  const { index } = cursor;
  const text = nameText(cursor.names, cursor.ids[index]!);
  if (text === RESERVED) return parseConstant(cursor);
  const start = cursor.starts[index]!;
  const end = cursor.ends[index]!;
  const name = { start, end, text };
  cursor.index++;
  switch (peek(cursor)) {
    case kind.DIRECTIVE:
      return { kind: "name", start, end: cursor.ends[cursor.index]!, name, selector: selectorOf(cursor) };
    case kind.PLUS: {
      cursor.index++;
      const offset = parseExpression(cursor);
      return { kind: "name", start, end: endOf(cursor), name, offset };
    }
    case kind.BRACKET_OPEN: {
      cursor.index++;
      const element = parseIndex(cursor);
      expect(cursor, kind.BRACKET_CLOSE, "after the index");
      return { kind: "element", start, end: endOf(cursor), array: name, index: element };
    }
    case kind.MINUS:
      fail(cursor, rangeOf(cursor, cursor.index), "expected '+' before an offset, found '-'", "write '+-' to subtract");
  }
  return { kind: "name", start, end, name };
}

/** Components of vectors, and the bytes and halves of video instructions (sections 6.4.3 and 9.7.16). */
const selectorPattern = /^(?:[xyzwrgba]|b[0-7]{1,4}|h[0-3]{1,2})$/;

/** A selector that stands apart: `%v .x`. */
function selectorOf(cursor: Cursor): string {
  const text = tokenText(cursor).slice(1);
  if (!selectorPattern.test(text)) failBefore(cursor, "',' or ';' after the operand", "';' after the instruction");
  cursor.index++;
  return text;
}

/** `%tid.x`, `%v.y`, `%r1.b3210`: one token, taken apart once per spelling. */
function parseSelected(cursor: Cursor): NameOperand {
  const { index } = cursor;
  const id = cursor.ids[index]!;
  let selected = cursor.selectors.get(id);
  if (selected === undefined) cursor.selectors.set(id, (selected = takeApart(nameText(cursor.names, id))));
  const start = cursor.starts[index]!;
  const end = cursor.ends[index]!;
  if (!selected.isRight) {
    if (beginsLine(cursor, index)) failExpected(cursor, "':' or ';' at the end of the line before");
    const message = `expected a selector such as '.x' or '.b0' after '${selected.text}', found '.${selected.selector}'`;
    const remedy = "name a component of a vector, such as %tid.x; a name itself holds no dot";
    fail(cursor, { start: start + selected.text.length, end }, message, remedy);
  }
  cursor.index++;
  const name = { start, end: start + selected.text.length, text: selected.text };
  return { kind: "name", start, end, name, selector: selected.selector };
}

function takeApart(text: string): Selected {
  const dot = text.indexOf(".");
  const selector = text.slice(dot + 1);
  return { text: text.slice(0, dot), selector, isRight: selectorPattern.test(selector) };
}

/** After `!` or `-`: a register, not a constant. */
function atRegister(cursor: Cursor): boolean {
  const second = peekSecond(cursor);
  if (second === kind.DOTTED) return true;
  return second === kind.WORD && tokenText(cursor, cursor.index + 1) !== RESERVED;
}

function parseNegated(cursor: Cursor): Operand {
  const start = startOf(cursor);
  const negation = peek(cursor) === kind.NOT ? "not" : "negate";
  cursor.index++;
  const operand = parseRegister(cursor);
  return { kind: negation, start, end: operand.end, operand };
}

/** A register, perhaps with a selector. */
function parseRegister(cursor: Cursor): Operand {
  if (peek(cursor) === kind.DOTTED) return parseSelected(cursor);
  const name = expectName(cursor, "a register");
  if (peek(cursor) !== kind.DIRECTIVE) return { kind: "name", start: name.start, end: name.end, name };
  const selector = selectorOf(cursor);
  return { kind: "name", start: name.start, end: endOf(cursor), name, selector };
}

/** `d|p` once its first half is read. */
function parsePair(cursor: Cursor, first: Operand): Operand {
  cursor.index++;
  let second: Operand;
  if (peek(cursor) === kind.SINK) {
    if (first.kind === "sink") failExpected(cursor, "a register: one half of a pair is kept");
    second = parseSink(cursor);
  } else {
    const name = expectName(cursor, "a register or '_' after '|'");
    second = { kind: "name", start: name.start, end: name.end, name };
  }
  return { kind: "pair", start: first.start, end: second.end, first, second };
}

function parseVector(cursor: Cursor): Operand {
  const start = startOf(cursor);
  cursor.index++;
  const mark = cursor.pendingCount;
  do pushPending(cursor, parseElement(cursor));
  while (accept(cursor, kind.COMMA));
  expect(cursor, kind.BRACE_CLOSE, "or ',' in the vector");
  const elements = takePending(cursor, mark);
  return { kind: "vector", start, end: endOf(cursor), elements };
}

function parseElement(cursor: Cursor): Operand {
  switch (peek(cursor)) {
    case kind.SINK:
      return parseSink(cursor);
    case kind.DOTTED:
      return parseSelected(cursor);
    case kind.WORD:
      return tokenText(cursor) === RESERVED ? parseConstant(cursor) : parseRegister(cursor);
  }
  if (!atExpression(cursor)) failExpected(cursor, "an element of a vector");
  return parseConstant(cursor);
}

/** `[base + offset]`, `[texture, sampler, {x, y}]`. */
function parseAddress(cursor: Cursor): Operand {
  const start = startOf(cursor);
  cursor.index++;
  const base = parseBase(cursor, "an address");
  let rest: Operand[] | undefined;
  while (accept(cursor, kind.COMMA)) {
    const item = peek(cursor) === kind.BRACE_OPEN ? parseVector(cursor) : parseRegister(cursor);
    (rest ??= []).push(item);
  }
  expect(cursor, kind.BRACKET_CLOSE, "after the address");
  if (peek(cursor) !== kind.DIRECTIVE || tokenText(cursor) !== ".unified")
    return { kind: "address", start, end: endOf(cursor), base, rest: rest ?? none };
  cursor.index++;
  return { kind: "address", start, end: endOf(cursor), base, rest: rest ?? none, unified: true };
}

const none: readonly never[] = [];

/** An index of an array, from which a constant may be subtracted. */
function parseIndex(cursor: Cursor): Operand {
  const isSubtracted = peek(cursor) === kind.WORD && peekSecond(cursor) === kind.MINUS && atRegisterName(cursor);
  if (!isSubtracted) return parseBase(cursor, "an index");
  const name = expectName(cursor, "an index");
  const offset = parseExpression(cursor);
  return { kind: "name", start: name.start, end: endOf(cursor), name, offset, subtracted: true };
}

const atRegisterName = (cursor: Cursor): boolean => tokenText(cursor) !== RESERVED;

/** What stands first in square brackets: a name with an offset, or a constant. */
function parseBase(cursor: Cursor, what: string): Operand {
  if (peek(cursor) !== kind.WORD || tokenText(cursor) === RESERVED) {
    if (!atExpression(cursor)) failExpected(cursor, what);
    return parseConstant(cursor);
  }
  const name = expectName(cursor, what);
  if (accept(cursor, kind.PLUS)) {
    if (peek(cursor) === kind.WORD && tokenText(cursor) !== RESERVED) {
      const message = `the offset of an address is a constant; '${tokenText(cursor)}' is a name`;
      fail(cursor, rangeOf(cursor, cursor.index), message, "add the registers first, with add.s64");
    }
    const offset = parseExpression(cursor);
    return { kind: "name", start: name.start, end: endOf(cursor), name, offset };
  }
  if (peek(cursor) === kind.MINUS) {
    fail(cursor, rangeOf(cursor, cursor.index), "expected '+' before an offset, found '-'", "write '+-' to subtract");
  }
  return { kind: "name", start: name.start, end: name.end, name };
}
