// Instructions as PTX text: the inverse of instruction.ts and operand.ts.

import { assertNever } from "../base/assert.js";
import { printExpression } from "./print-expression.js";
import type { Instruction, NameOperand, Operand } from "./tree.js";

/** An instruction with its guard and semicolon. */
export function printInstruction({ guard, opcode, operands }: Instruction): string {
  const condition = guard === undefined ? "" : `@${guard.negated ? "!" : ""}${guard.name.text} `;
  const list = operands.map(printOperand).join(", ");
  return `${condition}${opcode.text}${list === "" ? "" : ` ${list}`};`;
}

/** One operand. */
function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case "name":
      return printName(operand);
    case "constant":
      return printExpression(operand.value);
    case "vector":
      return `{${operand.elements.map(printOperand).join(", ")}}`;
    case "list":
      return `(${operand.elements.map(printOperand).join(", ")})`;
    case "address":
      return `[${[operand.base, ...operand.rest].map(printOperand).join(", ")}]`;
    case "pair":
      return `${printOperand(operand.first)}|${printOperand(operand.second)}`;
    case "not":
      return `!${printOperand(operand.operand)}`;
    case "negate":
      return `-${printOperand(operand.operand)}`;
    case "element":
      return `${operand.array.text}[${printOperand(operand.index)}]`;
    case "sink":
      return "_";
    default:
      return assertNever(operand);
  }
}

function printName({ name, selector, offset, subtracted }: NameOperand): string {
  const selected = selector === undefined ? name.text : `${name.text}.${selector}`;
  if (offset === undefined) return selected;
  return `${selected}${subtracted === true ? "" : "+"}${printExpression(offset)}`;
}
