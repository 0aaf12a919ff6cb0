// Every lint. Those on registers (registers.ts) and on constants (constants.ts) look at operands, the others at single
// instructions: a new one is a file and a line here.

import type { Opcode } from "../../isa/opcode.js";
import { accessLint } from "./access.js";
import { divisionLint, shiftLint } from "./arithmetic.js";
import type { InstructionLint, InstructionLintMaker } from "./lint.js";

const makers: readonly InstructionLintMaker[] = [accessLint, shiftLint, divisionLint];

// A memo of a pure function of the shared opcodes.
const known = new WeakMap<Opcode, readonly InstructionLint[]>();

/** The lints on instructions of an opcode. */
export function instructionLints(opcode: Opcode): readonly InstructionLint[] {
  let lints = known.get(opcode);
  if (lints === undefined) known.set(opcode, (lints = makers.flatMap((make) => make(opcode) ?? [])));
  return lints;
}
