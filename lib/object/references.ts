// What a function's code refers to: the symbols it calls by name, the functions whose address it takes, and all of them.
// The call graph and the symbol table of an object are made from this.

import type { Code } from "../isa/code.js";
import type { Base, Operand } from "../isa/instruction.js";

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
  for (const { opcode, operands } of code.instructions) {
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i];
      if (operand === undefined || operand.kind === "register" || operand.kind === "immediate") continue;
      visit(operand, opcode.form.operands[i]?.kind === "callee" ? called : named);
    }
  }
  for (const { symbol } of code.moduleRegisters ?? []) named.add(symbol);
  for (const table of code.callTargets) for (const symbol of table.symbols) called.add(symbol);
  if (called.size === 0 && named.size === 0) return noReferences;
  return { called: [...called], named: [...named], all: [...new Set([...called, ...named])] };
}

const noReferences: CodeReferences = { called: [], named: [], all: [] };

function visit(operand: Operand, into: Set<number>): void {
  switch (operand.kind) {
    case "address-of":
      return visitBase(operand.base, into);
    case "address":
      visitBase(operand.base, into);
      for (const item of operand.rest) visit(item, into);
      return;
    case "vector":
    case "list":
      for (const item of operand.elements) visit(item, into);
      return;
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

function visitBase(base: Base, into: Set<number>): void {
  if (base.kind === "symbol") into.add(base.symbol);
}
