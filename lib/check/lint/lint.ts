// The interface of lints, which warn of valid code: what ptxas 13.0 accepts silently although it cannot be intended. Each depends
// on the text alone: an access that faults whenever it executes, a register that is never written, a constant that loses bits.
// `mayApply` is cheap and may return true wrongly: it is called while instructions are matched, with indices and bits. `report`
// is called only in bodies for which some lint returned true, with the syntax tree.
//
// Rejected, because valid programs have them: unused registers and labels (compilers leave them), comparisons that are always
// true (templates), code after an unconditional branch, and anything that depends on values at run time.

import type { Code, FrameVariable } from "../../isa/code.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import type { Opcode } from "../../isa/opcode.js";
import type { Instruction as InstructionNode } from "../../ptx/tree.js";
import type { ModuleSymbol } from "../module.js";
import type { Reporter } from "../reporter.js";

/** The declarations that operands refer to, for the part of a body that has been checked. */
export interface Declared {
  readonly variables: readonly FrameVariable[];
  readonly symbols: readonly ModuleSymbol[];
}

/** What a lint's report needs in addition to the instruction. */
export interface LintContext {
  readonly code: Code;
  readonly symbols: readonly ModuleSymbol[];
  readonly reporter: Reporter;
}

/** A lint on single instructions of one opcode. */
export interface InstructionLint {
  mayApply(operands: readonly (Operand | undefined)[], declared: Declared): boolean;
  report(instruction: Instruction, node: InstructionNode, context: LintContext): void;
}

/** Makes the lint for an opcode; undefined if it does not apply to the opcode. */
export type InstructionLintMaker = (opcode: Opcode) => InstructionLint | undefined;

/** The index of the operand of that name, or -1. */
export const placeNamed = ({ operands }: Opcode, name: string): number =>
  operands.findIndex(({ spec }) => spec.name === name);
