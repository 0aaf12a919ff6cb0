// Who calls whom, and whose addresses are taken, among the functions that are kept; object/attributes/reached-facts.ts sums up over
// them.

import { formatPrototype } from "../../../../formats/cuda/index.js";
import type { Addresses } from "../../../object/attributes/reached-facts.js";
import { prototypeSignature } from "../../../object/attributes/signature.js";
import type { PlainLayout } from "../layout/layout.js";
import type { MergedRow, PlainResolution } from "../names/resolve.js";
import type { ShapeId } from "../tables/shapes.js";
import { isEntry, type SymbolRow, type Tables } from "../tables/tables.js";
import { internText, type TextId } from "../tables/texts.js";
import { declaredFunction } from "../tables/values.js";

export interface PlainCalls {
  /** Caller and callee of each, one behind the other. */
  readonly direct: Int32Array & { readonly [index: number]: MergedRow };
  /** In the order of functions; prototypes are texts of the link. */
  readonly addresses: Addresses<TextId>;
}

/** Adds texts of prototypes to those of the link. */
export function plainCalls(
  tables: Tables,
  { mergedOf, chosen, replaced }: PlainResolution,
  { isThere }: Pick<PlainLayout, "isThere">,
): PlainCalls {
  const { calls } = tables;
  // Code that was not chosen is absent; but, as in nvlink's images, a replaced definition still counts as calling defined
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
    if (!isChosen && tables.place[chosen[callee]!]! < 0) continue;
    // Only files of other writers have calls that the code does not name.
    if (isThere[callee] === 0) continue;
    kept[length++] = row;
    kept[length++] = callee;
  }
  const byFunction = (pairs: readonly number[]): (readonly [MergedRow, number])[] => {
    const found: (readonly [MergedRow, number])[] = [];
    for (let i = 0; i < pairs.length; i += 2) if (isKept(pairs[i]!)) found.push([mergedOf[pairs[i]!]!, pairs[i + 1]!]);
    return found.sort(([a], [b]) => a - b);
  };
  const uses = byFunction(tables.addressUses).map(([user, target]) => [user, mergedOf[target]!] as const);
  const taken = [...new Set(tables.taken.map((function_) => mergedOf[function_]!))]
    .filter((row) => isThere[row] !== 0)
    .sort((a, b) => a - b);
  const prototypeText = prototypeTexts(tables);
  const prototypes = new Map(
    taken.flatMap((row) => {
      const function_ = chosen[row]!;
      return isEntry(tables, function_) ? [] : [[row, prototypeText(tables.shape[function_]!)] as const];
    }),
  );
  return {
    direct: kept.subarray(0, length),
    addresses: {
      taken,
      uses: uses.filter(([, target]) => isThere[target] !== 0),
      indirect: byFunction(tables.indirectCalls),
      prototypeOf: (row) => prototypes.get(row),
    },
  };
}

/** What a call through a register must pass, in NVIDIA's letters, by shape. */
export function prototypeTexts({ shapes, texts }: Tables): (shape: ShapeId) => TextId {
  const known = new Map<ShapeId, TextId>();
  return (shape) => {
    const seen = known.get(shape);
    if (seen !== undefined) return seen;
    const { prototype } = declaredFunction(shapes, shape, false);
    const text = internText(texts, formatPrototype(prototypeSignature(prototype)));
    known.set(shape, text);
    return text;
  };
}
