// Reports names and patterns of roots that no input has.

import { isGlob } from "../../base/glob.js";
import { createNearest } from "../../base/nearest.js";
import type { Note, Place } from "../../diag/diagnostic.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { symbolText } from "../model/describe.js";
import { placeOf } from "../model/contributions.js";
import type { LinkedNames } from "../model/linked.js";
import { CANDIDATE, missingRoots, type Candidates, type RootOptions } from "../gc/roots.js";
import type { Suggester } from "./suggest.js";

/** `candidates`: the same symbols as in the names. */
export function reportRoots(
  { inputs, resolution: { merged } }: LinkedNames,
  candidates: Candidates,
  options: RootOptions,
  suggester: () => Suggester,
  sink: DiagnosticSink,
): void {
  const { kernels, variables, required } = missingRoots(candidates, options);
  const having = (trait: number): readonly number[] =>
    [...candidates.traits.keys()].filter((symbol) => (candidates.traits[symbol]! & trait) !== 0);
  const placeOfSymbol = (symbol: number): Place => placeOf(inputs, merged.at(symbol)!.chosen);
  const report = (patterns: readonly string[], trait: number, ...words: readonly [option: string, what: string]) => {
    if (patterns.length === 0) return;
    const symbols = having(trait);
    const nearest = createNearest(() => symbols.map(candidates.nameOf));
    for (const pattern of patterns)
      reportPattern({ symbols, nameOf: candidates.nameOf, placeOf: placeOfSymbol, nearest }, pattern, words, sink);
  };
  report(kernels, CANDIDATE.kernel, "--kernels-used", "kernel");
  report(variables, CANDIDATE.variable, "--variables-used", "variable");
  if (required.length === 0) return;
  const suggest = suggester();
  for (const name of required) {
    const { notes, remedy, meant } = suggest(name);
    const message = `undefined symbol: ${name}, which --require-defined names`;
    const details =
      meant === undefined ? { remedy } : { remedy: "give the option the name as the inputs have it", meant };
    sink.report("undefined-symbol", message, undefined, { notes, ...details });
  }
}

/** The symbols among which a pattern's intended name is searched. */
interface Meant {
  readonly symbols: readonly number[];
  nameOf(symbol: number): string;
  placeOf(symbol: number): Place;
  nearest(name: string): readonly string[];
}

function reportPattern(
  { symbols, nameOf, placeOf, nearest }: Meant,
  pattern: string,
  [option, what]: readonly [option: string, what: string],
  sink: DiagnosticSink,
): void {
  // In a C++ signature, `*` is a pointer.
  const near = isGlob(pattern) && !pattern.includes("(") ? [] : nearest(pattern);
  const notes = near.flatMap((name) =>
    symbols
      .filter((symbol) => nameOf(symbol) === name)
      .map((symbol): Note => ({ message: `${symbolText(name)} is defined here`, place: placeOf(symbol) })),
  );
  sink.report("unknown-root", `${option}=${pattern} names no ${what} of the inputs`, undefined, {
    notes,
    remedy:
      near[0] === undefined
        ? `give ${what} names as the inputs have them; * stands for any text`
        : `did you mean ${symbolText(near[0])}?`,
  });
}
