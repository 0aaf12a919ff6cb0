// A bound instruction as the sanitizer receives it to make a watch: the places that it reads and writes, and its addresses.

import type { Watch } from "../state/sanitizer.js";
import type { Instruction } from "../../isa/instruction.js";
import type { Opcode } from "../../isa/opcode.js";
import type { Place } from "../state/frame.js";
import type { BoundOperand } from "../state/step.js";
import type { Binder } from "./binder.js";
import type { Scope as Places } from "./scope.js";
import type { BoundTarget } from "./target.js";

export interface Watched {
  readonly instruction: Instruction;
  readonly opcode: Opcode;
  readonly binder: Binder;
  readonly places: Places;
  /** Places read and written, in the order in which the meaning bound them. */
  readonly reads: readonly Place[];
  readonly writes: readonly Place[];
  readonly operands: readonly BoundOperand[];
  readonly targets: readonly BoundTarget[];
}

/** Makes the watch of an instruction; undefined if it needs none. */
export type Instrument = (watched: Watched) => Watch | undefined;
