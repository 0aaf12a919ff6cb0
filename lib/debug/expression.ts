// Expressions of breakpoints, log points and the debug console, as trees: C's operators over registers (%r1, %tid.x), variables,
// buffers and parameters by name; (f32)x and *(u32*)x by PTX types; x@5 is x in lane 5.

import { BINARY_LEVELS } from "../ptx/expression.js";
import { dataType, type DataType } from "../isa/types.table.js";

export type Expression =
  | { readonly kind: "number"; readonly value: bigint | number; readonly type: DataType }
  /** A register with its percent sign, or anything else that has a name. */
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "unary"; readonly operator: "-" | "+" | "!" | "~" | "*" | "&"; readonly of: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "choice"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: "cast"; readonly type: DataType; readonly isPointer: boolean; readonly of: Expression }
  | { readonly kind: "index"; readonly of: Expression; readonly index: Expression }
  /** `x.y` and `x->y`, which mean the same. */
  | { readonly kind: "member"; readonly of: Expression; readonly name: string }
  | { readonly kind: "lane"; readonly of: Expression; readonly lane: Expression }
  | { readonly kind: "assign"; readonly to: Expression; readonly value: Expression };

/** A wrong expression; the message is for its author. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

const TOKEN =
  /\s*(?:(0[fF][0-9a-fA-F]{8}(?![0-9a-fA-F])|0[dD][0-9a-fA-F]{16})|(0[xX][0-9a-fA-F]+|0[bB][01]+)[uU]?|(\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)[fF]?|(\d+)[uU]?|(%[A-Za-z_$][\w$]*(?:\.[a-z]\w*)?|[A-Za-z_$][\w$]*(?:::[A-Za-z_$][\w$]*)*)|(->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:()[\]@=.]))/y;

const MOST_LENGTH = 4096;
const MOST_DEPTH = 100;

interface Token {
  readonly kind: "number" | "name" | "operator" | "end";
  readonly text: string;
  readonly number?: Expression;
}

function tokensOf(text: string): readonly Token[] {
  if (text.length > MOST_LENGTH) throw new ExpressionError("the expression is too long");
  const tokens: Token[] = [];
  const token = new RegExp(TOKEN.source, "y");
  while (text.slice(token.lastIndex).trim() !== "") {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new ExpressionError(`'${text.slice(at).trim()}' is not understood`);
    const [, bits, hex, float, whole, name, operator] = match;
    if (bits !== undefined) tokens.push({ kind: "number", text: bits, number: floatBits(bits) });
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

/** PTX's 0f3F800000 and 0d3FF0000000000000. */
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

/** Throws ExpressionError. */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text);
  let at = 0;
  let depth = 0;
  const peek = (): Token => tokens[at]!;
  const isNext = (operator: string): boolean => peek().kind === "operator" && peek().text === operator;
  const take = (operator: string): boolean => {
    if (!isNext(operator)) return false;
    at++;
    return true;
  };
  const expect = (operator: string): void => {
    if (!take(operator)) throw new ExpressionError(`'${operator}' is expected${found()}`);
  };
  const found = (): string => (peek().kind === "end" ? " at the end" : ` before '${peek().text}'`);

  const assignment = (): Expression => {
    if (++depth > MOST_DEPTH) throw new ExpressionError("the expression is nested too deeply");
    const left = choice();
    const whole: Expression = take("=") ? { kind: "assign", to: left, value: assignment() } : left;
    depth--;
    return whole;
  };
  const choice = (): Expression => {
    const test = binary(0);
    if (!take("?")) return test;
    const yes = assignment();
    expect(":");
    return { kind: "choice", test, yes, no: assignment() };
  };
  const binary = (level: number): Expression => {
    const operators = BINARY_LEVELS[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators.find(isNext);
      if (operator === undefined) return left;
      at++;
      left = { kind: "binary", operator, left, right: binary(level + 1) };
    }
  };
  const unary = (): Expression => {
    if (++depth > MOST_DEPTH) throw new ExpressionError("the expression is nested too deeply");
    const made = prefixed();
    depth--;
    return made;
  };
  const prefixed = (): Expression => {
    for (const operator of ["-", "+", "!", "~", "*", "&"] as const)
      if (take(operator)) return { kind: "unary", operator, of: unary() };
    const cast = castHere();
    return cast === undefined ? postfix() : { kind: "cast", ...cast, of: unary() };
  };
  /** `(f32)`, `(.f32)`, `(f32*)`. */
  const castHere = (): { readonly type: DataType; readonly isPointer: boolean } | undefined => {
    if (!isNext("(")) return undefined;
    let next = at + 1;
    if (tokens[next]?.text === ".") next++;
    const type = tokens[next]?.kind === "name" ? castType(tokens[next]!.text) : undefined;
    if (type === undefined) return undefined;
    next++;
    const isPointer = tokens[next]?.text === "*";
    if (isPointer) next++;
    if (tokens[next]?.text !== ")") return undefined;
    at = next + 1;
    return { type, isPointer };
  };
  const postfix = (): Expression => {
    let made = primary();
    for (;;) {
      if (take("[")) {
        const index = assignment();
        expect("]");
        made = { kind: "index", of: made, index };
      } else if (take(".") || take("->")) made = { kind: "member", of: made, name: memberName() };
      else if (take("@")) made = { kind: "lane", of: made, lane: primary() };
      else return made;
    }
  };
  const memberName = (): string => {
    const { kind, text } = peek();
    if (kind !== "name" || text.startsWith("%"))
      throw new ExpressionError(`the name of a member is expected${found()}`);
    at++;
    return text;
  };
  const primary = (): Expression => {
    const token = peek();
    if (token.number !== undefined) {
      at++;
      return token.number;
    }
    if (token.kind === "name") {
      at++;
      return { kind: "name", name: token.text };
    }
    if (take("(")) {
      const inner = assignment();
      expect(")");
      return inner;
    }
    throw new ExpressionError(`a value is expected${found()}`);
  };

  const whole = assignment();
  if (peek().kind !== "end") throw new ExpressionError(`'${peek().text}' is one word too many`);
  return whole;
}

/** C's names for PTX's types, for those who think in them. */
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
