// The row of call: intrinsics, inline assembly, and functions.

import type { CallInstruction } from "../ir/instruction.js";
import { lowerAssembly } from "./assembly.js";
import { calledFunction, lowerCallOf } from "./call.js";
import { lowerIntrinsic } from "./intrinsic.js";
import { literal } from "./machine.js";
import { reflected } from "./other-intrinsics.js";
import type { Lowering } from "./selection.js";

export const lowerCall: Lowering<CallInstruction> = (selection, call) => {
  if (call.callee.kind === "asm") return lowerAssembly(selection, call, call.callee);
  const fn = calledFunction(selection, call.callee);
  if (fn?.name.startsWith("llvm.") === true) return lowerIntrinsic(selection, call, fn.name);
  if (fn?.name === "__nvvm_reflect") return [literal("b32", reflected(selection, call))];
  return lowerCallOf(selection, call);
};
