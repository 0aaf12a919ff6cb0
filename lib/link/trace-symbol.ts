// --trace-symbol: all that the inputs say of some names, given as names or patterns.

import { nearest } from "../base/nearest.js";
import { valuesOf } from "../base/series.js";
import { crossReferences, type SymbolTrace } from "./cross-reference.js";
import type { LinkedNames } from "./linked.js";
import { matching } from "./why-live.js";

export function traceSymbols(linked: LinkedNames, patterns: readonly string[]): readonly SymbolTrace[] {
  const names = Array.from(valuesOf(linked.resolution.merged), ({ name }) => name);
  return patterns.map((pattern) => {
    const found = new Set(matching(names, pattern));
    return found.size === 0
      ? { pattern, symbols: [], nearest: nearest(pattern, [...new Set(names)]) }
      : { pattern, symbols: crossReferences(linked, (i) => found.has(i)), nearest: [] };
  });
}
