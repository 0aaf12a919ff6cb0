// Reports functions that a module declares without .extern and does not define (PTX ISA 9.0 section 10.6).

import type { Name } from "../ptx/tree.js";
import type { ModuleSymbol } from "./module.js";
import type { Reporter } from "./reporter.js";

/** `declared` has the functions without a body, with the first such declaration. */
export function checkDeclared(
  symbols: readonly ModuleSymbol[],
  declared: ReadonlyMap<number, Name>,
  reporter: Reporter,
): void {
  for (const [index, name] of declared) {
    const symbol = symbols[index]!;
    if (symbol.kind !== "function" || symbol.linkage === "extern") continue;
    if (symbol.code !== undefined || symbol.alias !== undefined) continue;
    reporter.report("undefined-function", name, `'${symbol.name}' is declared but not defined in this module`, {
      remedy: "declare it .extern when another module defines it",
    });
  }
}
