// The cost of an atomic operation on global memory in addition to its sectors. Lanes of one request with the same address are
// combined at the L2 slice: integers quickly, floating point and exchanges one by one. If the address is the same for all lanes
// by construction, the compiler combines them before: the warp's sum by `redux`, then one lane's atomic. Such addresses are
// found by tracing them back to a kernel parameter or a variable.

import type { Code } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";
import { isSharedByBlock, operandRegisters } from "./operands.js";

export type AtomicCost =
  /** One lane's atomic after a reduction in the warp; the same for 64 bits. */
  "combined" | "combinedLong" | "integer" | "extreme" | "exchange" | "swap" | "float" | "none";

export const isCombined = (cost: AtomicCost): boolean => cost === "combined" || cost === "combinedLong";

/** `isReduction`: the old values are unused. */
export function atomicCost(instruction: Instruction, code: Code, isReduction: boolean): AtomicCost {
  const { opcode } = instruction;
  const { id } = opcode.form;
  if (!id.startsWith("atom") && !id.startsWith("red")) return "none";
  const operation = modifier(opcode, "op") ?? "";
  const says = (pattern: RegExp): boolean => opcode.chosen.some((word) => word !== undefined && pattern.test(word));
  if (id.includes("cas") || says(/^cas$/)) return "swap";
  if (id.includes("exch") || says(/^exch$/)) return "exchange";
  if (says(/^(b?f(16|32|64)(x2)?)$/)) return "float";
  const isLong = says(/^[usb]64$/);
  if (says(/^(min|max)$/)) return isReduction && !isLong && isUniform(instruction, code) ? "combined" : "extreme";
  const combines = operation === "" ? says(/^(add|and|or|xor)$/) : !/^(inc|dec)$/.test(operation);
  if (!combines || !isUniform(instruction, code)) return "integer";
  return isLong ? "combinedLong" : "combined";
}

/** Whether all lanes give the same value by construction: the warp then counts its lanes instead of summing. */
export function countsLanes({ operands }: Instruction, code: Code): boolean {
  const value = operands.findLast((operand) => operand !== undefined);
  if (value?.kind === "immediate") return true;
  return value?.kind === "register" && isUniformRegister(value.register, code, 0);
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
  const definitions = code.instructions.flatMap((instruction, at) =>
    operandRegisters(instruction).writes.includes(register) ? [at] : [],
  );
  // Several definitions in straight-line code that all threads execute are successive values.
  if (definitions.length === 0 || (definitions.length > 1 && definitions.at(-1)! >= firstBranch(code))) return false;
  return definitions.every((at) => {
    const definition = code.instructions[at]!;
    if (definition.guard !== undefined) return false;
    const { id } = definition.opcode.form;
    if (id === "ld") return (modifier(definition.opcode, "ss") ?? "").startsWith("param");
    if (!/^(mov|cvta|add|sub|mul|mad)(\.|$)/.test(id)) return false;
    if (definition.operands.some((operand) => operand?.kind === "special" && !isSharedByBlock(operand.name)))
      return false;
    return factorsOf(definition).every((read) => read === register || isUniformRegister(read, code, depth + 1));
  });
}

function firstBranch({ instructions }: Code): number {
  const found = instructions.findIndex(({ opcode }) => /^(bra|brx)/.test(opcode.form.id));
  return found < 0 ? instructions.length : found;
}

/** Registers that the result depends on: not those that are multiplied by 0. */
function factorsOf(definition: Instruction): readonly number[] {
  const { reads } = operandRegisters(definition);
  if (!/^(mul|mad)/.test(definition.opcode.form.id)) return reads;
  const [, first, second, addend] = definition.operands;
  const isZero = [first, second].some((operand) => operand?.kind === "immediate" && operand.bits === 0n);
  if (!isZero) return reads;
  return addend?.kind === "register" ? [addend.register] : [];
}
