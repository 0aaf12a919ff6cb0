// Constants and initial values as PTX text: the inverse of expression.ts and initializer.ts. Values are canonical (decimal
// integers, shortest decimal floats, bit patterns in upper-case hexadecimal). Every operand that is itself an operation is in
// parentheses, so that precedence never matters.

import { assertNever } from "../base/assert.js";
import { decimalFloatText } from "./number.js";
import type { Expression, FloatLiteral, Initializer, IntegerLiteral } from "./tree.js";

/** A constant expression. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "integer":
      return printInteger(expression);
    case "float":
      return printFloat(expression);
    case "warp-size":
      return "WARP_SZ";
    case "unary":
      return expression.op + printTerm(expression.operand);
    case "cast":
      return `(.${expression.type.text})${printTerm(expression.operand)}`;
    case "binary":
      return `${printTerm(expression.left)} ${expression.op} ${printTerm(expression.right)}`;
    case "conditional":
      return `${printTerm(expression.test)} ? ${printTerm(expression.yes)} : ${printTerm(expression.no)}`;
    default:
      return assertNever(expression);
  }
}

function printTerm(expression: Expression): string {
  const isPlain = expression.kind === "integer" || expression.kind === "float" || expression.kind === "warp-size";
  return isPlain ? printExpression(expression) : `(${printExpression(expression)})`;
}

/** Larger values are printed in hexadecimal: beyond 64 bits other tools do not accept decimal. */
const LARGEST_DECIMAL = 0xffff_ffff_ffff_ffffn;

function printInteger({ value, unsigned }: IntegerLiteral): string {
  const digits = value > LARGEST_DECIMAL ? `0x${value.toString(16)}` : String(value);
  return unsigned ? `${digits}U` : digits;
}

function printFloat({ spelling, bits }: FloatLiteral): string {
  if (spelling === "decimal") return decimalFloatText(bits);
  const hex = bits.toString(16).toUpperCase();
  return spelling === "f32-bits" ? `0f${hex.padStart(8, "0")}` : `0d${hex.padStart(16, "0")}`;
}

/** An initial value, without its `=`. */
export function printInitializer(initializer: Initializer): string {
  switch (initializer.kind) {
    case "list":
      return `{${initializer.elements.map(printInitializer).join(", ")}}`;
    case "constant":
      return printExpression(initializer.value);
    case "mask":
      return `${printInteger(initializer.mask)}(${printInitializer(initializer.value)})`;
    case "field": {
      const { value } = initializer;
      return `${initializer.field.text} = ${value.kind === "name" ? value.text : printExpression(value)}`;
    }
    case "address": {
      const name = initializer.generic ? `generic(${initializer.name.text})` : initializer.name.text;
      return initializer.offset === undefined ? name : `${name}+${printExpression(initializer.offset)}`;
    }
    default:
      return assertNever(initializer);
  }
}
