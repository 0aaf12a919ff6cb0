// Which functions' addresses are still taken when the dead are gone (prune.ts).

import { namedSlots } from "../../slots.js";
import { contentsOf } from "../tables/contents.js";
import { placeIn } from "../tables/pieces.js";
import { ROLE } from "../tables/codes.js";
import { forEachTarget } from "../tables/references.js";
import type { SymbolRow, Tables } from "../tables/tables.js";

/** Of the functions of `tables.taken` those that code or data that is left takes the address of, ascending. */
export function stillTaken(tables: Tables): SymbolRow[] {
  const before = new Set(tables.taken);
  if (before.size === 0) return [];
  const called = calledOnes(tables, before);
  const taken = new Set<SymbolRow>();
  for (let file = 0; file < tables.files.length; file++)
    for (let section = tables.firstSection[file]!; section < tables.firstSection[file + 1]!; section++) {
      const pieces = tables.moved.get(section);
      const callees = tables.role[section] === ROLE.text ? called.get(tables.owner[section]!) : undefined;
      const open: { readonly offset: number; readonly target: SymbolRow }[] = [];
      forEachTarget(tables, file, section, (offset, target) => {
        if (!before.has(target) || taken.has(target) || placeIn(pieces, offset) < 0) return;
        if (callees?.has(target) === true) open.push({ offset, target });
        else taken.add(target);
      });
      if (open.length === 0) continue;
      // Code that calls a function may take its address as well; only the code itself tells.
      const named = namedSlots(contentsOf(tables, file, section));
      for (const { offset, target } of open) if (named?.has(offset) !== false) taken.add(target);
    }
  return [...taken].sort((a, b) => a - b);
}

/** By caller: which of these functions it calls. */
function calledOnes(
  { calls }: Tables,
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
