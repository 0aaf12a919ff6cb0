// The calls and taken addresses among the functions in the image; object/attributes/reached-properties.ts accumulates properties
// over them.

import { prototypeTexts } from "../../object/columns/write/call-graph.js";
import type { Addresses } from "../../object/attributes/reached-properties.js";
import type { ImageLayout } from "../layout/layout.js";
import type { MergedRow, Resolution } from "../resolve/resolve.js";
import { isEntry, type SymbolRow, type Columns } from "../../object/columns/columns.js";
import type { StringId } from "../../object/columns/strings.js";

export interface CallGraph {
  /** Pairs of caller and callee. */
  readonly direct: Int32Array & { readonly [index: number]: MergedRow };
  /** In the order of functions; prototypes are strings of the link. */
  readonly addresses: Addresses<StringId>;
}

/** Adds strings for prototypes to the link's string table. */
export function imageCalls(
  columns: Columns,
  { mergedOf, chosen, replaced }: Resolution,
  { isInImage }: Pick<ImageLayout, "isInImage">,
): CallGraph {
  const { calls } = columns;
  // Code that was not chosen is absent. But as in nvlink's images, a replaced definition still counts as a caller of defined
  // functions.
  const isKept = (function_: SymbolRow): boolean => {
    const row = mergedOf[function_]!;
    return chosen[row] === function_ || (replaced.size > 0 && replaced.get(row) === function_);
  };
  const kept = new Int32Array(calls.length);
  let length = 0;
  for (let i = 0; i < calls.length; i += 2) {
    const caller = calls[i]!;
    const row = mergedOf[caller]!;
    const isChosen = chosen[row] === caller;
    if (!isChosen && !isKept(caller)) continue;
    const callee = mergedOf[calls[i + 1]!]!;
    if (!isChosen && columns.sectionOf[chosen[callee]!]! < 0) continue;
    // Only files of other writers have calls that their code does not name.
    if (isInImage[callee] === 0) continue;
    kept[length++] = row;
    kept[length++] = callee;
  }
  const byFunction = (pairs: readonly number[]): (readonly [MergedRow, number])[] => {
    const found: (readonly [MergedRow, number])[] = [];
    for (let i = 0; i < pairs.length; i += 2) if (isKept(pairs[i]!)) found.push([mergedOf[pairs[i]!]!, pairs[i + 1]!]);
    return found.sort(([a], [b]) => a - b);
  };
  const uses = byFunction(columns.addressUses).map(([user, target]) => [user, mergedOf[target]!] as const);
  const taken = [...new Set(columns.addressTaken.map((function_) => mergedOf[function_]!))]
    .filter((row) => isInImage[row] !== 0)
    .sort((a, b) => a - b);
  const prototypeText = prototypeTexts(columns);
  const prototypes = new Map(
    taken.flatMap((row) => {
      const function_ = chosen[row]!;
      return isEntry(columns, function_) ? [] : [[row, prototypeText(columns.typeId[function_]!)] as const];
    }),
  );
  return {
    direct: kept.subarray(0, length),
    addresses: {
      taken,
      uses: uses.filter(([, target]) => isInImage[target] !== 0),
      indirect: byFunction(columns.indirectCalls),
      prototypeOf: (row) => prototypes.get(row),
    },
  };
}
