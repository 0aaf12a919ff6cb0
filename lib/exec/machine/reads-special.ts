// Whether a kernel, or a function that its code names directly or indirectly, reads certain special registers.

import type { Operand } from "../../isa/instruction.js";
import type { LoadedFunction, LoadedKernel, Process } from "../../load/process.js";

/** `asked` is called with names without the percent sign. */
export function readsSpecial(process: Process, kernel: LoadedKernel, isRead: (name: string) => boolean): boolean {
  const reads = (operand: Operand | undefined): boolean =>
    operand?.kind === "special" && isRead(operand.name.replace(/^%/, ""));
  const seen = new Set<LoadedFunction>([kernel.function]);
  for (const fn of seen) {
    if (fn.code.instructions.some(({ operands }) => operands.some(reads))) return true;
    for (const { space, value } of fn.slots) {
      const called = space === "function" ? process.functionAt(value) : undefined;
      if (called !== undefined && called.system === undefined) seen.add(called);
    }
  }
  return false;
}
