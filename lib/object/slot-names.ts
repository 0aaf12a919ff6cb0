// What each symbol slot of a function refers to: by its relocation, and where the linker has resolved that (constant and
// shared offsets of an image), by the variable that stands at the offset which it wrote.

import type { SymbolText } from "./print-code.js";
import type { ObjectFile, Section, VariableSymbol } from "./object.js";
import type { SlotSpace, StoredSlot } from "./slots.js";

export interface SlotTarget {
  /** Index into ObjectFile.symbols; undefined when nothing is known to stand there. */
  readonly symbol: number | undefined;
  /** Bytes from the symbol's start; without a symbol, the offset that the slot holds. */
  readonly offset: bigint;
}

/** The targets of the slots of one function, in their order. */
export function slotTargets(object: ObjectFile, section: Section, slots: readonly StoredSlot[]): readonly SlotTarget[] {
  const relocations = new Map(section.relocations.map((relocation) => [relocation.offset, relocation]));
  return slots.map(({ offset, space, word }) => {
    const relocation = relocations.get(offset);
    if (relocation !== undefined) return { symbol: relocation.symbol, offset: relocation.addend };
    return variableAt(object, space, word) ?? { symbol: undefined, offset: word };
  });
}

function variableAt(object: ObjectFile, space: SlotSpace, word: bigint): SlotTarget | undefined {
  const holds = (variable: VariableSymbol, offset: number): boolean =>
    variable.space === space && BigInt(offset) <= word && word < BigInt(offset + Math.max(variable.layout.size, 1));
  for (const [symbol, variable] of object.symbols.entries()) {
    if (variable.kind !== "variable" || variable.placement.kind !== "section") continue;
    const { offset } = variable.placement;
    if (holds(variable, offset)) return { symbol, offset: word - BigInt(offset) };
  }
  return undefined;
}

/** How a target is written, given what symbols are called. */
export function slotText(target: SlotTarget, nameOf: (symbol: number) => string): SymbolText {
  if (target.symbol === undefined) return { name: String(target.offset), offset: 0n };
  return { name: nameOf(target.symbol), offset: target.offset };
}
