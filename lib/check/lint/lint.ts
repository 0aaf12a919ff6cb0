// What a lint is. Lints warn about code that is right: what ptxas 13.0 takes without a word although it cannot have been meant.
// Each is a fact of the text alone: an access that faults whenever it runs, a register that nothing writes, a constant that
// loses bits. `mayApply` is cheap and may err by saying yes: it is asked while instructions are matched, with indices and bits
// at hand; `report` is asked only in bodies for which some lint said yes, with the syntax tree at hand.
//
// Rejected, because right programs have them: unused registers and labels (compilers leave them), comparisons that are
// always true (templates), code behind an unconditional branch, anything that needs to know values at run time.

import type { Code, FrameVariable } from "../../isa/code.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import type { Opcode } from "../../isa/opcode.js";
import type { Instruction as InstructionNode } from "../../ptx/tree.js";
import type { ModuleSymbol } from "../module.js";
import type { Reporter } from "../reporter.js";

/** The declarations that operands refer to, as far as a body has been checked. */
export interface Declared {
  readonly variables: readonly FrameVariable[];
  readonly symbols: readonly ModuleSymbol[];
}

/** The context of a report besides the instruction. */
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

/** Makes the lint for an opcode; undefined where it has nothing to look at. */
export type InstructionLintMaker = (opcode: Opcode) => InstructionLint | undefined;

/** The index of the operand of that name, or -1. */
export const placeNamed = ({ operands }: Opcode, name: string): number =>
  operands.findIndex(({ spec }) => spec.name === name);
