// The readers of bitcode instructions.

import type { Instruction } from "../ir/instruction.js";
import type { Base } from "./make.js";
import type { Operands } from "./operands.js";

export type Read = (operands: Operands, base: Base) => Instruction;
