// Pass: which functions' code goes into the image: that of every symbol that was chosen, in command-line order. The code
// of a weak definition that lost is left out, because nothing can refer to it. docs/linking.md, "Layout".

import type { Inputs } from "../inputs.js";
import type { Resolution } from "../names/resolve.js";

/** One function's code that is kept. */
export interface KeptText {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's sections. */
  readonly section: number;
  /** Index among the merged symbols of the function whose code it is. */
  readonly symbol: number;
}

export type KeptTexts = readonly KeptText[];

export function keepTexts(inputs: Inputs, { merged, mergedOf }: Resolution): KeptTexts {
  return inputs.flatMap((input, object) => {
    const owners = new Map<number, number>();
    input.symbols.forEach((symbol, index) => {
      if (symbol.kind !== "function" || symbol.placement.kind !== "section") return;
      const { section } = symbol.placement;
      const own = mergedOf[object]![index]!;
      const { chosen } = merged[own]!;
      const isChosen = chosen.object === object && chosen.index === index;
      // An alias stands for the same code; the section is named after its own function where that was chosen too.
      if (isChosen && (!owners.has(section) || isOwner(input.sections[section]!.role, index))) owners.set(section, own);
    });
    return [...owners].sort(([a], [b]) => a - b).map(([section, symbol]) => ({ object, section, symbol }));
  });
}

const isOwner = (role: { readonly kind: string; readonly symbol?: number }, index: number): boolean =>
  role.kind === "text" && role.symbol === index;
