// Cheap pre-filter for lints: decides, while instructions are matched, whether lint-body.ts must walk this function.

import type { Code, FrameVariable } from "../../isa/code.js";
import type { Guard, Instruction, Operand } from "../../isa/instruction.js";
import type { Opcode } from "../../isa/opcode.js";
import type { ModuleSymbol } from "../module.js";
import { instructionLints } from "./lints.js";
import type { Declared, InstructionLint } from "./lint.js";
import {
  createRegisterUses,
  hasRegisterFinding,
  noteOperand,
  noteRegister,
  READ,
  registerRoles,
  type RegisterUses,
} from "./registers.js";

/** The facts collected about one body. */
export interface LintCandidate {
  /** Whether a lint on single instructions or on constants may apply. */
  needsLint: boolean;
  readonly registers: RegisterUses;
  readonly declared: Declared;
}

export const createLintCandidate = (
  variables: readonly FrameVariable[],
  symbols: readonly ModuleSymbol[],
): LintCandidate => ({ needsLint: false, registers: createRegisterUses(), declared: { variables, symbols } });

/** The properties of an opcode that lints use. */
export interface LintTraits {
  /** Register uses by operand number. */
  readonly roles: readonly number[];
  readonly lints: readonly InstructionLint[];
}

export const lintTraits = (opcode: Opcode): LintTraits => ({
  roles: registerRoles(opcode),
  lints: instructionLints(opcode),
});

/** Records the next instruction of the body. */
export function noteInstruction(
  candidate: LintCandidate,
  { opcode, guard, operands }: Instruction,
  traits: LintTraits,
): void {
  beginInstruction(candidate, guard);
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i];
    if (operand !== undefined) noteOperand(candidate.registers, operand, traits.roles[i]!, opcode.operands[i]!);
  }
  endInstruction(candidate, traits, operands);
}

/** Begins an instruction whose operands the caller notes itself before it calls `endInstruction`. */
export function beginInstruction({ registers }: LintCandidate, guard: Guard | undefined): void {
  registers.count++;
  if (guard !== undefined) noteRegister(registers, guard.register, READ);
}

export function endInstruction(
  candidate: LintCandidate,
  { lints }: LintTraits,
  operands: readonly (Operand | undefined)[],
): void {
  for (let i = 0; i < lints.length; i++)
    if (lints[i]!.mayApply(operands, candidate.declared)) candidate.needsLint = true;
}

/** Whether the body must be walked. The candidate must not be used afterwards. */
export const needsLint = ({ needsLint: isFound, registers }: LintCandidate, code: Code): boolean =>
  isFound || hasRegisterFinding(registers, code);
