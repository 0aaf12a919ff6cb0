// Resolves a name in an initialiser. In a function's body, as in ptxas, earlier declarations of the body take precedence, and
// names that are not variables hide variables of the module.

import type { Name } from "../ptx/tree.js";
import type { ModuleSymbol } from "./module.js";
import type { Reporter } from "./reporter.js";
import type { Binding } from "./scope.js";
import type { SymbolTable } from "./symbols.js";
import { explainModuleName } from "./unknown.js";

/** The binding of a name in a function's body; undefined if the body does not declare it. */
export type BodyNames = (name: string) => Binding | undefined;

/** The names visible to an initialiser: those of the function's body, then of the module. */
export interface SymbolLookup extends Pick<SymbolTable, "find" | "isFaulty" | "symbols" | "declaredBelow"> {
  readonly inBody?: BodyNames;
}

interface Found {
  readonly index: number;
  readonly symbol: ModuleSymbol;
}

/** The symbol of a name; undefined after a report. */
export function findNamed(name: Name, lookup: SymbolLookup, reporter: Reporter): Found | undefined {
  const own = lookup.inBody?.(name.text);
  if (own === undefined) return lookup.find(name.text) ?? reportMissing(name, lookup, reporter);
  return own.kind === "symbol"
    ? { index: own.index, symbol: lookup.symbols[own.index]! }
    : reportOther(name, own, reporter);
}

function reportMissing(name: Name, lookup: SymbolLookup, reporter: Reporter): undefined {
  if (lookup.isFaulty(name.text)) return;
  const below = lookup.declaredBelow(name.text);
  reporter.report(
    "unknown-name",
    name,
    `'${name.text}' is not declared before this initialiser`,
    below === undefined
      ? explainModuleName(name.text, lookup)
      : { notes: [{ message: "it is declared here", place: reporter.place(below) }], remedy: "move it up" },
  );
}

function reportOther(name: Name, own: Exclude<Binding, { kind: "symbol" }>, reporter: Reporter): undefined {
  if (own.kind === "faulty") return;
  const what = own.kind === "variable" ? `in .${own.variable.kind === "local" ? "local" : "param"}` : `a ${own.kind}`;
  const message = `'${name.text}' is ${what}; only .global and .const addresses are known before a launch`;
  reporter.report("initializer-space", name, message);
}
