// The registers that an instruction reads and writes, for operands of all kinds.

import type { Instruction, Operand } from "../../isa/instruction.js";

function eachRegister(operand: Operand | undefined, visit: (register: number) => void): void {
  switch (operand?.kind) {
    case "register":
      visit(operand.register);
      break;
    case "address":
    case "address-of":
      if (operand.base.kind === "register") visit(operand.base.register);
      if (operand.kind === "address") for (const item of operand.rest) eachRegister(item, visit);
      break;
    case "vector":
    case "list":
      for (const element of operand.elements) eachRegister(element, visit);
      break;
    case "pair":
      eachRegister(operand.first, visit);
      eachRegister(operand.second, visit);
      break;
    default:
  }
}

export interface RegisterUse {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
}

/**
 * Registers by each operand's access in the instruction table. A guard is read; so is an address's register, whatever the access.
 */
export function registersOf({ opcode, operands, guard }: Instruction): RegisterUse {
  const reads: number[] = guard === undefined ? [] : [guard.register];
  const writes: number[] = [];
  opcode.form.operands.forEach(({ access }, i) => {
    const operand = operands[i];
    const isPlace = operand?.kind !== "address" && operand?.kind !== "address-of";
    eachRegister(operand, (register) => {
      if (access !== "write" || !isPlace) reads.push(register);
      if (access !== "read" && isPlace) writes.push(register);
    });
  });
  return { reads, writes };
}
