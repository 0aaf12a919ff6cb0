// Checks that an object file's declarations are valid PTX (../declared.ts), and valid where they occur. Images are not checked:
// they are not linked again, and tools show their errors.

import { malformed } from "../../../formats/bytes/malformed.js";
import { moduleFault, nameFault, symbolFault } from "../declared.js";
import type { ModuleOrigin, ObjectSymbol } from "../object.js";

/** Inside a decoder: checks a symbol. `at`: file offset in bytes of its record in the symbol table. */
export function checkDeclared(symbol: ObjectSymbol, at: number): void {
  const named = nameFault(symbol.name);
  if (named !== undefined) malformed("malformed", at, named);
  const fault = symbolFault(symbol) ?? placeFault(symbol);
  if (fault !== undefined) malformed("malformed", at, `${symbol.name}: ${fault}`);
}

/** A symbol's kind must fit its place. */
function placeFault({ kind, linkage, placement, ...symbol }: ObjectSymbol): string | undefined {
  if (linkage === "common" && kind !== "variable") return `a ${kind} is not .common`;
  if ((linkage === "common") !== (placement.kind === "common"))
    return linkage === "common" ? "a .common variable has a place" : "a symbol that is not .common has no place";
  if (linkage === "extern" && placement.kind === "section") return "an .extern symbol is defined";
  if (placement.kind !== "undefined" && "layout" in symbol && symbol.layout.dimensions.includes(undefined))
    return "an array that is defined has no size";
  return undefined;
}

/** `at`: file offset in bytes of the declarations. */
export function checkModules(modules: readonly ModuleOrigin[], at: number): void {
  for (const module of modules) {
    const fault = moduleFault(module);
    if (fault !== undefined) malformed("malformed", at, `module ${JSON.stringify(module.name.slice(0, 40))}: ${fault}`);
  }
}
