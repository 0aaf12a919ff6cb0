// Pass: reports undefined names. Each is one error, at its first reference (at its declaration if nothing refers to it), with
// every other reference and with similar names in the inputs. As in nvlink, variables must be defined even if unused; functions
// only if used. Names that options allow to stay undefined are left to the loader, where a use is a fault with the name
// (load/load.ts).

import type { CodeName } from "../../diag/codes.table.js";
import type { Note, Reference } from "../../diag/diagnostic.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { describe, subjectText, symbolText } from "../model/describe.js";
import { isDynamicShared, moduleName, placeOf, type Contribution } from "../model/contributions.js";
import { meaningOf, type LinkedNames, type Meaning, type ReadInputs } from "../model/linked.js";
import {
  createReferencePlacer,
  type ReferencePlace,
  type ReferencePlacer,
  type Referring,
} from "../model/reference-place.js";
import type { Suggester } from "./suggest.js";
import { createNoter, type IsReached, type PlacedReference } from "./undefined-notes.js";
import type { UndefinedOptions } from "./unresolved.js";
import type { Suggestion } from "../model/suggestion.js";

/** `missing`: undefined merged symbols with their references. */
export function reportUndefined(
  { inputs, resolution }: LinkedNames,
  missing: ReadonlyMap<number, readonly Referring[]>,
  isReached: () => IsReached,
  options: UndefinedOptions,
  suggester: () => Suggester,
  sink: DiagnosticSink,
): void {
  const { warnUndefined = false, wrap = [] } = options;
  const wrapped = new Set(wrap);
  const code = warnUndefined ? "unresolved-symbol" : "undefined-symbol";
  const placeReference = createReferencePlacer(inputs);
  const noteOf = createNoter(inputs, isReached, options);
  let suggest: Suggester | undefined;
  for (const [i, references] of missing) {
    const meaning = meaningOf(resolution, i);
    if (references.length === 0 && meaning.chosen.symbol.kind !== "variable") continue;
    // Textures and the like are bound at a launch. If another module declares the name as a variable, that has been reported.
    if (meaning.all.some((each) => each.symbol.kind === "reference")) continue;
    const places = placesOf(references, placeReference);
    const more = noteOf(references[0]?.object ?? meaning.chosen.object, places);
    report(inputs, meaning, places, { code, more, suggest: withWrapped(wrapped, (suggest ??= suggester())) }, sink);
  }
}

const WRAP = "__wrap_";

/** Suggests for a name that --wrap made from another, since it occurs in no input. */
function withWrapped(wrapped: ReadonlySet<string>, suggest: Suggester): Suggester {
  return (name) => {
    const plain = name.startsWith(WRAP) ? name.slice(WRAP.length) : undefined;
    if (plain === undefined || !wrapped.has(plain)) return suggest(name);
    const { notes, meant } = suggest(name);
    return {
      notes: [...notes, { message: `--wrap ${plain} lets references to '${plain}' mean this name` }],
      remedy: `link the module that defines '${name}', or leave out --wrap ${plain}`,
      ...(meant === undefined ? {} : { meant }),
    };
  };
}

function report(
  inputs: ReadInputs,
  { name, chosen, all }: Meaning,
  references: readonly ReferencePlace[],
  { code, more, suggest }: { readonly code: CodeName; readonly more: readonly Note[]; readonly suggest: Suggester },
  sink: DiagnosticSink,
): void {
  const dynamic = all.find(({ symbol }) => isDynamicShared(symbol));
  const { notes, remedy, meant } = dynamic === undefined ? suggest(name) : dynamicElsewhere(inputs, dynamic);
  const declared = placeOf(inputs, chosen);
  const referring = references.map(({ place, holder }): Reference => {
    const by = holder === undefined ? "other data" : symbolText(holder.name);
    // The place is a statement's line for code, the variable with the reference for data; `symbol` lets the message point to the
    // name.
    return place === undefined ? { by } : { by, place: { ...place, symbol: name } };
  });
  sink.report(code, `undefined symbol: ${subjectText(name)}`, referring[0]?.place ?? declared, {
    references: referring,
    ...(meant === undefined ? {} : { meant }),
    notes: [{ message: `declared as ${describe(chosen.symbol)}`, place: declared }, ...more, ...notes],
    remedy,
  });
}

/**
 * A note that the name is dynamic shared memory in another module: without a size, a launch provides it; with a size, some module
 * must define it.
 */
const dynamicElsewhere = (inputs: ReadInputs, dynamic: Contribution): Suggestion => ({
  notes: [
    { message: `${describe(dynamic.symbol)} is dynamic shared memory in ${moduleName(inputs, dynamic)}`, place: placeOf(inputs, dynamic) }, // prettier-ignore
  ],
  remedy: "declare it `[]` in every module, which makes it dynamic shared memory, or define it in one",
});

/** Each place once, in link order and by line. An object of `-r` has several modules, whose lines belong to different texts. */
function placesOf(references: readonly Referring[], placeReference: ReferencePlacer): readonly PlacedReference[] {
  const places = new Map<string, PlacedReference>();
  for (const reference of references)
    for (const found of placeReference(reference)) {
      const key = `${reference.object} ${moduleOf(found)} ${found.place?.line} ${found.holder?.name}`;
      if (!places.has(key)) places.set(key, { ...found, object: reference.object });
    }
  return [...places.values()].sort(
    (a, b) => a.object - b.object || moduleOf(a) - moduleOf(b) || (a.place?.line ?? 0) - (b.place?.line ?? 0),
  );
}

/** The index of the module in its object; -1 for a reference without a holder. */
const moduleOf = ({ holder }: ReferencePlace): number => holder?.origin.module ?? -1;
