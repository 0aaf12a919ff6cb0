// Reads instructions into records: PTX ISA 9.0 section 9.1 (guard, opcode, operands) and 9.7.12.5 (call). The isa table decides
// which operands an opcode takes. Here every instruction is a list of operands, except that the parentheses of a call are lists
// and not expressions.

import { accept, type Cursor, enter, expect, failExpected, peek, tokenText } from "./cursor.js";
import { atExpression, parseCount } from "./expression.js";
import { nameText } from "./names.js";
import { failBefore } from "./recovery.js";
import { makeInstruction } from "./nodes.js";
import { readConstant, readFirstOperand, readLeaf, readOperand, readPlainName } from "./operand.js";
import { addRecord, closeRecord } from "./records.js";
import * as record from "./records.js";
import * as kind from "./token.js";
import type { Instruction } from "./tree.js";
import { RESERVED } from "./words.table.js";

/** Reads an instruction as a node. */
export function parseInstruction(cursor: Cursor): Instruction {
  readInstruction(cursor);
  return makeInstruction(cursor);
}

/** Reads an instruction from its guard or opcode to its semicolon into the cursor's records. */
export function readInstruction(cursor: Cursor): void {
  const { records, kinds } = cursor;
  records.length = 0;
  records.start = cursor.index;
  records.guard = -1;
  if (kinds[cursor.index] === kind.AT) readGuard(cursor);
  readOpcode(cursor);
  if (isCall(cursor)) readCall(cursor);
  else if (kinds[cursor.index] !== kind.SEMICOLON && kinds[cursor.index] !== kind.BRACE_CLOSE) readOperands(cursor);
  if (kinds[cursor.index] !== kind.SEMICOLON) failUnended(cursor, records.length === 0);
  records.semicolon = cursor.index++;
}

/** Plain names, which most operands are, are read in this function. */
function readOperands(cursor: Cursor): void {
  const { records, kinds, starts, names } = cursor;
  const { bytes } = names;
  let at = cursor.index;
  for (;;) {
    const next = kinds[at + 1]!;
    const isPlain = kinds[at] === kind.WORD && (next === kind.COMMA || next === kind.SEMICOLON);
    if (isPlain && bytes[starts[at]!] !== UPPER_W) addRecord(records, record.NAME, at, ++at);
    else {
      cursor.index = at;
      if (records.length === 0) readFirstOperand(cursor);
      else readOperand(cursor);
      at = cursor.index;
    }
    if (kinds[at] !== kind.COMMA) break;
    at++;
  }
  cursor.index = at;
}

/** First letter of the predefined constant. */
const UPPER_W = 0x57;

/** Tokens that can begin another operand. */
const operandStarts: ReadonlySet<number> = new Set([
  kind.WORD,
  kind.DOTTED,
  kind.INTEGER,
  kind.BRACKET_OPEN,
  kind.BRACE_OPEN,
]);

/** Reports that the next token is no semicolon; on the same line a comma may be missing instead. */
function failUnended(cursor: Cursor, isBare: boolean): never {
  if (isBare) return failBefore(cursor, "';' after the opcode");
  const ends = "';' after the instruction";
  return failBefore(cursor, operandStarts.has(peek(cursor)) ? "',' or ';' after the operand" : ends, ends);
}

const LOWER_C = 0x63;

/** The first letter distinguishes most opcodes from calls without a string comparison. */
function isCall(cursor: Cursor): boolean {
  const { opcode, spelling } = cursor.records;
  if (cursor.names.bytes[cursor.starts[opcode]!] !== LOWER_C) return false;
  const text = spelling ?? nameText(cursor.names, cursor.ids[opcode]!);
  return text === "call" || text.startsWith("call.");
}

function readGuard(cursor: Cursor): void {
  const { records } = cursor;
  cursor.index++;
  records.negated = accept(cursor, kind.NOT);
  if (peek(cursor) !== kind.WORD || tokenText(cursor) === RESERVED)
    failExpected(cursor, "a predicate register after '@'");
  records.guard = cursor.index++;
}

function readOpcode(cursor: Cursor): void {
  const { index, kinds, records } = cursor;
  const token = kinds[index];
  if (token !== kind.WORD && token !== kind.DOTTED) failExpected(cursor, "an instruction");
  records.opcode = index;
  records.spelling = undefined;
  cursor.index++;
  const next = kinds[cursor.index];
  if (next === kind.DIRECTIVE || next === kind.BRACKET_OPEN || next === kind.COLON) readModifiers(cursor);
  records.opcodeEnd = cursor.index;
}

/** Reads the rest of the opcode after its first token. */
function readModifiers(cursor: Cursor): void {
  const { kinds, records } = cursor;
  let text = nameText(cursor.names, cursor.ids[records.opcode]!);
  // White space may separate modifiers: `add .s32`.
  while (kinds[cursor.index] === kind.DIRECTIVE) text += tokenText(cursor, cursor.index++);
  if (kinds[cursor.index] === kind.BRACKET_OPEN && text.endsWith(".const") && atBank(cursor)) text += readBank(cursor);
  if (kinds[cursor.index] === kind.COLON && sparse.test(text)) text += readRatio(cursor);
  if (cursor.index > records.opcode + 1) records.spelling = text;
}

/** The text before the colon of a ratio: `spcompress.b16.b2.sp::2:4.x1`. */
const sparse = /\.sp::\d+$/;

/** Reads `:4.x1`, whose number and modifiers may be one token. */
function readRatio(cursor: Cursor): string {
  cursor.index++;
  let text = `:${tokenText(cursor, cursor.index++)}`;
  while (cursor.kinds[cursor.index] === kind.DIRECTIVE) text += tokenText(cursor, cursor.index++);
  return text;
}

/** Whether a number in brackets is a constant bank, which modifiers or operands follow, or the only operand. */
function atBank({ kinds, index }: Cursor): boolean {
  const isNumber = kinds[index + 1] === kind.INTEGER && kinds[index + 2] === kind.BRACKET_CLOSE;
  return isNumber && kinds[index + 3] !== kind.SEMICOLON && kinds[index + 3] !== kind.COMMA;
}

/** Reads `[2].b32` of `ld.const[2].b32`: a constant bank, in PTX before 2.2. */
function readBank(cursor: Cursor): string {
  cursor.index++;
  let text = `[${parseCount(cursor, "the number of a constant bank")}]`;
  expect(cursor, kind.BRACKET_CLOSE, "after the number of the constant bank");
  while (cursor.kinds[cursor.index] === kind.DIRECTIVE) text += tokenText(cursor, cursor.index++);
  return text;
}

/** Reads the operands of a call, `call (ret), f, (a, b), prototype;`, of which only the function is required. */
function readCall(cursor: Cursor): void {
  if (peek(cursor) === kind.PAREN_OPEN) {
    readArguments(cursor);
    expect(cursor, kind.COMMA, "after the return value of the call");
  }
  readPlainName(cursor, "the function to call");
  if (!accept(cursor, kind.COMMA)) return;
  if (peek(cursor) === kind.PAREN_OPEN) {
    readArguments(cursor);
    if (!accept(cursor, kind.COMMA)) return;
  }
  readPlainName(cursor, "'(' or the prototype of the call");
}

function readArguments(cursor: Cursor): void {
  const { records } = cursor;
  const at = addRecord(records, record.LIST, cursor.index, cursor.index);
  cursor.index++;
  enter(cursor);
  if (!accept(cursor, kind.PAREN_CLOSE)) {
    do readArgument(cursor);
    while (accept(cursor, kind.COMMA));
    expect(cursor, kind.PAREN_CLOSE, "or ',' after the argument");
  }
  cursor.depth--;
  closeRecord(records, at, cursor.index);
}

function readArgument(cursor: Cursor): void {
  if (peek(cursor) === kind.SINK) readLeaf(cursor, record.SINK);
  else if (atExpression(cursor)) readConstant(cursor, "an argument");
  else readPlainName(cursor, "an argument");
}
