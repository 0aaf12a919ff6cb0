// What an atomic operation on global memory costs beyond its sectors. Lanes of one request on one address are added up at the
// L2 slice: integers quickly, floating point and exchanges one by one. Where the address is the same for all lanes by
// construction, the compiler adds them up before (a warp's sum by `redux`, then one lane's atomic): found by following the
// address back to a kernel parameter or a variable.

import type { Code } from "../isa/code.js";
import type { Instruction } from "../isa/instruction.js";
import { modifier } from "../isa/opcode.js";
import { operandRegisters } from "./operands.js";

export type AtomicCost =
  /** One lane's, after a reduction in the warp. */
  "combined" | "integer" | "exchange" | "float" | "none";

export function atomicCost(instruction: Instruction, code: Code): AtomicCost {
  const { opcode } = instruction;
  const { id } = opcode.form;
  if (!id.startsWith("atom") && !id.startsWith("red")) return "none";
  const operation = modifier(opcode, "op") ?? "";
  const says = (pattern: RegExp): boolean => opcode.chosen.some((word) => word !== undefined && pattern.test(word));
  if (id.includes("cas") || id.includes("exch") || says(/^(cas|exch)$/)) return "exchange";
  if (says(/^(b?f(16|32|64)(x2)?)$/)) return "float";
  const combines = operation === "" ? says(/^(add|and|or|xor|min|max|inc|dec)$/) : !/^(inc|dec)$/.test(operation);
  return combines && isUniform(instruction, code) ? "combined" : "integer";
}

const FAR_ENOUGH = 8;

/** Whether the address is the same for all threads by construction. */
function isUniform(instruction: Instruction, code: Code): boolean {
  const address = instruction.operands.find((operand) => operand?.kind === "address");
  if (address?.kind !== "address") return false;
  if (address.base.kind !== "register") return address.base.kind === "symbol" || address.base.kind === "absolute";
  return isUniformRegister(address.base.register, code, 0);
}

function isUniformRegister(register: number, code: Code, depth: number): boolean {
  if (depth > FAR_ENOUGH) return false;
  let definition: Instruction | undefined;
  for (const instruction of code.instructions) {
    if (!operandRegisters(instruction).writes.includes(register)) continue;
    if (definition !== undefined) return false;
    definition = instruction;
  }
  if (definition === undefined || definition.guard !== undefined) return false;
  const { id } = definition.opcode.form;
  if (id === "ld") return (modifier(definition.opcode, "ss") ?? "").startsWith("param");
  if (!/^(mov|cvta|add|sub)(\.|$)/.test(id)) return false;
  if (definition.operands.some((operand) => operand?.kind === "special")) return false;
  return operandRegisters(definition).reads.every((read) => isUniformRegister(read, code, depth + 1));
}
