// Finds the symbols that may be roots of --gc-sections (./roots.ts): one byte for each; names only on demand.

import { CANDIDATE, type Candidates } from "./roots.js";
import { isBank, isDynamic, type Resolution } from "../resolve/resolve.js";
import {
  isVariableAlias,
  isCommon,
  isEntry,
  isFunction,
  isReferenceDefinition,
  isReference,
  LINKAGE,
  linkageOf,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";
import { internString, stringOf, type StringId } from "../../object/columns/strings.js";

export function rootCandidates(columns: Columns, { count, chosen }: Resolution): Candidates {
  const traits = new Uint8Array(count);
  for (let row = 0; row < count; row++) traits[row] = traitsOf(columns, chosen[row]!);
  return {
    count,
    traits,
    nameOf: (row) => stringOf(columns.strings, columns.name[chosen[row]!]!),
    named(names) {
      const nameOf = new Map<StringId, string>();
      for (const name of names) nameOf.set(internString(columns.strings, name), name);
      const found = new Map<number, string>();
      for (let row = 0; row < count; row++) {
        const name = nameOf.get(columns.name[chosen[row]!]!);
        if (name !== undefined) found.set(row, name);
      }
      return found;
    },
  };
}

function traitsOf(columns: Columns, symbol: SymbolRow): number {
  const linkage = linkageOf(columns, symbol);
  const local = linkage === LINKAGE.static ? CANDIDATE.local : 0;
  if (isReference(columns, symbol))
    return (
      local |
      CANDIDATE.variable |
      (linkage === LINKAGE.visible ? CANDIDATE.visible : 0) |
      (isReferenceDefinition(columns, symbol) ? CANDIDATE.defined : 0)
    );
  if (columns.sectionOf[symbol]! < 0 && !isCommon(columns, symbol) && !isVariableAlias(columns, symbol)) {
    if (isBank(columns, symbol)) {
      const visible = linkage === LINKAGE.visible ? CANDIDATE.visible : 0;
      return local | CANDIDATE.awaited | CANDIDATE.variable | CANDIDATE.filled | visible;
    }
    const isAwaited = isFunction(columns, symbol) || isDynamic(columns, symbol);
    return local | (isAwaited ? CANDIDATE.awaited : 0);
  }
  const defined = local | CANDIDATE.defined;
  if (isFunction(columns, symbol)) return defined | (isEntry(columns, symbol) ? CANDIDATE.kernel : 0);
  return defined | CANDIDATE.variable | (linkage === LINKAGE.visible ? CANDIDATE.visible : 0);
}
