// Integer arithmetic on values that are uniform in a warp runs on the uniform datapath, which takes an issue slot and no lanes
// of the alu and fma pipes. ptxas 13.0 for sm_90 uses it for loop counters and for values derived from the launch's dimensions
// (machine code of our microbenchmarks: the counter of every loop that all threads leave together). With a counter on the alu
// or fma pipe, two warps that share two pipes alternate without a gap (op_addxor_u32 with 8 warps: 0.88 of the measured time).

import type { Code } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";
import { isSharedByBlock, operandRegisters } from "./operands.js";

/** Forms that the uniform datapath executes. */
const computed = /^(add\.int|sub\.int|mul\.lo|mad\.lo|shl|shr|and|or|xor|not|lop3)$/;

/** Indices of the instructions that the compiler assigns to the uniform datapath. */
export function uniformInstructions(code: Code): ReadonlySet<number> {
  const { instructions } = code;
  const registers = instructions.map((instruction) => operandRegisters(instruction));
  const varies = new Uint8Array(code.registers.length).fill(1);
  for (const { writes } of registers) for (const register of writes) varies[register] = 0;
  const diverges = new Uint8Array(instructions.length);
  instructions.forEach(({ opcode }, at) => {
    if (opcode.form.id.startsWith("brx")) diverges.fill(1, at + 1);
  });
  for (let changed = true; changed;) {
    changed = false;
    instructions.forEach((instruction, at) => {
      const { guard } = instruction;
      const isVarying =
        diverges[at] === 1 ||
        (guard !== undefined && varies[guard.register] === 1) ||
        !keepsUniform(instruction) ||
        registers[at]!.reads.some((register) => varies[register] === 1);
      if (!isVarying) return;
      for (const register of registers[at]!.writes)
        if (varies[register] === 0) {
          varies[register] = 1;
          changed = true;
        }
      if (guard !== undefined && varies[guard.register] === 1) changed = markDivergent(code, at, diverges) || changed;
    });
  }
  return new Set(
    instructions.flatMap((instruction, at) =>
      computed.test(instruction.opcode.form.id) &&
      modifier(instruction.opcode, "type")?.endsWith("32") === true &&
      instruction.guard === undefined &&
      registers[at]!.writes.every((register) => varies[register] === 0)
        ? [at]
        : [],
    ),
  );
}

/** Whether equal operands give equal results in all threads. */
function keepsUniform({ opcode, operands }: Instruction): boolean {
  const { id } = opcode.form;
  if (id === "ld") return (modifier(opcode, "ss") ?? "").startsWith("param");
  if (!/^(mov|cvta|cvt|add|sub|mul|mad|shl|shr|and|or|xor|not|lop3|setp|selp|min|max)(\.|$)/.test(id)) return false;
  return operands.every((operand) => operand?.kind !== "special" || isSharedByBlock(operand.name));
}

/** Marks the instructions that a divergent branch at `at` jumps over, unless it jumps to the end; returns whether any is new. */
function markDivergent({ instructions }: Code, at: number, diverges: Uint8Array): boolean {
  const { opcode, operands } = instructions[at]!;
  const label = operands.find((operand) => operand?.kind === "label");
  if (opcode.form.id !== "bra" || label?.kind !== "label") return false;
  const { target } = label;
  if (/^(ret|exit)$/.test(instructions[target]?.opcode.form.id ?? "ret")) return false;
  const [from, to] = target > at ? [at + 1, target] : [target, at + 1];
  const isNew = diverges.subarray(from, to).includes(0);
  diverges.fill(1, from, to);
  return isNew;
}
