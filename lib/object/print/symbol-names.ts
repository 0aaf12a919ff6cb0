// Names the symbols of one PTX module: with their own names, except static symbols of several modules that share one; those get
// the first free number appended.

import { valuesOf, type Series } from "../../base/series.js";
import type { ObjectSymbol } from "../object.js";
import { uniqueNames } from "../code/unique-names.js";

/** The name of each symbol, by index. */
export function symbolNames({
  symbols,
}: {
  readonly symbols: Series<Pick<ObjectSymbol, "name" | "linkage">>;
}): (symbol: number) => string {
  const names: string[] = [];
  const statics: number[] = [];
  const shared = new Set<string>();
  for (const { name, linkage } of valuesOf(symbols)) {
    if (linkage === "static") statics.push(names.length);
    else shared.add(name);
    names.push(name);
  }
  const unique = uniqueNames(shared);
  for (const symbol of statics) names[symbol] = unique(names[symbol]!);
  return (symbol) => names[symbol]!;
}
