// Instructions: PTX ISA 9.0 section 9.1 (guard, opcode, operands) and 9.7.12.5 (call). Which operands an opcode takes is
// the isa table's business; here every instruction is a list of operands, except that the parentheses of a call are
// lists and not expressions.

import {
  accept,
  type Cursor,
  endOf,
  enter,
  expect,
  expectName,
  failExpected,
  peek,
  startOf,
  pushPending,
  takePending,
  tokenText,
} from "./cursor.js";
import { atExpression, parseCount, parseExpression } from "./expression.js";
import { nameText } from "./names.js";
import { failBefore } from "./recovery.js";
import { parseFirstOperand, parseOperand } from "./operand.js";
import * as kind from "./token.js";
import type { Instruction, Name, NameOperand, Operand } from "./tree.js";

/** Reads an instruction that begins at its guard or opcode, up to and with its semicolon. */
export function parseInstruction(cursor: Cursor): Instruction {
  const start = startOf(cursor);
  const guard = peek(cursor) === kind.AT ? parseGuard(cursor) : undefined;
  const opcode = parseOpcode(cursor);
  let operands: readonly Operand[];
  if (isCall(cursor, opcode)) operands = parseCall(cursor);
  else if (cursor.kinds[cursor.index] === kind.SEMICOLON || cursor.kinds[cursor.index] === kind.BRACE_CLOSE)
    operands = none;
  else {
    const mark = cursor.pendingCount;
    pushPending(cursor, parseFirstOperand(cursor));
    while (accept(cursor, kind.COMMA)) pushPending(cursor, parseOperand(cursor));
    operands = takePending(cursor, mark);
  }
  if (cursor.kinds[cursor.index] !== kind.SEMICOLON) {
    failUnended(cursor, operands.length === 0);
  }
  const end = cursor.ends[cursor.index++]!;
  return guard === undefined
    ? { kind: "instruction", start, end, opcode, operands }
    : { kind: "instruction", start, end, guard, opcode, operands };
}

const none: readonly never[] = [];

/** What could begin one more operand. */
const operandStarts: ReadonlySet<number> = new Set([
  kind.WORD,
  kind.DOTTED,
  kind.INTEGER,
  kind.BRACKET_OPEN,
  kind.BRACE_OPEN,
]);

/** The next token is no semicolon: on the same line a comma may be missing as well. */
function failUnended(cursor: Cursor, isBare: boolean): never {
  if (isBare) return failBefore(cursor, "';' after the opcode");
  const ends = "';' after the instruction";
  return failBefore(cursor, operandStarts.has(peek(cursor)) ? "',' or ';' after the operand" : ends, ends);
}

const LOWER_C = 0x63;

/** The first letter tells most opcodes from calls without looking at a string. */
function isCall(cursor: Cursor, { start, text }: Name): boolean {
  return cursor.names.bytes[start] === LOWER_C && (text === "call" || text.startsWith("call."));
}

function parseGuard(cursor: Cursor): NonNullable<Instruction["guard"]> {
  const start = startOf(cursor);
  cursor.index++;
  const negated = accept(cursor, kind.NOT);
  const name = expectName(cursor, "a predicate register after '@'");
  return { start, end: name.end, negated, name };
}

function parseOpcode(cursor: Cursor): Name {
  const { index, kinds } = cursor;
  const token = kinds[index];
  if (token !== kind.WORD && token !== kind.DOTTED) failExpected(cursor, "an instruction");
  const start = cursor.starts[index]!;
  let text = nameText(cursor.names, cursor.ids[index]!);
  cursor.index++;
  // Modifiers may stand apart: `add .s32`.
  while (kinds[cursor.index] === kind.DIRECTIVE) text += tokenText(cursor, cursor.index++);
  if (kinds[cursor.index] === kind.BRACKET_OPEN && text.endsWith(".const") && atBank(cursor)) text += parseBank(cursor);
  if (kinds[cursor.index] === kind.COLON && sparse.test(text)) text += parseRatio(cursor);
  return { start, end: endOf(cursor), text };
}

/** What stands before the colon of a ratio: `spcompress.b16.b2.sp::2:4.x1`. */
const sparse = /\.sp::\d+$/;

/** Reads `:4.x1`, whose number and modifiers may be one token. */
function parseRatio(cursor: Cursor): string {
  cursor.index++;
  let text = `:${tokenText(cursor, cursor.index++)}`;
  while (cursor.kinds[cursor.index] === kind.DIRECTIVE) text += tokenText(cursor, cursor.index++);
  return text;
}

/** Whether a number in brackets is a bank, behind which modifiers or operands follow, or the only operand. */
function atBank({ kinds, index }: Cursor): boolean {
  const isNumber = kinds[index + 1] === kind.INTEGER && kinds[index + 2] === kind.BRACKET_CLOSE;
  return isNumber && kinds[index + 3] !== kind.SEMICOLON && kinds[index + 3] !== kind.COMMA;
}

/** Reads `[2].b32` of `ld.const[2].b32`: a bank of constants, as PTX before 2.2 has them. */
function parseBank(cursor: Cursor): string {
  cursor.index++;
  let text = `[${parseCount(cursor, "the number of a constant bank")}]`;
  expect(cursor, kind.BRACKET_CLOSE, "after the number of the constant bank");
  while (cursor.kinds[cursor.index] === kind.DIRECTIVE) text += tokenText(cursor, cursor.index++);
  return text;
}

/** `call (ret), f, (a, b), prototype;` where only the function must be there. */
function parseCall(cursor: Cursor): readonly Operand[] {
  const operands: Operand[] = [];
  if (peek(cursor) === kind.PAREN_OPEN) {
    operands.push(parseArguments(cursor));
    expect(cursor, kind.COMMA, "after the return value of the call");
  }
  operands.push(parsePlainName(cursor, "the function to call"));
  if (!accept(cursor, kind.COMMA)) return operands;
  if (peek(cursor) === kind.PAREN_OPEN) {
    operands.push(parseArguments(cursor));
    if (!accept(cursor, kind.COMMA)) return operands;
  }
  operands.push(parsePlainName(cursor, "'(' or the prototype of the call"));
  return operands;
}

function parseArguments(cursor: Cursor): Operand {
  const start = startOf(cursor);
  cursor.index++;
  enter(cursor);
  const mark = cursor.pendingCount;
  if (!accept(cursor, kind.PAREN_CLOSE)) {
    do pushPending(cursor, parseArgument(cursor));
    while (accept(cursor, kind.COMMA));
    expect(cursor, kind.PAREN_CLOSE, "or ',' after the argument");
  }
  const elements = takePending(cursor, mark);
  cursor.depth--;
  return { kind: "list", start, end: endOf(cursor), elements };
}

function parseArgument(cursor: Cursor): Operand {
  const start = startOf(cursor);
  if (accept(cursor, kind.SINK)) return { kind: "sink", start, end: endOf(cursor) };
  if (!atExpression(cursor)) return parsePlainName(cursor, "an argument");
  const value = parseExpression(cursor);
  return { kind: "constant", start, end: endOf(cursor), value };
}

function parsePlainName(cursor: Cursor, what: string): NameOperand {
  const name = expectName(cursor, what);
  return { kind: "name", start: name.start, end: name.end, name };
}
