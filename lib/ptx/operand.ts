// Reads operands into records: PTX ISA 9.0 chapter 6, and the forms that single instructions add: pairs `d|p`, negated registers
// of video instructions, several items in the brackets of texture and tensor instructions. As in ptxas, vectors do not nest, an
// address's base is a plain name or a constant, and an offset is added, never subtracted (`[a+-4]`).

import {
  accept,
  type Cursor,
  expect,
  expectName,
  fail,
  failExpected,
  peek,
  peekSecond,
  rangeOf,
  tokenText,
  type Selected,
} from "./cursor.js";
import { opcodeNames } from "../isa/rows/all.table.js";
import { atExpression, isShortLiteral, parseExpression } from "./expression.js";
import { nameText } from "./names.js";
import { addRecord, addValue, closeRecord, wrapRecords } from "./records.js";
import * as record from "./records.js";
import { beginsLine, failBefore } from "./recovery.js";
import * as kind from "./token.js";
import { RESERVED } from "./words.table.js";

/** Reads an instruction's first operand. Only here `_` may discard a result, and a pair `d|p` is allowed. */
export function readFirstOperand(cursor: Cursor): void {
  const { records } = cursor;
  const at = records.length;
  if (peek(cursor) === kind.SINK) readLeaf(cursor, record.SINK);
  else readOperand(cursor);
  if (cursor.kinds[cursor.index] !== kind.OR) return;
  const first = records.kinds[at];
  if (first === record.NAME || first === record.VECTOR || first === record.SINK) readSecond(cursor, at);
}

/** Reads one operand of an instruction other than call. */
export function readOperand(cursor: Cursor): void {
  switch (cursor.kinds[cursor.index]!) {
    case kind.WORD:
      if (!atReserved(cursor)) return readWord(cursor);
      break;
    case kind.DOTTED:
      return readSelected(cursor);
    case kind.BRACKET_OPEN:
      return readAddress(cursor);
    case kind.BRACE_OPEN:
      return readVector(cursor);
    case kind.NOT:
    case kind.MINUS:
      if (atRegister(cursor)) return readNegated(cursor);
  }
  readConstant(cursor, "an operand");
}

/** Adds the next token as a record of its own. */
export function readLeaf(cursor: Cursor, as: number): void {
  addRecord(cursor.records, as, cursor.index, cursor.index + 1);
  cursor.index++;
}

/** Reads a constant expression; the value of a single literal is computed later. */
export function readConstant(cursor: Cursor, what: string): void {
  const { index } = cursor;
  if (isShortLiteral(cursor, index) && endsValue(cursor.kinds[index + 1]!)) return readLeaf(cursor, record.LITERAL);
  if (!atExpression(cursor)) failExpected(cursor, what);
  const value = parseExpression(cursor);
  addValue(cursor.records, record.CONSTANT, index, cursor.index, value);
}

/** Whether a token ends any expression. */
function endsValue(token: number): boolean {
  switch (token) {
    case kind.COMMA:
    case kind.SEMICOLON:
    case kind.BRACKET_CLOSE:
    case kind.BRACE_CLOSE:
    case kind.PAREN_CLOSE:
      return true;
    default:
      return false;
  }
}

const UPPER_W = 0x57;

/** Whether the next token, a word, is the predefined constant. */
const atReserved = (cursor: Cursor): boolean => isReserved(cursor, cursor.index);

const isReserved = (cursor: Cursor, index: number): boolean =>
  cursor.names.bytes[cursor.starts[index]!] === UPPER_W && nameText(cursor.names, cursor.ids[index]!) === RESERVED;

/** Reads a name and what may follow it: a selector, an offset, an index. */
function readWord(cursor: Cursor): void {
  const { index, records } = cursor;
  cursor.index++;
  switch (cursor.kinds[cursor.index]!) {
    case kind.DIRECTIVE:
      checkSelector(cursor);
      addRecord(records, record.SELECTED, index, cursor.index);
      return;
    case kind.PLUS:
      return readOffset(cursor, index);
    case kind.BRACKET_OPEN: {
      cursor.index++;
      const at = addRecord(records, record.ELEMENT, index, index);
      readIndex(cursor);
      expect(cursor, kind.BRACKET_CLOSE, "after the index");
      closeRecord(records, at, cursor.index);
      return;
    }
    case kind.MINUS:
      failMinus(cursor);
  }
  addRecord(records, record.NAME, index, cursor.index);
}

/** Reads `+ 8` after the name in token `index`. */
function readOffset(cursor: Cursor, index: number): void {
  cursor.index++;
  if (isShortLiteral(cursor, cursor.index) && endsValue(cursor.kinds[cursor.index + 1]!)) {
    cursor.index++;
    addRecord(cursor.records, record.NAME_PLUS, index, cursor.index);
    return;
  }
  const value = parseExpression(cursor);
  addValue(cursor.records, record.SUM, index, cursor.index, value);
}

const failMinus = (cursor: Cursor): never =>
  fail(cursor, rangeOf(cursor, cursor.index), "expected '+' before an offset, found '-'", "write '+-' to subtract");

/** Components of vectors, and the bytes and halves of video instructions (sections 6.4.3 and 9.7.16). */
const selectorPattern = /^(?:[xyzwrgba]|b[0-7]{1,4}|h[0-3]{1,2})$/;

/** Skips a selector after white space: `%v .x`. */
function checkSelector(cursor: Cursor): void {
  const text = tokenText(cursor).slice(1);
  if (!selectorPattern.test(text)) failBefore(cursor, "',' or ';' after the operand", "';' after the instruction");
  cursor.index++;
}

/** Reads `%tid.x`, `%v.y` or `%r1.b3210`: one token, split once per spelling. */
function readSelected(cursor: Cursor): void {
  const { index } = cursor;
  const selected = selectedAt(cursor, index);
  if (!selected.isRight) failSelector(cursor, selected);
  readLeaf(cursor, record.DOTTED);
}

/** Splits a dotted token into name and selector. */
export function selectedAt(cursor: Cursor, index: number): Selected {
  const id = cursor.ids[index]!;
  let selected = cursor.selectors.get(id);
  if (selected === undefined) cursor.selectors.set(id, (selected = splitSelector(nameText(cursor.names, id))));
  return selected;
}

function failSelector(cursor: Cursor, { text, selector }: Selected): never {
  const { index } = cursor;
  if (beginsLine(cursor, index)) failExpected(cursor, "':' or ';' at the end of the line before");
  const before = cursor.kinds[index - 1] === kind.WORD ? tokenText(cursor, index - 1) : undefined;
  const opcodes = opcodeNames();
  if (before !== undefined && opcodes.includes(text) && !opcodes.includes(before))
    failExpected(cursor, `':' after the label '${before}'`);
  const message = `expected a selector such as '.x' or '.b0' after '${text}', found '.${selector}'`;
  const remedy = "name a component of a vector, such as %tid.x; a name itself holds no dot";
  return fail(cursor, { start: cursor.starts[index]! + text.length, end: cursor.ends[index]! }, message, remedy);
}

function splitSelector(text: string): Selected {
  const dot = text.indexOf(".");
  const selector = text.slice(dot + 1);
  return { text: text.slice(0, dot), selector, isRight: selectorPattern.test(selector) };
}

/** Whether a register and no constant follows `!` or `-`. */
function atRegister(cursor: Cursor): boolean {
  const second = peekSecond(cursor);
  return second === kind.DOTTED || (second === kind.WORD && !isReserved(cursor, cursor.index + 1));
}

function readNegated(cursor: Cursor): void {
  const { records } = cursor;
  const at = addRecord(records, peek(cursor) === kind.NOT ? record.NOT : record.NEGATE, cursor.index, cursor.index);
  cursor.index++;
  readRegister(cursor);
  closeRecord(records, at, cursor.index);
}

/** Reads a register, perhaps with a selector. */
function readRegister(cursor: Cursor): void {
  if (peek(cursor) === kind.DOTTED) return readSelected(cursor);
  const { index } = cursor;
  skipName(cursor, "a register");
  if (peek(cursor) !== kind.DIRECTIVE) {
    addRecord(cursor.records, record.NAME, index, cursor.index);
    return;
  }
  checkSelector(cursor);
  addRecord(cursor.records, record.SELECTED, index, cursor.index);
}

/** Skips a name in a reference. */
function skipName(cursor: Cursor, what: string): void {
  if (peek(cursor) !== kind.WORD || atReserved(cursor)) failExpected(cursor, what);
  cursor.index++;
}

/** Reads a single name. */
export function readPlainName(cursor: Cursor, what: string): void {
  skipName(cursor, what);
  addRecord(cursor.records, record.NAME, cursor.index - 1, cursor.index);
}

/** Reads the second half of `d|p`; the first is in the records from `at` on. */
function readSecond(cursor: Cursor, at: number): void {
  const { records } = cursor;
  cursor.index++;
  if (peek(cursor) !== kind.SINK) readPlainName(cursor, "a register or '_' after '|'");
  else if (records.kinds[at] === record.SINK) failExpected(cursor, "a register: one half of a pair is kept");
  else readLeaf(cursor, record.SINK);
  wrapRecords(records, at, record.PAIR, cursor.index);
}

function readVector(cursor: Cursor): void {
  const { records } = cursor;
  const at = addRecord(records, record.VECTOR, cursor.index, cursor.index);
  cursor.index++;
  do readElement(cursor);
  while (accept(cursor, kind.COMMA));
  expect(cursor, kind.BRACE_CLOSE, "or ',' in the vector");
  closeRecord(records, at, cursor.index);
}

function readElement(cursor: Cursor): void {
  switch (peek(cursor)) {
    case kind.SINK:
      return readLeaf(cursor, record.SINK);
    case kind.DOTTED:
      return readSelected(cursor);
    case kind.WORD:
      if (!atReserved(cursor)) return readRegister(cursor);
  }
  readConstant(cursor, "an element of a vector");
}

/** Reads `[base + offset]` or `[texture, sampler, {x, y}]`. */
function readAddress(cursor: Cursor): void {
  const { records } = cursor;
  const at = addRecord(records, record.ADDRESS, cursor.index, cursor.index);
  cursor.index++;
  readBase(cursor, "an address");
  while (accept(cursor, kind.COMMA)) {
    if (peek(cursor) === kind.BRACE_OPEN) readVector(cursor);
    else readRegister(cursor);
  }
  expect(cursor, kind.BRACKET_CLOSE, "after the address");
  if (peek(cursor) === kind.DIRECTIVE && tokenText(cursor) === ".unified") {
    records.kinds[at] = record.UNIFIED_ADDRESS;
    cursor.index++;
  }
  closeRecord(records, at, cursor.index);
}

/** Reads an index of an array, from which a constant may be subtracted. */
function readIndex(cursor: Cursor): void {
  const isSubtracted = peek(cursor) === kind.WORD && peekSecond(cursor) === kind.MINUS && !atReserved(cursor);
  if (!isSubtracted) return readBase(cursor, "an index");
  const { index } = cursor;
  expectName(cursor, "an index");
  const value = parseExpression(cursor);
  addValue(cursor.records, record.DIFFERENCE, index, cursor.index, value);
}

/** Reads the base in square brackets: a name with an offset, or a constant. */
function readBase(cursor: Cursor, what: string): void {
  if (peek(cursor) !== kind.WORD || atReserved(cursor)) return readConstant(cursor, what);
  const { index } = cursor;
  cursor.index++;
  switch (peek(cursor)) {
    case kind.PLUS: {
      const isName = peekSecond(cursor) === kind.WORD && !isReserved(cursor, cursor.index + 1);
      if (!isName) return readOffset(cursor, index);
      cursor.index++;
      const message = `the offset of an address must be a constant, not '${tokenText(cursor)}'`;
      return fail(cursor, rangeOf(cursor, cursor.index), message, "add the registers first, with add.s64");
    }
    case kind.MINUS:
      failMinus(cursor);
  }
  addRecord(cursor.records, record.NAME, index, cursor.index);
}
