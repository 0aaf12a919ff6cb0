// The registers that an instruction reads and writes.

import type { Instruction, Operand } from "../../isa/instruction.js";
import type { OperandShape } from "../../isa/opcode.js";

export interface Registers {
  /** Without the guard's. */
  readonly reads: number[];
  readonly writes: number[];
}

/** Registers of the operands, without the guard. */
export function operandRegisters(instruction: Instruction): Registers {
  const found: Registers = { reads: [], writes: [] };
  instruction.operands.forEach((operand, i) => collect(operand, instruction.opcode.operands[i]!, found));
  return found;
}

/** Registers that an instruction reads and writes, including its guard. */
export function registersOf(instruction: Instruction): Registers {
  const found = operandRegisters(instruction);
  if (instruction.guard !== undefined) found.reads.unshift(instruction.guard.register);
  return found;
}

function collect(operand: Operand | undefined, shape: OperandShape, found: Registers): void {
  switch (operand?.kind) {
    case "register":
      if (shape.spec.access !== "write") found.reads.push(operand.register);
      if (shape.spec.access !== "read") found.writes.push(operand.register);
      return;
    case "address":
    case "address-of":
      if (operand.base.kind === "register") found.reads.push(operand.base.register);
      if (operand.kind === "address") operand.rest.forEach((item, i) => collect(item, shape.rest[i] ?? shape, found));
      return;
    case "vector":
    case "list":
      for (const element of operand.elements) collect(element, shape, found);
      return;
    case "pair":
      collect(operand.first, shape, found);
      collect(operand.second, shape.pair ?? shape, found);
      return;
    case "special":
    case "immediate":
    case "label":
    case "table":
    case "sink":
    case undefined:
      return;
  }
}

/** Special registers with one value for all threads of a block: PTX ISA chapter 10. */
const sharedByBlock = /^%?(n?ctaid|ntid|gridid|n?smid|n?clusterid|cluster_n?cta(id|rank))(\.|$)/;

/** Whether all threads of a block read the same value of a special register. */
export const isSharedByBlock = (name: string): boolean => sharedByBlock.test(name);
