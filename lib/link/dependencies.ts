// Which module uses which symbol of which other module, for --print-dependencies (mold's option of that name).

import { isLocal, moduleText, type Inputs } from "./inputs.js";
import { claimOf, type Resolution } from "./resolve.js";

export interface Dependency {
  /** Names of modules. */
  readonly from: string;
  readonly to: string;
  readonly symbol: string;
}

/** Each use of a symbol that another module defines, in link order. */
export function findDependencies(inputs: Inputs, { merged }: Resolution): readonly Dependency[] {
  const found: (Dependency & { readonly order: readonly [number, number] })[] = [];
  for (const { name, chosen, all } of merged) {
    if (isLocal(chosen.symbol) || (claimOf(chosen.symbol) === "declared" && chosen.symbol.kind !== "reference"))
      continue;
    const to = moduleText(inputs, chosen);
    for (const each of all) {
      if (each === chosen || claimOf(each.symbol) !== "declared") continue;
      found.push({ from: moduleText(inputs, each), to, symbol: name, order: [each.object, each.index] });
    }
  }
  found.sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1]);
  return found.map(({ from, to, symbol }) => ({ from, to, symbol }));
}
