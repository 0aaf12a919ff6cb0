// Pass: names that nothing defines. Each is one error, at its first reference (at its declaration where nothing refers to
// it), with every other reference and with what the inputs hold that may have been meant. Variables must be defined even
// where nothing uses them, as nvlink has it; functions only where something does. What options let stay undefined is left to the
// loader, under whose eyes a use of it is a fault that names it (load/load.ts).

import type { CodeName } from "../diag/codes.table.js";
import type { Note } from "../diag/diagnostic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { describe, subjectText, symbolText } from "./describe.js";
import { isFromDriver, placeOf, type Inputs } from "./inputs.js";
import { createReferencePlacer, type ReferencePlace, type ReferencePlacer } from "./reference-place.js";
import { forEachReference, type Reference } from "./references.js";
import { claimOf, type Merged, type Resolution } from "./resolve.js";
import type { Suggester } from "./suggest.js";
import { isSystemSymbol } from "./system-symbols.table.js";
import type { KeptTexts } from "./texts.js";
import { createNoter, type NoteOptions } from "./undefined-notes.js";

export interface UnresolvedOptions extends NoteOptions {
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
  options: UnresolvedOptions & { readonly settled: ReadonlySet<string>; readonly wrap?: readonly string[] },
  suggester: () => Suggester,
  sink: DiagnosticSink,
): void {
  const { merged } = resolution;
  const { allowUndefined = () => false, warnUndefined = false, settled, wrap = [] } = options;
  const code = warnUndefined ? "unresolved-symbol" : "undefined-symbol";
  const missing = new Map<number, Reference[]>();
  merged.forEach(({ name, chosen: { symbol } }, i) => {
    if (claimOf(symbol) !== "declared" || symbol.kind === "reference" || isFromDriver(symbol)) return;
    if (!isSystemSymbol(name) && !settled.has(name) && !allowUndefined(name)) missing.set(i, []);
  });
  if (missing.size === 0) return;
  forEachReference(inputs, resolution, texts, (symbol, reference) => missing.get(symbol)?.push(reference));
  const placeReference = createReferencePlacer(inputs);
  const noteOf = createNoter(inputs, resolution, options);
  let suggest: Suggester | undefined;
  for (const [i, references] of missing) {
    const symbol = merged[i]!;
    if (references.length === 0 && symbol.chosen.symbol.kind !== "variable") continue;
    const places = placesOf(references, placeReference);
    const more = noteOf(references[0]?.object ?? symbol.chosen.object, places);
    report(inputs, symbol, places, { code, more, suggest: withWrapped(wrap, (suggest ??= suggester())) }, sink);
  }
}

/** A name that --wrap has made of another is nowhere in the inputs. */
function withWrapped(wrapped: readonly string[], suggest: Suggester): Suggester {
  return (name) => {
    const plain = wrapped.find((each) => name === `__wrap_${each}`);
    if (plain === undefined) return suggest(name);
    const { notes, meant } = suggest(name);
    return {
      notes: [...notes, { message: `--wrap ${plain} lets references to '${plain}' mean this name` }],
      remedy: `link the module that defines '${name}', or leave out --wrap ${plain}`,
      ...(meant === undefined ? {} : { meant }),
    };
  };
}

function report(
  inputs: Inputs,
  { name, chosen }: Merged,
  references: readonly ReferencePlace[],
  { code, more, suggest }: { readonly code: CodeName; readonly more: readonly Note[]; readonly suggest: Suggester },
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
    notes: [{ message: `declared as ${describe(chosen.symbol)}`, place: declared }, ...more, ...notes],
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
