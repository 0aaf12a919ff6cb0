// Expands a register plus a constant as a source operand, `add.u32 %r1, %r2 + 4, %r3`: PTX ISA 6.4.1 allows it in addresses only.
// ptxas 13.0 accepts it for every single value and adds in the register's own width (the same machine code as with an add before
// it, measured). An add is therefore inserted before the instruction.
//
// Rejected: a separate kind of operand, which every reader of instructions would have to support.

import type { Operand } from "../isa/instruction.js";
import type { OperandShape } from "../isa/opcode.js";
import type { Instruction as InstructionNode, NameOperand, Operand as OperandNode } from "../ptx/tree.js";
import type { Builder } from "./builder.js";
import { unusedName } from "./element.js";
import type { Resolved } from "./resolve.js";
import { declareRegister, findBinding } from "./scope.js";
import type { NameContext } from "./symbols.js";

/** Instructions for which ptxas does not accept sums: it replaces these by other instructions, or by calls. */
const withoutSums = /^(?:brx|call|pmevent|v[a-z]+[24]?\.(?!sync|any|all|uni|ballot))/;

/** The sums of an instruction's operands: the inserted additions, and the operands with their results. */
export interface Sums {
  readonly additions: readonly InstructionNode[];
  readonly operands: readonly Resolved[];
  /** Registers that hold the sums. */
  readonly registers: ReadonlySet<number>;
}

/** The sums of an instruction; undefined if no operand is a sum, or one has a register that cannot be in a sum. */
export function takeSums(node: InstructionNode, operands: readonly Resolved[], names: NameContext): Sums | undefined {
  if (!operands.some(({ kind }) => kind === "register-offset") || withoutSums.test(node.opcode.text)) return undefined;
  const additions: InstructionNode[] = [];
  const registers = new Set<number>();
  const taken = operands.map((operand): Resolved => {
    if (operand.kind !== "register-offset") return operand;
    const { type, vector } = operand.register;
    const isSummed = vector === 1 && type.class !== "float" && type.class !== "predicate" && type.lanes === 1;
    if (!isSummed || type.bits < 16 || type.bits > 64) return operand;
    const name = unusedName("sum", names.scope);
    const at = { start: operand.node.start, end: operand.node.end };
    declareRegister(names.scope, { ...at, text: name }, type, 1);
    const binding = findBinding(names.scope, name, names.registers);
    if (binding?.kind !== "register") return operand;
    names.reporter.report(
      "beyond-isa",
      operand.node,
      `${operand.register.name} plus a constant is only valid in an address; ptxas accepts it and adds first`,
    );
    const nameOf = (text: string): NameOperand => ({ kind: "name", ...at, name: { ...at, text } });
    const value = { kind: "integer", ...at, value: BigInt.asUintN(type.bits, operand.offset), unsigned: true } as const;
    const constant: OperandNode = { kind: "constant", ...at, value };
    const opcode = { ...at, text: `add.${type.class === "signed" ? "s" : "u"}${type.bits}` };
    const addition = [nameOf(name), nameOf((operand.node as NameOperand).name.text), constant];
    additions.push({ kind: "instruction", ...at, opcode, operands: addition });
    registers.add(binding.index);
    // Messages show the register's name in the text.
    return {
      kind: "register",
      index: binding.index,
      register: operand.register,
      selector: undefined,
      node: operand.node,
    };
  });
  return additions.length === 0 ? undefined : { additions, operands: taken, registers };
}

/** Whether an instruction writes one of these registers: a sum cannot be a result. */
export const writesSum = (
  operands: readonly (Operand | undefined)[],
  shapes: readonly OperandShape[],
  { registers }: Sums,
): number =>
  operands.findIndex(
    (operand, i) =>
      operand?.kind === "register" && shapes[i]!.spec.access !== "read" && registers.has(operand.register),
  );

// --------------------------------------------------------------------------------------------------------------- labels

/** Moves labels: they were counted before additions were found. */
export function moveLabels({ instructions, branchTargets, additions }: Builder): void {
  const moved = (target: number): number => {
    let before = 0;
    while (before < additions.length && additions[before]! < target) before++;
    return target + before;
  };
  const isLabel = (operand: Operand | undefined): boolean => operand?.kind === "label";
  for (let i = 0; i < instructions.length; i++) {
    const instruction = instructions[i];
    if (instruction?.operands.some(isLabel) !== true) continue;
    const operands = instruction.operands.map((operand) =>
      operand?.kind === "label" ? ({ kind: "label", target: moved(operand.target) } as const) : operand,
    );
    instructions[i] = { ...instruction, operands };
  }
  for (const list of branchTargets) list.targets = list.targets.map(moved);
}
