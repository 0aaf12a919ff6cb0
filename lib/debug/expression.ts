// Expressions of breakpoints, log points and the debug console, as trees: C's operators over registers (%r1, %tid.x), variables,
// buffers and parameters by name; (f32)x and *(u32*)x by PTX types; x@5 is x in lane 5.

import { BINARY_LEVELS } from "../ptx/expression.js";
import { dataType, type DataType } from "../isa/types.table.js";

export type Expression =
  | { readonly kind: "number"; readonly value: bigint | number; readonly type: DataType }
  /** A register with its percent sign, or any other name. */
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "unary"; readonly operator: "-" | "+" | "!" | "~" | "*" | "&"; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "choice"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: "cast"; readonly type: DataType; readonly isPointer: boolean; readonly of: Expression }
  | { readonly kind: "index"; readonly of: Expression; readonly index: Expression }
  /** `x.y` and `x->y`, which are equivalent. */
  | { readonly kind: "member"; readonly of: Expression; readonly name: string }
  | { readonly kind: "lane"; readonly of: Expression; readonly lane: Expression }
  | { readonly kind: "assign"; readonly to: Expression; readonly value: Expression };

/** A wrong expression; the message is for its author. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

const TOKEN =
  /\s*(?:'([ -&(-\[\]-~])'|(0[fF][0-9a-fA-F]{8}(?![0-9a-fA-F])|0[dD][0-9a-fA-F]{16})|(0[xX][0-9a-fA-F]+|0[bB][01]+)[uU]?|(\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)[fF]?|(\d+)[uU]?|(%[A-Za-z_$][\w$]*(?:\.[a-z]\w*)?|[A-Za-z_$][\w$]*(?:::[A-Za-z_$][\w$]*)*)|(->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:()[\]@=.]))/y;

const MAX_LENGTH = 4096;
const MAX_DEPTH = 100;

interface Token {
  readonly kind: "number" | "name" | "operator" | "end";
  readonly text: string;
  readonly number?: Expression;
}

function tokensOf(text: string): readonly Token[] {
  if (text.length > MAX_LENGTH) throw new ExpressionError("the expression is too long");
  const tokens: Token[] = [];
  const token = new RegExp(TOKEN.source, "y");
  while (text.slice(token.lastIndex).trim() !== "") {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new ExpressionError(`'${text.slice(at).trim()}' is not understood`);
    const [, character, bits, hex, float, whole, name, operator] = match;
    if (character !== undefined)
      tokens.push({ kind: "number", text: character, number: whole64(BigInt(character.charCodeAt(0))) });
    else if (bits !== undefined) tokens.push({ kind: "number", text: bits, number: floatBits(bits) });
    else if (hex !== undefined) tokens.push({ kind: "number", text: hex, number: whole64(BigInt(hex)) });
    else if (float !== undefined)
      tokens.push({
        kind: "number",
        text: float,
        number: { kind: "number", value: Number(float), type: dataType("f64")! },
      });
    else if (whole !== undefined) tokens.push({ kind: "number", text: whole, number: whole64(BigInt(whole)) });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else tokens.push({ kind: "operator", text: operator! });
  }
  return [...tokens, { kind: "end", text: "" }];
}

const whole64 = (value: bigint): Expression => ({ kind: "number", value, type: dataType("s64")! });

/** PTX's float literals 0f3F800000 and 0d3FF0000000000000. */
function floatBits(text: string): Expression {
  const view = new DataView(new ArrayBuffer(8));
  const isDouble = /^0[dD]/.test(text);
  view.setBigUint64(0, BigInt(`0x${text.slice(2)}`));
  return {
    kind: "number",
    value: isDouble ? view.getFloat64(0) : view.getFloat32(4),
    type: dataType(isDouble ? "f64" : "f32")!,
  };
}

/** A parser's position in the tokens. */
interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
  /** Nesting depth of the expression. */
  depth: number;
}

/** Throws ExpressionError. */
export function parseExpression(text: string): Expression {
  const cursor: Cursor = { tokens: tokensOf(text), at: 0, depth: 0 };
  const whole = assignment(cursor);
  if (peek(cursor).kind !== "end") throw new ExpressionError(`'${peek(cursor).text}' is one word too many`);
  return whole;
}

const peek = ({ tokens, at }: Cursor): Token => tokens[at]!;

const isNext = (cursor: Cursor, operator: string): boolean =>
  peek(cursor).kind === "operator" && peek(cursor).text === operator;

function take(cursor: Cursor, operator: string): boolean {
  if (!isNext(cursor, operator)) return false;
  cursor.at++;
  return true;
}

function expect(cursor: Cursor, operator: string): void {
  if (!take(cursor, operator)) throw new ExpressionError(`'${operator}' is expected${foundText(cursor)}`);
}

const foundText = (cursor: Cursor): string => {
  const { kind, text } = peek(cursor);
  return kind === "end" ? " at the end" : ` before '${text}'`;
};

/** Parses one nesting level deeper. */
function nested(cursor: Cursor, parse: (cursor: Cursor) => Expression): Expression {
  if (++cursor.depth > MAX_DEPTH) throw new ExpressionError("the expression is nested too deeply");
  const made = parse(cursor);
  cursor.depth--;
  return made;
}

const assignment = (cursor: Cursor): Expression =>
  nested(cursor, () => {
    const left = choice(cursor);
    return take(cursor, "=") ? { kind: "assign", to: left, value: assignment(cursor) } : left;
  });

function choice(cursor: Cursor): Expression {
  const test = binary(cursor, 0);
  if (!take(cursor, "?")) return test;
  const yes = assignment(cursor);
  expect(cursor, ":");
  return { kind: "choice", test, yes, no: assignment(cursor) };
}

function binary(cursor: Cursor, level: number): Expression {
  const operators = BINARY_LEVELS[level];
  if (operators === undefined) return unary(cursor);
  let left = binary(cursor, level + 1);
  for (;;) {
    const operator = operators.find((each) => isNext(cursor, each));
    if (operator === undefined) return left;
    cursor.at++;
    left = { kind: "binary", operator, left, right: binary(cursor, level + 1) };
  }
}

const unary = (cursor: Cursor): Expression => nested(cursor, prefixed);

function prefixed(cursor: Cursor): Expression {
  for (const operator of ["-", "+", "!", "~", "*", "&"] as const)
    if (take(cursor, operator)) return { kind: "unary", operator, of: unary(cursor) };
  const cast = takeCast(cursor);
  return cast === undefined ? postfix(cursor) : { kind: "cast", ...cast, of: unary(cursor) };
}

/** Parses a cast: `(f32)`, `(.f32)`, `(f32*)`. */
function takeCast(cursor: Cursor): { readonly type: DataType; readonly isPointer: boolean } | undefined {
  if (!isNext(cursor, "(")) return undefined;
  const { tokens } = cursor;
  let next = cursor.at + 1;
  if (tokens[next]?.text === ".") next++;
  const type = tokens[next]?.kind === "name" ? castType(tokens[next]!.text) : undefined;
  if (type === undefined) return undefined;
  next++;
  const isPointer = tokens[next]?.text === "*";
  if (isPointer) next++;
  if (tokens[next]?.text !== ")") return undefined;
  cursor.at = next + 1;
  return { type, isPointer };
}

function postfix(cursor: Cursor): Expression {
  let made = primary(cursor);
  for (;;) {
    if (take(cursor, "[")) {
      const index = assignment(cursor);
      expect(cursor, "]");
      made = { kind: "index", of: made, index };
    } else if (take(cursor, ".") || take(cursor, "->")) made = { kind: "member", of: made, name: memberName(cursor) };
    else if (take(cursor, "@")) made = { kind: "lane", of: made, lane: primary(cursor) };
    else return made;
  }
}

function memberName(cursor: Cursor): string {
  const { kind, text } = peek(cursor);
  if (kind !== "name" || text.startsWith("%"))
    throw new ExpressionError(`the name of a member is expected${foundText(cursor)}`);
  cursor.at++;
  return text;
}

function primary(cursor: Cursor): Expression {
  const { kind, text, number } = peek(cursor);
  if (number !== undefined || kind === "name") {
    cursor.at++;
    return number ?? { kind: "name", name: text };
  }
  if (take(cursor, "(")) {
    const inner = assignment(cursor);
    expect(cursor, ")");
    return inner;
  }
  throw new ExpressionError(`a value is expected${foundText(cursor)}`);
}

/** C's names of PTX's types. */
const C_NAMES: Readonly<Record<string, string>> = {
  int: "s32",
  unsigned: "u32",
  uint: "u32",
  short: "s16",
  char: "s8",
  long: "s64",
  float: "f32",
  double: "f64",
  half: "f16",
  bool: "pred",
};

const castType = (name: string): DataType | undefined => dataType(C_NAMES[name] ?? name);
