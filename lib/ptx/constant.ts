// Folds constant expressions: PTX ISA 9.0 section 4.5, and ptxas where it differs from the section's table of types. In ptxas
// `&`, `|` and `^` of signed integers are signed, and `?:` has the type of the operand that it selects. Integers have 64 bits and
// are signed, unless written with U or too large for it. Floats are f64, except that an `0f` literal keeps its 32 bits and cannot
// be an operand.

import type { Ranged } from "./source-text.js";
import type { BinaryOperator, Expression } from "./tree.js";

export type Constant =
  /** `value` is in the 64-bit range of its signedness. */
  | { readonly kind: "integer"; readonly value: bigint; readonly unsigned: boolean }
  | { readonly kind: "float"; readonly value: number }
  /** The bits of an f32. */
  | { readonly kind: "f32-bits"; readonly bits: number };

/**
 * Called with the place and the message for an expression that cannot be folded or, with a code, for one that is folded with a
 * warning.
 */
export type ReportFold = (at: Ranged, message: string, oddity?: FoldWarning) => void;

/** Codes of the warnings; without one the message is an error. */
export type FoldWarning = "constant-truncated" | "negative-modulo" | "shift-range";

const warpSize = 32n;
const mostSigned = 0x7fff_ffff_ffff_ffffn;
export const mostUnsigned = 0xffff_ffff_ffff_ffffn;

const integer = (value: bigint, unsigned: boolean): Constant => ({
  kind: "integer",
  value: unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value),
  unsigned,
});

/** The constant's value; undefined after `complain` was called with an error. The parser limits the depth of expressions. */
export function foldConstant(expression: Expression, complain: ReportFold): Constant | undefined {
  switch (expression.kind) {
    case "integer":
      if (expression.overflows === true) {
        complain(expression, "the constant overflows: integers have 64 bits");
        return undefined;
      }
      if (!expression.unsigned && expression.value <= mostSigned) {
        return { kind: "integer", value: expression.value, unsigned: false };
      }
      if (expression.value > mostUnsigned) {
        const low = BigInt.asUintN(64, expression.value);
        complain(expression, `integers have 64 bits; the low ones are used: ${low}`, "constant-truncated");
      }
      return integer(expression.value, true);
    case "float":
      if (expression.overflows === true) {
        complain(expression, "the constant overflows: it is not a normal number of 64 bits");
        return undefined;
      }
      return expression.spelling === "f32-bits"
        ? { kind: "f32-bits", bits: Number(expression.bits) }
        : { kind: "float", value: floatOfBits(expression.bits) };
    case "warp-size":
      return integer(warpSize, false);
    case "unary":
      return foldUnary(expression, complain);
    case "cast":
      return foldCast(expression, complain);
    case "conditional":
      return foldConditional(expression, complain);
    case "binary": {
      const left = foldConstant(expression.left, complain);
      const right = foldConstant(expression.right, complain);
      if (left === undefined || right === undefined) return undefined;
      return foldBinary(expression, expression.op, left, right, complain);
    }
  }
}

type ExpressionOf<Kind extends Expression["kind"]> = Expression & { readonly kind: Kind };

function foldUnary(expression: ExpressionOf<"unary">, complain: ReportFold): Constant | undefined {
  const operand = foldConstant(expression.operand, complain);
  if (operand === undefined) return undefined;
  if (operand.kind === "f32-bits") {
    complain(expression, "an 0f literal is exact bits and cannot be computed with");
    return undefined;
  }
  if (operand.kind === "float") {
    if (expression.op === "-") return { kind: "float", value: -operand.value };
    if (expression.op === "+") return operand;
    complain(expression, `operator '${expression.op}' takes an integer`);
    return undefined;
  }
  return unary[expression.op](operand.value, operand.unsigned);
}

function foldCast(expression: ExpressionOf<"cast">, complain: ReportFold): Constant | undefined {
  const operand = foldConstant(expression.operand, complain);
  if (operand === undefined) return undefined;
  const type = expression.type.text;
  if (operand.kind !== "integer" || (type !== "s64" && type !== "u64")) {
    complain(expression, "a cast in a constant expression is from an integer to .s64 or .u64");
    return undefined;
  }
  return integer(operand.value, type === "u64");
}

function foldConditional(expression: ExpressionOf<"conditional">, complain: ReportFold): Constant | undefined {
  const parts = [expression.test, expression.yes, expression.no].map((part) => foldConstant(part, complain));
  const [test, yes, no] = parts;
  if (test === undefined || yes === undefined || no === undefined) return undefined;
  if (test.kind !== "integer" || yes.kind !== "integer" || no.kind !== "integer") {
    complain(expression, "the operands of '?:' are integers");
    return undefined;
  }
  return test.value !== 0n ? yes : no;
}

const unary: Record<"+" | "-" | "!" | "~", (value: bigint, unsigned: boolean) => Constant> = {
  "+": integer,
  "-": (value, unsigned) => integer(-value, unsigned),
  "!": (value) => integer(value === 0n ? 1n : 0n, false),
  "~": (value) => integer(~value, true),
};

const truth = (condition: boolean): Constant => integer(condition ? 1n : 0n, false);

/** Operators on operands that were converted to a common signedness. Shift counts are taken modulo 64, as in ptxas. */
const integerOperators: Record<BinaryOperator, (a: bigint, b: bigint, unsigned: boolean) => Constant | undefined> = {
  "*": (a, b, unsigned) => integer(a * b, unsigned),
  "/": (a, b, unsigned) => (b === 0n ? undefined : integer(a / b, unsigned)),
  // The manual's table treats both operands as .u64, so that -7 % 3 is 0.
  "%": (a, b) => (b === 0n ? undefined : integer(BigInt.asUintN(64, a) % BigInt.asUintN(64, b), true)),
  "+": (a, b, unsigned) => integer(a + b, unsigned),
  "-": (a, b, unsigned) => integer(a - b, unsigned),
  "<<": (a, b, unsigned) => integer(a << BigInt.asUintN(6, b), unsigned),
  ">>": (a, b, unsigned) => integer(a >> BigInt.asUintN(6, b), unsigned),
  "<": (a, b) => truth(a < b),
  "<=": (a, b) => truth(a <= b),
  ">": (a, b) => truth(a > b),
  ">=": (a, b) => truth(a >= b),
  "==": (a, b) => truth(a === b),
  "!=": (a, b) => truth(a !== b),
  "&": (a, b, unsigned) => integer(a & b, unsigned),
  "^": (a, b, unsigned) => integer(a ^ b, unsigned),
  "|": (a, b, unsigned) => integer(a | b, unsigned),
  "&&": (a, b) => truth(a !== 0n && b !== 0n),
  "||": (a, b) => truth(a !== 0n || b !== 0n),
};

const floatOperators: Partial<Record<BinaryOperator, (a: number, b: number) => Constant | undefined>> = {
  "*": (a, b) => ({ kind: "float", value: a * b }),
  "/": (a, b) => (b === 0 ? undefined : { kind: "float", value: a / b }),
  "+": (a, b) => ({ kind: "float", value: a + b }),
  "-": (a, b) => ({ kind: "float", value: a - b }),
  "<": (a, b) => truth(a < b),
  "<=": (a, b) => truth(a <= b),
  ">": (a, b) => truth(a > b),
  ">=": (a, b) => truth(a >= b),
  "==": (a, b) => truth(a === b),
  "!=": (a, b) => truth(a !== b),
};

function foldBinary(
  at: Ranged,
  op: BinaryOperator,
  left: Constant,
  right: Constant,
  complain: ReportFold,
): Constant | undefined {
  if (left.kind === "f32-bits" || right.kind === "f32-bits") {
    complain(at, "an 0f literal is exact bits and cannot be computed with");
    return undefined;
  }
  let result: Constant | undefined;
  if (left.kind === "integer" && right.kind === "integer") {
    const shift = op === "<<" || op === ">>";
    const unsigned = shift ? left.unsigned : left.unsigned || right.unsigned;
    const convert = (value: bigint): bigint => (unsigned ? BigInt.asUintN(64, value) : value);
    if (shift && (right.value < 0n || right.value > 63n)) {
      complain(at, `a shift by ${right.value} is taken modulo 64: ${right.value & 63n}`, "shift-range");
    } else if (op === "%" && right.value !== 0n && (left.value < 0n || right.value < 0n)) {
      const result = BigInt.asUintN(64, left.value) % BigInt.asUintN(64, right.value);
      const message = `${left.value} % ${right.value} is ${result} in PTX, which reads both as unsigned 64-bit integers`;
      complain(at, message, "negative-modulo");
    }
    result = integerOperators[op](convert(left.value), shift ? right.value : convert(right.value), unsigned);
  } else if (left.kind === "float" && right.kind === "float") {
    const operator = floatOperators[op];
    if (operator === undefined) {
      complain(at, `operator '${op}' takes integers`);
      return undefined;
    }
    result = operator(left.value, right.value);
  } else {
    complain(at, `the operands of '${op}' are an integer and a float`);
    return undefined;
  }
  if (result === undefined) complain(at, "division by zero in a constant expression");
  return result;
}

const scratch = new DataView(new ArrayBuffer(8));

function floatOfBits(bits: bigint): number {
  scratch.setBigUint64(0, bits);
  return scratch.getFloat64(0);
}

/** IEEE bits of a value as f32 (rounded to nearest even) or f64. */
export function floatBits(value: number, bits: 32 | 64): bigint {
  if (bits === 64) {
    scratch.setFloat64(0, value);
    return scratch.getBigUint64(0);
  }
  scratch.setFloat32(0, value);
  return BigInt(scratch.getUint32(0));
}

/** The f32 with these bits, as a number. The payload of a NaN is lost. */
export function f32OfBits(bits: number): number {
  scratch.setUint32(0, bits);
  return scratch.getFloat32(0);
}
