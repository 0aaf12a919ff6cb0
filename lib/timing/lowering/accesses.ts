// The instructions that have an access in a trace.

import type { LoweredInstruction } from "./lowered.js";

/** Whether an instruction has a word in `accesses` if a lane's guard holds. */
export function accessesMemory({ kind }: Pick<LoweredInstruction, "kind">): boolean {
  switch (kind) {
    case "load":
    case "store":
    case "atomic":
    case "reduce":
    case "prefetch":
    case "async":
    case "poll":
    case "signal":
      return true;
    default:
      return false;
  }
}
