// Whether a loop does nothing but read one place until it changes: `while (flag == 0) {}`. Such a read is one of a flag, whatever else
// its modifiers say.

import type { Operand } from "../../isa/instruction.js";
import type { Watched } from "./instruction.js";

/** Instructions between the read and the branch back, at most. */
const MOST_INSTRUCTIONS = 24;

const registersIn = (operand: Operand | undefined): readonly number[] =>
  operand?.kind === "register"
    ? [operand.register]
    : operand?.kind === "vector"
      ? operand.elements.flatMap(registersIn)
      : [];

export function isPolling({ instruction, places }: Watched): boolean {
  const { instructions } = places.fn.code;
  const pc = instructions.indexOf(instruction);
  const derived = new Set(registersIn(instruction.operands[0]));
  let decides = false;
  for (let at = pc + 1; at < instructions.length && at <= pc + MOST_INSTRUCTIONS; at++) {
    const { opcode, guard, operands } = instructions[at]!;
    if (opcode.form.opcode === "bra") {
      decides ||= guard !== undefined && derived.has(guard.register);
      const [label] = operands;
      if (label?.kind === "label" && label.target <= pc && pc - label.target <= MOST_INSTRUCTIONS) {
        // A copy of the loop's head may lie in front: only what is between counts.
        const between = instructions.slice(label.target, at);
        return decides && between.every((each) => !["st", "bar", "barrier"].includes(each.opcode.form.opcode));
      }
      continue;
    }
    const reads = operands.slice(1).flatMap(registersIn);
    if (reads.some((register) => derived.has(register))) for (const register of registersIn(operands[0])) derived.add(register);
  }
  return false;
}
