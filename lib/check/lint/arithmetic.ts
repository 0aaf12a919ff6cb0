// Lints: a shift by a constant that shifts every bit out, and a division by the constant zero.

import { hasTrait, type Opcode } from "../../isa/opcode.js";
import type { Operand } from "../../isa/instruction.js";
import { placeNamed, type InstructionLint } from "./lint.js";

type Immediate = Operand & { readonly kind: "immediate" };

export function shiftLint(opcode: Opcode): InstructionLint | undefined {
  const type = opcode.operands[0]?.type;
  if (!hasTrait(opcode, "shift") || type === undefined) return undefined;
  const { bits } = type;
  const count = placeNamed(opcode, "b");
  const isTooFar = (operand: Operand | undefined): operand is Immediate =>
    operand?.kind === "immediate" && operand.bits >= BigInt(bits);
  return {
    mayApply: (operands) => isTooFar(operands[count]),
    report({ operands }, node, { reporter }) {
      const by = operands[count];
      if (!isTooFar(by)) return;
      const message = `a shift by ${BigInt.asIntN(32, by.bits)} leaves nothing of ${bits} bits`;
      reporter.report("shift-range", node.operands.at(-1)!, message);
    },
  };
}

export function divisionLint(opcode: Opcode): InstructionLint | undefined {
  if (!hasTrait(opcode, "divide")) return undefined;
  const divisor = placeNamed(opcode, "b");
  const isZero = (operand: Operand | undefined): boolean => operand?.kind === "immediate" && operand.bits === 0n;
  return {
    mayApply: (operands) => isZero(operands[divisor]),
    report({ operands }, node, { reporter }) {
      if (!isZero(operands[divisor])) return;
      const message = `${opcode.spelling} by the constant zero: the result is not defined`;
      reporter.report("division-by-zero", node.operands.at(-1)!, message);
    },
  };
}
