// Integer arithmetic on values that all threads of a warp share runs on the uniform datapath, which takes an issue slot and no lanes of
// the alu and fma pipes. ptxas 13.0 for sm_90 puts loop counters there, and what it computes from the sizes of the launch (machine
// code of our microbenchmarks: the counter of every loop that all threads leave at once). With a counter on the alu or fma pipe, two
// warps that share two pipes alternate without a gap (op_addxor_u32 with 8 warps: 0.88 of the measured time).

import type { Code } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import { modifier } from "../../isa/opcode.js";
import { operandRegisters } from "./operands.js";

/** Special registers that all threads of a block share: PTX ISA chapter 10. */
const shared =
  /^%?(n?ctaid|ntid|nctaid|gridid|clusterid|nclusterid|cluster_ctaid|cluster_nctaid|cluster_ctarank)(\.|$)/;

/** Forms that the uniform datapath computes. */
const computed = /^(add\.int|sub\.int|mul\.lo|mad\.lo|shl|shr|and|or|xor|not|lop3)$/;

/** Instructions of a kernel that the compiler puts on the uniform datapath. */
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

/** Whether an instruction makes of equal operands equal results for all threads. */
function keepsUniform({ opcode, operands }: Instruction): boolean {
  const { id } = opcode.form;
  if (id === "ld") return (modifier(opcode, "ss") ?? "").startsWith("param");
  if (!/^(mov|cvta|cvt|add|sub|mul|mad|shl|shr|and|or|xor|not|lop3|setp|selp|min|max)(\.|$)/.test(id)) return false;
  return operands.every((operand) => operand?.kind !== "special" || shared.test(operand.name));
}

/** Marks what a branch at `at` that some threads take jumps over, but for a jump to the end; whether that is new. */
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
