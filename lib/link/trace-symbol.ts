// --trace-symbol: all that the inputs say of some names, given as names or patterns.

import { nearest } from "../base/nearest.js";
import { crossReferences, type SymbolTrace } from "./cross-reference.js";
import type { Inputs } from "./inputs.js";
import type { Resolution } from "./resolve.js";
import { matching } from "./why-live.js";

export function traceSymbols(
  inputs: Inputs,
  resolution: Resolution,
  patterns: readonly string[],
): readonly SymbolTrace[] {
  const names = resolution.merged.map(({ name }) => name);
  return patterns.map((pattern) => {
    const found = new Set(matching(names, pattern));
    return found.size === 0
      ? { pattern, symbols: [], nearest: nearest(pattern, [...new Set(names)]) }
      : { pattern, symbols: crossReferences(inputs, resolution, (i) => found.has(i)), nearest: [] };
  });
}
