// Pass: names that nothing defines. Each is one error, at its first reference (at its declaration where nothing refers to
// it), with every other reference and with what the inputs hold that may have been meant. Variables must be defined even
// where nothing uses them, as nvlink has it; functions only where something does. What options let stay undefined is left to the
// loader, under whose eyes a use of it is a fault that names it (load/load.ts).

import type { CodeName } from "../diag/codes.table.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { describe, subjectText, symbolText } from "./describe.js";
import { isFromDriver, placeOf, type Inputs } from "./inputs.js";
import { createReferencePlacer, type ReferencePlace, type ReferencePlacer } from "./reference-place.js";
import { forEachReference, type Reference } from "./references.js";
import { claimOf, type Merged, type Resolution } from "./resolve.js";
import type { Suggester } from "./suggest.js";
import { isSystemSymbol } from "./system-symbols.table.js";
import type { KeptTexts } from "./texts.js";

export interface UnresolvedOptions {
  /** Names that may stay undefined, besides the driver's own. */
  readonly allowUndefined?: (name: string) => boolean;
  /** Whether the others are warnings only. */
  readonly warnUndefined?: boolean;
}

/** `settled`: names that options settled; `suggester` is asked for only where a name may not stay undefined. */
export function checkUndefined(
  inputs: Inputs,
  resolution: Resolution,
  texts: KeptTexts,
  options: UnresolvedOptions & { readonly settled: ReadonlySet<string> },
  suggester: () => Suggester,
  sink: DiagnosticSink,
): void {
  const { merged } = resolution;
  const { allowUndefined = () => false, warnUndefined = false, settled } = options;
  const code = warnUndefined ? "unresolved-symbol" : "undefined-symbol";
  const missing = new Map<number, Reference[]>();
  merged.forEach(({ name, chosen: { symbol } }, i) => {
    if (claimOf(symbol) !== "declared" || symbol.kind === "reference" || isFromDriver(symbol)) return;
    if (!isSystemSymbol(name) && !settled.has(name) && !allowUndefined(name)) missing.set(i, []);
  });
  if (missing.size === 0) return;
  forEachReference(inputs, resolution, texts, (symbol, reference) => missing.get(symbol)?.push(reference));
  const placeReference = createReferencePlacer(inputs);
  let suggest: Suggester | undefined;
  for (const [i, references] of missing) {
    const symbol = merged[i]!;
    if (references.length > 0 || symbol.chosen.symbol.kind === "variable")
      report(inputs, symbol, placesOf(references, placeReference), { code, suggest: (suggest ??= suggester()) }, sink);
  }
}

function report(
  inputs: Inputs,
  { name, chosen }: Merged,
  references: readonly ReferencePlace[],
  { code, suggest }: { readonly code: CodeName; readonly suggest: Suggester },
  sink: DiagnosticSink,
): void {
  const { notes, remedy, meant } = suggest(name);
  const declared = placeOf(inputs, chosen);
  sink.report(code, `undefined symbol: ${subjectText(name)}`, references[0]?.place ?? declared, {
    references: references.map(({ place, holder }) => ({
      by: holder === undefined ? "other data" : symbolText(holder.name),
      ...(place === undefined ? {} : { place }),
    })),
    ...(meant === undefined ? {} : { meant }),
    notes: [{ message: `declared as ${describe(chosen.symbol)}`, place: declared }, ...notes],
    remedy,
  });
}

/** Each place once, in link order and by line. */
function placesOf(references: readonly Reference[], placeReference: ReferencePlacer): readonly ReferencePlace[] {
  const places = new Map<string, ReferencePlace & { readonly object: number }>();
  for (const reference of references)
    for (const found of placeReference(reference)) {
      const key = `${reference.object} ${found.place?.line} ${found.holder?.name}`;
      if (!places.has(key)) places.set(key, { ...found, object: reference.object });
    }
  return [...places.values()].sort((a, b) => a.object - b.object || (a.place?.line ?? 0) - (b.place?.line ?? 0));
}
