// Handles code whose function lost, but one of whose aliases won. From here on the code, with all of its calls, belongs to that
// alias.

import type { ResolvedColumns } from "./resolve.js";
import { isFunction, type SectionRow, type SymbolRow, type Columns } from "../../object/columns/columns.js";
import { ROLE } from "../../object/columns/codes.js";

/** The columns in which every kept code section belongs to a chosen function. */
export function assignCodeOwners({ columns, resolution: { mergedOf, chosen } }: ResolvedColumns): Columns {
  if (columns.featureCounts.functionAliases === 0) return columns;
  const isChosen = (row: SymbolRow): boolean => chosen[mergedOf[row]!] === row;
  const owners = new Map<SymbolRow, SymbolRow>();
  const owner = columns.owner.slice();
  for (let row = 0; row < mergedOf.length; row++) {
    const section: SectionRow = columns.sectionOf[row]!;
    if (section < 0 || !isFunction(columns, row) || columns.role[section] !== ROLE.text || !isChosen(row)) continue;
    const before = columns.owner[section]!;
    if (isChosen(before) || owners.has(before)) continue;
    owners.set(before, row);
    owner[section] = row;
  }
  if (owners.size === 0) return columns;
  /** Pairs of a function and a number for its code. Those of the definition that lost still count for its replacement. */
  const shared = (pairs: readonly number[]): number[] => {
    const all: number[] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      all.push(pairs[i]!, pairs[i + 1]!);
      const now = owners.get(pairs[i]!);
      if (now !== undefined) all.push(now, pairs[i + 1]!);
    }
    return all;
  };
  return {
    ...columns,
    owner,
    calls: shared(columns.calls),
    addressUses: shared(columns.addressUses),
    indirectCalls: shared(columns.indirectCalls),
  };
}
