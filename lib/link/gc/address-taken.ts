// Finds the functions whose addresses are still taken after garbage collection (prune.ts).

import { namedSlots } from "../model/slots.js";
import { contentsOf } from "../../object/columns/contents.js";
import { offsetIn } from "../../object/columns/kept-ranges.js";
import { ROLE } from "../../object/columns/codes.js";
import { forEachRelocation } from "../../object/columns/relocations.js";
import type { SymbolRow, Columns } from "../../object/columns/columns.js";

/** The functions of `columns.addressTaken` whose address the remaining code or data takes, ascending. */
export function stillAddressTaken(columns: Columns): SymbolRow[] {
  const before = new Set(columns.addressTaken);
  if (before.size === 0) return [];
  const called = calleesAmong(columns, before);
  const taken = new Set<SymbolRow>();
  for (let file = 0; file < columns.files.length; file++)
    for (let section = columns.firstSection[file]!; section < columns.firstSection[file + 1]!; section++) {
      const ranges = columns.keptRanges.get(section);
      const callees = columns.role[section] === ROLE.text ? called.get(columns.owner[section]!) : undefined;
      const open: { readonly offset: number; readonly target: SymbolRow }[] = [];
      forEachRelocation(columns, file, section, (offset, target) => {
        if (!before.has(target) || taken.has(target) || offsetIn(ranges, offset) < 0) return;
        if (callees?.has(target) === true) open.push({ offset, target });
        else taken.add(target);
      });
      if (open.length === 0) continue;
      // Code that calls a function may take its address as well; only decoding it shows that.
      const named = namedSlots(contentsOf(columns, file, section));
      for (const { offset, target } of open) if (named?.has(offset) !== false) taken.add(target);
    }
  return [...taken].sort((a, b) => a - b);
}

/** By caller: the called functions that are in the set. */
function calleesAmong(
  { calls }: Columns,
  functions: ReadonlySet<SymbolRow>,
): ReadonlyMap<SymbolRow, ReadonlySet<SymbolRow>> {
  const called = new Map<SymbolRow, Set<SymbolRow>>();
  for (let i = 0; i < calls.length; i += 2) {
    if (!functions.has(calls[i + 1]!)) continue;
    const known = called.get(calls[i]!);
    if (known === undefined) called.set(calls[i]!, new Set([calls[i + 1]!]));
    else known.add(calls[i + 1]!);
  }
  return called;
}
