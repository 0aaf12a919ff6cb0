// What symbols are called in one PTX module: their own names, but for static symbols of several modules that share one;
// those get the first free number behind it.

import type { ObjectFile } from "./object.js";
import { uniqueNames } from "./unique-names.js";

/** The name of each symbol, by index. */
export function symbolNames(object: Pick<ObjectFile, "symbols">): (symbol: number) => string {
  const isStatic = (i: number): boolean => object.symbols[i]!.linkage === "static";
  const unique = uniqueNames(object.symbols.flatMap(({ name }, i) => (isStatic(i) ? [] : [name])));
  const names = object.symbols.map(({ name }, i) => (isStatic(i) ? unique(name) : name));
  return (symbol) => names[symbol]!;
}
