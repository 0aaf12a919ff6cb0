// Instructions that LLVM has and NVVM does not, each with the section that excludes it (NVVM IR 1.0 sections 8.1 and 8.8).

import type { Instruction } from "../ir/instruction.js";
import type { Reporter } from "./facts.js";
import type { RuleName } from "./rules.table.js";
import { opcodeRange } from "./tokens.js";

interface Row {
  readonly rule: RuleName;
  readonly why: string;
  readonly remedy: string;
}

const exception = (rule: RuleName): Row => ({
  rule,
  why: "GPUs do not support exceptions",
  remedy: "compile without exceptions",
});

const foreign: Readonly<Partial<Record<Instruction["opcode"], Row>>> = {
  indirectbr: { rule: "instruction", why: "blocks have no addresses on a GPU", remedy: "use switch" },
  invoke: { ...exception("instruction"), remedy: "compile without exceptions, and call the function" },
  callbr: {
    rule: "instruction",
    why: "inline assembly cannot branch to blocks",
    remedy: "return a value from the assembly, and branch on it",
  },
  unwind: exception("instruction"),
  resume: exception("instruction"),
  catchswitch: exception("instruction"),
  catchret: exception("instruction"),
  cleanupret: exception("instruction"),
  landingpad: exception("instruction-other"),
  catchpad: exception("instruction-other"),
  cleanuppad: exception("instruction-other"),
};

/** Reports an instruction that no GPU has; ignores others. */
export function reportForeign(instruction: Instruction, reporter: Reporter): void {
  const { opcode } = instruction;
  const row = foreign[opcode];
  if (row === undefined) return;
  reporter.report(row.rule, opcodeRange(reporter.module, instruction), [opcode, row.why], { remedy: row.remedy });
}
