// What --gc-sections leaves out, symbol by symbol in link order, with the reason: for --print-gc-sections, and for maps.
// Only definitions are told; a declaration has nothing to remove.

import type { LinePlace } from "../../diag/diagnostic.js";
import type { ObjectSymbol } from "../../object/object.js";
import { kindText } from "../names/describe.js";
import { placeOf, type Inputs } from "../inputs.js";
import { aliaseeOf, type Liveness } from "./live.js";
import { bytesOf, claimOf, type Resolution } from "../names/resolve.js";

/** A symbol that garbage collection left out. */
export interface RemovedSymbol {
  readonly name: string;
  /** "a function", "a .global variable". */
  readonly what: string;
  /** Of data, or of encoded code; 0 for an alias, and for what has none. */
  readonly bytes: number;
  readonly place: LinePlace;
  /** The definition that was taken instead; absent where no root reaches the symbol. */
  readonly lostTo?: LinePlace;
}

export function findRemoved(
  inputs: Inputs,
  { merged, mergedOf }: Resolution,
  { live }: Liveness,
): readonly RemovedSymbol[] {
  return inputs.flatMap((input, object) =>
    input.symbols.flatMap((symbol, index): RemovedSymbol[] => {
      const of = mergedOf[object]![index]!;
      const { chosen } = merged[of]!;
      const isChosen = chosen.object === object && chosen.index === index;
      if (claimOf(symbol) === "declared" && (symbol.kind !== "reference" || symbol.linkage === "extern")) return [];
      // Tentative definitions are one together, and so are references.
      const isTogether = claimOf(symbol) === claimOf(chosen.symbol) && /^(common|declared)$/.test(claimOf(symbol));
      if (live[of] === 1 && (isChosen || isTogether)) return [];
      const bytes = aliaseeOf(input, index) === undefined ? sizeOf(symbol, input.sections) : 0;
      const place = placeOf(inputs, { object, index, symbol });
      const removed = { name: symbol.name, what: kindText(symbol), bytes, place };
      return [isChosen || isTogether ? removed : { ...removed, lostTo: placeOf(inputs, chosen) }];
    }),
  );
}

function sizeOf(symbol: ObjectSymbol, sections: readonly { readonly size: number }[]): number {
  if (symbol.kind !== "function") return bytesOf(symbol);
  return symbol.placement.kind === "section" ? sections[symbol.placement.section]!.size : 0;
}
