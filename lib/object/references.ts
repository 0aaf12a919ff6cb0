// What a function's code refers to: the symbols it calls by name, the functions whose address it takes, and all of them.
// The call graph and the symbol table of an object are made from this.

import type { Code } from "../isa/code.js";
import type { Base, Instruction, Operand } from "../isa/instruction.js";

export interface CodeReferences {
  /** Called by name, or named in a `.calltargets` list; each once, in order of first use. */
  readonly called: readonly number[];
  /** Named anywhere else as a value. Variables too; the caller knows which are functions. */
  readonly named: readonly number[];
  readonly all: readonly number[];
}

/** Walks the code once. */
export function referencesOf(code: Pick<Code, "instructions" | "callTargets" | "moduleRegisters">): CodeReferences {
  const called = new Set<number>();
  const named = new Set<number>();
  for (const instruction of code.instructions) {
    instruction.operands.forEach((operand, i) => {
      if (operand !== undefined) visit(operand, isCallee(instruction, i) ? called : named);
    });
  }
  for (const { symbol } of code.moduleRegisters ?? []) named.add(symbol);
  for (const table of code.callTargets) for (const symbol of table.symbols) called.add(symbol);
  return { called: [...called], named: [...named], all: [...new Set([...called, ...named])] };
}

function isCallee(instruction: Instruction, operand: number): boolean {
  return instruction.opcode.form.operands[operand]?.kind === "callee";
}

function visit(operand: Operand, into: Set<number>): void {
  const base = (of: Base): void => {
    if (of.kind === "symbol") into.add(of.symbol);
  };
  switch (operand.kind) {
    case "address-of":
      return base(operand.base);
    case "address":
      base(operand.base);
      return operand.rest.forEach((item) => visit(item, into));
    case "vector":
    case "list":
      return operand.elements.forEach((item) => visit(item, into));
    case "pair":
      visit(operand.first, into);
      return visit(operand.second, into);
    case "register":
    case "special":
    case "immediate":
    case "label":
    case "table":
    case "sink":
      return;
  }
}
