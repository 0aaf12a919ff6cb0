// Which function each function-scope shared variable belongs to, and what became of that function. The order and the
// alignment of shared memory depend on it (shared.ts). An object names the function only, so it is found by name in the
// variable's own object. Linear, and nothing is done in links without such variables.

import { isShared } from "./callgraph.js";
import type { Contribution } from "./inputs.js";
import type { Merged } from "./resolve.js";

export interface Owner {
  readonly isKernel: boolean;
  readonly isStatic: boolean;
  /** Another definition of the function was chosen. */
  readonly isLost: boolean;
}

/** A function's name is one function in its module; an object made by -r has several modules. */
const keyOf = ({ object, symbol }: Contribution, name: string): string => `${object} ${symbol.origin.module} ${name}`;

/** By the index of the variable among the merged symbols; variables of modules have none. */
export function findOwners(merged: readonly Merged[]): ReadonlyMap<number, Owner> {
  const scoped = merged.flatMap((each, symbol) => {
    const { symbol: variable } = each.chosen;
    const isScoped = variable.kind === "variable" && variable.scope !== undefined && isShared(each);
    return isScoped ? [{ symbol, key: keyOf(each.chosen, variable.scope), name: variable.scope }] : [];
  });
  if (scoped.length === 0) return new Map();
  const functions = new Map<string, Owner>();
  // What lost under -r has left no definition in its module, but its variables: only a name that modules share can lose.
  const lost = new Map<string, Owner>();
  for (const { chosen, all } of merged) {
    if (chosen.symbol.kind !== "function") continue;
    const { name, entry, linkage } = chosen.symbol;
    if (linkage !== "static") lost.set(name, { isKernel: entry, isStatic: false, isLost: true });
    for (const each of all) {
      const { symbol } = each;
      if (symbol.kind !== "function" || symbol.placement.kind !== "section") continue;
      functions.set(keyOf(each, symbol.name), {
        isKernel: symbol.entry,
        isStatic: symbol.linkage === "static",
        isLost: each !== chosen,
      });
    }
  }
  return new Map(
    scoped.flatMap(({ symbol, key, name }) => {
      const owner = functions.get(key) ?? lost.get(name);
      return owner === undefined ? [] : [[symbol, owner] as const];
    }),
  );
}
