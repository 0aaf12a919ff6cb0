// Lists every lint. Those on registers (registers.ts) and constants (constants.ts) examine operands, the others single
// instructions. A new lint is a file and an entry here.

import type { Opcode } from "../../isa/opcode.js";
import { accessLint } from "./access.js";
import { divisionLint, shiftLint } from "./arithmetic.js";
import type { InstructionLint, InstructionLintMaker } from "./lint.js";

const makers: readonly InstructionLintMaker[] = [accessLint, shiftLint, divisionLint];

// Memoizes a pure function of the shared opcodes.
const known = new WeakMap<Opcode, readonly InstructionLint[]>();

/** The lints on instructions of an opcode. */
export function instructionLints(opcode: Opcode): readonly InstructionLint[] {
  let lints = known.get(opcode);
  if (lints === undefined) known.set(opcode, (lints = makers.flatMap((make) => make(opcode) ?? [])));
  return lints;
}
