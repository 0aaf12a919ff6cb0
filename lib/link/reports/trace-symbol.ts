// --trace-symbol: all definitions, declarations and references of names, which are given as names or patterns.

import { createNearest } from "../../base/nearest.js";
import { valuesOf } from "../../base/series.js";
import { crossReferencer, type SymbolTrace } from "./cross-reference.js";
import type { LinkedNames } from "../model/linked.js";
import { createMatching } from "../gc/why-live.js";

export function traceSymbols(linked: LinkedNames, patterns: readonly string[]): readonly SymbolTrace[] {
  const names = Array.from(valuesOf(linked.resolution.merged), ({ name }) => name);
  const matching = createMatching(names, patterns);
  const nearest = createNearest(() => names);
  const found = patterns.map((pattern) => ({ pattern, symbols: matching(pattern) }));
  const wanted = new Uint8Array(names.length);
  for (const { symbols } of found) for (const symbol of symbols) wanted[symbol] = 1;
  const referencesOf = crossReferencer(linked, (symbol) => wanted[symbol] === 1);
  return found.map(({ pattern, symbols }) =>
    symbols.length === 0
      ? { pattern, symbols: [], nearest: nearest(pattern) }
      : { pattern, symbols: referencesOf(symbols), nearest: [] },
  );
}
