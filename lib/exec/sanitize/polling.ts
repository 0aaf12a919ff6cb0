// Detects reads whose races are harmless, by the use of their value. A loop that does nothing but read one place until it changes
// reads a flag (`while (flag == 0) {}`). A value that a compare-and-swap expects is only a guess: a stale one makes it fail.

import { hasTrait } from "../../isa/opcode.js";
import type { Operand } from "../../isa/instruction.js";
import type { Watched } from "../operands/watched.js";

/** Most instructions between the read and the branch back. */
const MAX_INSTRUCTIONS = 24;

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
  for (let at = pc + 1; at < instructions.length && at <= pc + MAX_INSTRUCTIONS; at++) {
    const { opcode, guard, operands } = instructions[at]!;
    if (hasTrait(opcode, "branch")) {
      decides ||= guard !== undefined && derived.has(guard.register);
      const [label] = operands;
      if (label?.kind === "label" && label.target <= pc && pc - label.target <= MAX_INSTRUCTIONS) {
        // A copy of the loop's head may precede it: only the instructions between count.
        const between = instructions.slice(label.target, at);
        return (
          decides && !between.some((each) => hasTrait(each.opcode, "store") || hasTrait(each.opcode, "synchronizes"))
        );
      }
      continue;
    }
    const reads = operands.slice(1).flatMap(registersIn);
    if (reads.some((register) => derived.has(register)))
      for (const register of registersIn(operands[0])) derived.add(register);
  }
  return false;
}

/** Most instructions between the read and the compare-and-swap. */
const MAX_TO_SWAP = 96;

/** Whether a later atom.cas expects the value read. */
export function isGuess({ instruction, places }: Watched): boolean {
  const { instructions } = places.fn.code;
  const pc = instructions.indexOf(instruction);
  const derived = new Set(registersIn(instruction.operands[0]));
  for (let at = pc + 1; at < instructions.length && at <= pc + MAX_TO_SWAP; at++) {
    const { opcode, operands } = instructions[at]!;
    if (hasTrait(opcode, "atomic") && opcode.chosen.includes("cas")) {
      const expected = operands[opcode.form.operands.findIndex((spec) => spec.name === "b")];
      if (registersIn(expected).some((register) => derived.has(register))) return true;
    }
    // Copies, also in parts; a value computed from the polled one is a new value.
    const { id } = opcode.form;
    if (!id.startsWith("mov") && !id.startsWith("cvt") && !id.startsWith("prmt") && !id.startsWith("selp")) continue;
    if (
      operands
        .slice(1)
        .flatMap(registersIn)
        .some((register) => derived.has(register))
    )
      for (const register of registersIn(operands[0])) derived.add(register);
  }
  return false;
}
