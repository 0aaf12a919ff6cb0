// Collects the references of a function's code: the symbols that it calls by name, the functions whose address it takes, and all
// of them. The call graph and the symbol table of an object are made from this.

import type { Code } from "../../isa/code.js";
import { noteSymbols } from "../../isa/note-symbols.js";

export interface CodeReferences {
  /** Symbols called by name, or listed in `.calltargets`; each once, in order of first use. */
  readonly called: readonly number[];
  /** Symbols used as values anywhere else, including variables; the caller knows which are functions. */
  readonly named: readonly number[];
  readonly all: readonly number[];
}

/** Collects references while the encoder walks the code. Reused for each function. */
export interface ReferenceCollector {
  /** Starts another function. */
  clear(): void;
  /** Marks the start of the instructions. */
  begin(): void;
  /** Whether the current operand is the callee. */
  isCallee: boolean;
  /** `slot`: the symbol's slot, from 0. */
  note(slot: number, symbol: number): void;
  /** The references of the walked code, the same as from `referencesOf`. */
  all(code: Pick<Code, "callTargets" | "moduleRegisters">): CodeReferences;
}

const CALLED = 1;
const NAMED = 2;

export function collectReferences(): ReferenceCollector {
  let called: number[] = [];
  let named: number[] = [];
  /** CALLED, NAMED or both, by slot. */
  let uses: number[] = [];
  let hasBegun = false;
  /** Whether any symbol is both called and named. */
  let areMixed = false;
  return {
    isCallee: false,
    clear() {
      called = [];
      named = [];
      uses = [];
      hasBegun = false;
      areMixed = false;
    },
    begin() {
      hasBegun = true;
    },
    note(slot, symbol) {
      if (!hasBegun) return;
      while (uses.length <= slot) uses.push(0);
      const use = this.isCallee ? CALLED : NAMED;
      const before = uses[slot]!;
      if ((before & use) !== 0) return;
      if (before !== 0) areMixed = true;
      uses[slot] = before | use;
      (use === CALLED ? called : named).push(symbol);
    },
    all({ callTargets, moduleRegisters = NO_REGISTERS }) {
      if (callTargets.length > 0 || moduleRegisters.length > 0)
        return withListed(called, named, callTargets, moduleRegisters);
      if (called.length === 0) return named.length === 0 ? noReferences : { called, named, all: named };
      if (named.length === 0) return { called, named, all: called };
      return areMixed ? references(called, named) : { called, named, all: joined(called, named) };
    },
  };
}

const NO_REGISTERS: NonNullable<Code["moduleRegisters"]> = [];

/** A loop: the lists are short, and a call into the engine takes longer. */
function joined(first: readonly number[], second: readonly number[]): readonly number[] {
  const all: number[] = [];
  for (let i = 0; i < first.length; i++) all.push(first[i]!);
  for (let i = 0; i < second.length; i++) all.push(second[i]!);
  return all;
}

const withListed = (
  called: readonly number[],
  named: readonly number[],
  callTargets: Code["callTargets"],
  moduleRegisters: NonNullable<Code["moduleRegisters"]>,
): CodeReferences =>
  references(
    [...called, ...callTargets.flatMap(({ symbols }) => symbols)],
    [...named, ...moduleRegisters.map(({ symbol }) => symbol)],
  );

/** Removes duplicates. */
function references(called: Iterable<number>, named: Iterable<number>): CodeReferences {
  const [calledOnce, namedOnce] = [new Set(called), new Set(named)];
  if (calledOnce.size === 0 && namedOnce.size === 0) return noReferences;
  return { called: [...calledOnce], named: [...namedOnce], all: [...new Set([...calledOnce, ...namedOnce])] };
}

/** Walks the code once to collect its references. */
export function referencesOf(code: Pick<Code, "instructions" | "callTargets" | "moduleRegisters">): CodeReferences {
  const called = new Set<number>();
  const named = new Set<number>();
  for (const { opcode, operands } of code.instructions) {
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i];
      if (operand === undefined || operand.kind === "register" || operand.kind === "immediate") continue;
      noteSymbols(operand, opcode.form.operands[i]?.kind === "callee" ? called : named);
    }
  }
  for (const { symbol } of code.moduleRegisters ?? []) named.add(symbol);
  for (const table of code.callTargets) for (const symbol of table.symbols) called.add(symbol);
  return references(called, named);
}

const noReferences: CodeReferences = { called: [], named: [], all: [] };
