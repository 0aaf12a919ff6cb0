// The row of call: intrinsics, inline assembly, and functions.

import type { CallInstruction } from "../ir/instruction.js";
import { lowerCallOf } from "./call.js";
import type { Lowering } from "./selection.js";

export const lowerCall: Lowering<CallInstruction> = (selection, call) => {
  return lowerCallOf(selection, call);
};
