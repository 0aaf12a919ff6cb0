// Constant expressions: PTX ISA 9.0 section 4.5.4, C's operators with C's precedence. As in ptxas, the bits of an f32
// (`0f3F800000`) are a whole constant without operators; those of an f64 (`0d…`) are an ordinary number. A cast can be to .s64 or
// .u64 only: the checker enforces this, not the syntax.

import {
  accept,
  type Cursor,
  DEEPEST_NESTING,
  endOf,
  enter,
  expect,
  fail,
  failExpected,
  peek,
  peekSecond,
  rangeOf,
  startOf,
  tokenText,
} from "./cursor.js";
import {
  decimalFloatBits,
  decimalOverflows,
  hexadecimalBits,
  integerOverflows,
  integerValue,
  LONGEST_NUMBER,
} from "./number.js";
import * as kind from "./token.js";
import type { BinaryOperator, Expression, FloatLiteral, IntegerLiteral } from "./tree.js";
import { RESERVED } from "./words.table.js";

interface OperatorRow {
  readonly op: BinaryOperator;
  /** Higher binds tighter; all are left-associative. */
  readonly precedence: number;
}

/** Binary operators by precedence, weakest first, as in C. */
export const BINARY_LEVELS: readonly (readonly BinaryOperator[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

const operators: readonly (OperatorRow | undefined)[] = (() => {
  const rows: (OperatorRow | undefined)[] = [];
  BINARY_LEVELS.forEach((level, precedence) => {
    for (const op of level) rows[kind.punctuation.get(op)!] = { op, precedence };
  });
  return rows;
})();

const unaryOperators: ReadonlyMap<number, "+" | "-" | "!" | "~"> = new Map([
  [kind.PLUS, "+"],
  [kind.MINUS, "-"],
  [kind.NOT, "!"],
  [kind.TILDE, "~"],
]);

/** Reads a constant expression. */
export function parseExpression(cursor: Cursor): Expression {
  const start = startOf(cursor);
  const test = parseBinary(cursor, 0);
  if (!accept(cursor, kind.QUESTION)) return test;
  enter(cursor);
  const yes = parseExpression(cursor);
  expect(cursor, kind.COLON, "between the two values of '?'");
  const no = parseExpression(cursor);
  cursor.depth--;
  return { kind: "conditional", start, end: endOf(cursor), test, yes, no };
}

function parseBinary(cursor: Cursor, least: number): Expression {
  const start = startOf(cursor);
  let left = parseUnary(cursor);
  // Limits a chain of operators: it nests to the left, as deep as it is long.
  for (let length = 1; ; length++) {
    const row = operators[peek(cursor)];
    if (row === undefined || row.precedence < least) return left;
    if (length > DEEPEST_NESTING) {
      fail(cursor, rangeOf(cursor, cursor.index), `more than ${DEEPEST_NESTING} operators in one expression`);
    }
    failOnBits(cursor, left);
    cursor.index++;
    enter(cursor);
    const right = parseBinary(cursor, row.precedence + 1);
    cursor.depth--;
    failOnBits(cursor, right);
    left = { kind: "binary", start, end: endOf(cursor), op: row.op, left, right };
  }
}

/** Section 4.5.2: the exact bits of an f32 "may not be used in constant expressions". */
function failOnBits(cursor: Cursor, operand: Expression): void {
  if (operand.kind !== "float" || operand.spelling !== "f32-bits") return;
  fail(cursor, operand, "a 0f constant is its bits and takes no operator", "write the decimal value");
}

function parseUnary(cursor: Cursor): Expression {
  const start = startOf(cursor);
  const token = peek(cursor);
  switch (token) {
    case kind.INTEGER:
      return parseInteger(cursor);
    case kind.FLOAT:
    case kind.FLOAT32_BITS:
    case kind.FLOAT64_BITS:
      return parseFloatLiteral(cursor);
    case kind.PAREN_OPEN: {
      cursor.index++;
      enter(cursor);
      if (peek(cursor) === kind.DIRECTIVE) {
        const type = { start: startOf(cursor), end: cursor.ends[cursor.index]!, text: tokenText(cursor).slice(1) };
        cursor.index++;
        expect(cursor, kind.PAREN_CLOSE, "after the type of the cast");
        const operand = parseUnary(cursor);
        cursor.depth--;
        return { kind: "cast", start, end: endOf(cursor), type, operand };
      }
      const inner = parseExpression(cursor);
      expect(cursor, kind.PAREN_CLOSE, "at the end of the parenthesised expression");
      cursor.depth--;
      return inner;
    }
    case kind.WORD:
      if (tokenText(cursor) !== RESERVED) break;
      cursor.index++;
      return { kind: "warp-size", start, end: endOf(cursor) };
  }
  const op = unaryOperators.get(token);
  if (op === undefined) return failExpected(cursor, "a constant");
  cursor.index++;
  enter(cursor);
  const operand = parseUnary(cursor);
  cursor.depth--;
  failOnBits(cursor, operand);
  return { kind: "unary", start, end: endOf(cursor), op, operand };
}

/** Whether a constant expression begins at the next token. */
export function atExpression(cursor: Cursor): boolean {
  switch (peek(cursor)) {
    case kind.INTEGER:
    case kind.FLOAT:
    case kind.FLOAT32_BITS:
    case kind.FLOAT64_BITS:
    case kind.PLUS:
    case kind.MINUS:
    case kind.TILDE:
    case kind.NOT:
    case kind.PAREN_OPEN:
      return true;
    case kind.WORD:
      return tokenText(cursor) === RESERVED;
    default:
      return false;
  }
}

/** Reads an integer literal; `what` completes "expected ...". */
export function parseInteger(cursor: Cursor, what = "an integer"): IntegerLiteral {
  const { index } = cursor;
  if (cursor.kinds[index] !== kind.INTEGER) failExpected(cursor, what);
  const start = cursor.starts[index]!;
  const end = cursor.ends[index]!;
  cursor.index++;
  const small = shortDecimal(cursor.names.bytes, start, end);
  if (small >= 0) {
    const value = small < smallValues.length ? smallValues[small]! : BigInt(small);
    return { kind: "integer", start, end, value, unsigned: false };
  }
  checkLength(cursor, index);
  const text = tokenText(cursor, index);
  const literal = { kind: "integer", start, end, value: integerValue(text), unsigned: text.endsWith("U") } as const;
  return integerOverflows(text) ? { ...literal, overflows: true } : literal;
}

/** BigInts of small values, which most integers are, created once. */
const smallValues: readonly bigint[] = Array.from({ length: 256 }, (_, value) => BigInt(value));

/** The value of a plain decimal that a number holds exactly; -1 for every other spelling. */
export function shortDecimal(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 15 || (bytes[start] === 0x30 && end - start > 1)) return -1;
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Reads an integer that is a count or an index, not an expression; WARP_SZ is allowed. */
export function parseCount(cursor: Cursor, what: string): bigint {
  return parseNumber(cursor, what).value;
}

const warpSize = 32n;

function parseNumber(cursor: Cursor, what: string): IntegerLiteral {
  if (peek(cursor) !== kind.WORD || tokenText(cursor) !== RESERVED) return parseInteger(cursor, what);
  const start = startOf(cursor);
  cursor.index++;
  return { kind: "integer", start, end: endOf(cursor), value: warpSize, unsigned: false };
}

/** Reads an integer that must be exact as a number: a line, a column, a file's index. */
export function parseSmall(cursor: Cursor, what: string): number {
  const literal = parseNumber(cursor, what);
  if (literal.value > 0xffffffffn) fail(cursor, literal, `${what.replace(/^an? /, "")} is larger than 4294967295`);
  return Number(literal.value);
}

function parseFloatLiteral(cursor: Cursor): FloatLiteral {
  const { index } = cursor;
  const token = peek(cursor);
  checkLength(cursor, index);
  const start = cursor.starts[index]!;
  const end = cursor.ends[index]!;
  cursor.index++;
  if (token === kind.FLOAT) {
    const text = tokenText(cursor, index);
    const literal = { kind: "float", start, end, spelling: "decimal", bits: decimalFloatBits(text) } as const;
    return decimalOverflows(text) ? { ...literal, overflows: true } : literal;
  }
  const bits = hexadecimalBits(cursor.names.bytes, start + 2, end);
  return { kind: "float", start, end, spelling: token === kind.FLOAT32_BITS ? "f32-bits" : "f64-bits", bits };
}

/** Whether a token is a literal within the length limit of numbers. */
export function isShortLiteral({ kinds, starts, ends }: Cursor, index: number): boolean {
  const token = kinds[index]!;
  const isLiteral = token >= kind.INTEGER && token <= kind.FLOAT64_BITS;
  return isLiteral && ends[index]! - starts[index]! <= LONGEST_NUMBER;
}

function checkLength(cursor: Cursor, index: number): void {
  if (cursor.ends[index]! - cursor.starts[index]! > LONGEST_NUMBER)
    fail(cursor, rangeOf(cursor, index), `a number of more than ${LONGEST_NUMBER} characters`);
}

/** Whether a mask begins: an integer before a parenthesis. */
export function atMask(cursor: Cursor): boolean {
  return peek(cursor) === kind.INTEGER && peekSecond(cursor) === kind.PAREN_OPEN;
}
