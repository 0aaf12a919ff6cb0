// What symbols are called in one PTX module: their own names, but for static symbols of several modules that share one;
// those get the first free number behind it.

import type { ObjectFile } from "./object.js";

/** The name of each symbol, by index. */
export function symbolNames(object: Pick<ObjectFile, "symbols">): (symbol: number) => string {
  const isStatic = (i: number): boolean => object.symbols[i]!.linkage === "static";
  const taken = new Set(object.symbols.flatMap(({ name }, i) => (isStatic(i) ? [] : [name])));
  // Numbers below are taken: thousands of modules may have one name.
  const next = new Map<string, number>();
  const names = object.symbols.map(({ name }, i) => {
    if (!isStatic(i)) return name;
    let unique = name;
    let n = next.get(name) ?? 1;
    for (; taken.has(unique); n++) unique = `${name}_${n}`;
    next.set(name, n);
    taken.add(unique);
    return unique;
  });
  return (symbol) => names[symbol]!;
}
