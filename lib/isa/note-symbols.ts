// Visits the symbols in an operand and all its parts.

import type { Base, Operand } from "./instruction.js";

/** Adds the indices of the symbols to a set. */
export function noteSymbols(operand: Operand, into: Set<number>): void {
  switch (operand.kind) {
    case "address-of":
      return visitBase(operand.base, into);
    case "address":
      visitBase(operand.base, into);
      for (const item of operand.rest) noteSymbols(item, into);
      return;
    case "vector":
    case "list":
      for (const item of operand.elements) noteSymbols(item, into);
      return;
    case "pair":
      noteSymbols(operand.first, into);
      return noteSymbols(operand.second, into);
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
