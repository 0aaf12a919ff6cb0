// Chooses the version and target under which an image is printed. A linked image is for a current target, while some old modules
// contain declarations that later versions removed: banks of constants (from PTX 2.2 on), module-scope registers and local
// variables (from PTX 3.0 on; docs/versions.md). Such an image is printed under the newest version and target of its own modules,
// as long as those support the declarations.

import { isConstantBank } from "../../isa/state-spaces.table.js";
import type { ObjectFile, ObjectSymbol } from "../object.js";

/** The last version that supports such a symbol; undefined if every version does. */
export function lastVersion(symbol: ObjectSymbol): number | undefined {
  if (symbol.kind !== "variable" || symbol.scope !== undefined) return undefined;
  if (isConstantBank(symbol.space)) return 21;
  return symbol.space === "reg" || symbol.space === "local" ? 23 : undefined;
}

/** The object with the version and target of its text. */
export function asPrinted(object: ObjectFile): ObjectFile {
  const last = object.symbols.reduce((least, symbol) => Math.min(least, lastVersion(symbol) ?? Infinity), Infinity);
  if (object.version <= last || object.modules.length === 0) return object;
  const version = Math.max(...object.modules.map((module) => module.version));
  if (version > last) return object;
  const target = object.modules.map((module) => module.target).reduce((a, b) => (b.sm > a.sm ? b : a));
  return { ...object, version, target };
}
