// Which symbols may be roots of --gc-sections (../../live/roots.ts): a byte for each, and names only on demand.

import { CANDIDATE, type Candidates } from "../../live/roots.js";
import { isBank, isDynamic, type PlainResolution } from "../names/resolve.js";
import {
  isAlias,
  isCommon,
  isEntry,
  isFunction,
  isOwnReference,
  isReference,
  LINKAGE,
  linkageOf,
  type SymbolRow,
  type Tables,
} from "../tables/tables.js";
import { internText, textOf, type TextId } from "../tables/texts.js";

export function plainCandidates(tables: Tables, { count, chosen }: PlainResolution): Candidates {
  const traits = new Uint8Array(count);
  for (let row = 0; row < count; row++) traits[row] = traitsOf(tables, chosen[row]!);
  return {
    count,
    traits,
    nameOf: (row) => textOf(tables.texts, tables.name[chosen[row]!]!),
    named(names) {
      const nameOf = new Map<TextId, string>();
      for (const name of names) nameOf.set(internText(tables.texts, name), name);
      const found = new Map<number, string>();
      for (let row = 0; row < count; row++) {
        const name = nameOf.get(tables.name[chosen[row]!]!);
        if (name !== undefined) found.set(row, name);
      }
      return found;
    },
  };
}

function traitsOf(tables: Tables, symbol: SymbolRow): number {
  const linkage = linkageOf(tables, symbol);
  const local = linkage === LINKAGE.static ? CANDIDATE.local : 0;
  if (isReference(tables, symbol))
    return (
      local |
      CANDIDATE.variable |
      (linkage === LINKAGE.visible ? CANDIDATE.visible : 0) |
      (isOwnReference(tables, symbol) ? CANDIDATE.defined : 0)
    );
  if (tables.place[symbol]! < 0 && !isCommon(tables, symbol) && !isAlias(tables, symbol)) {
    if (isBank(tables, symbol)) {
      const visible = linkage === LINKAGE.visible ? CANDIDATE.visible : 0;
      return local | CANDIDATE.awaited | CANDIDATE.variable | CANDIDATE.filled | visible;
    }
    const isAwaited = isFunction(tables, symbol) || isDynamic(tables, symbol);
    return local | (isAwaited ? CANDIDATE.awaited : 0);
  }
  const defined = local | CANDIDATE.defined;
  if (isFunction(tables, symbol)) return defined | (isEntry(tables, symbol) ? CANDIDATE.kernel : 0);
  return defined | CANDIDATE.variable | (linkage === LINKAGE.visible ? CANDIDATE.visible : 0);
}
