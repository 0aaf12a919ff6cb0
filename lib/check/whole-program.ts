// Checks modules that ptxas 13.0 compiles as whole programs only, because they cannot be linked. One kind is PTX before 3.1,
// which introduced separate compilation (PTX ISA 9.0 section 13, the notes of .extern and .weak). The other is modules with a
// function of several results, which no calling convention supports (section 7.1). They must define the functions that they call.
// An unused declaration is allowed.

import type { Code } from "../isa/code.js";
import { isDriverFunction } from "../isa/driver-functions.table.js";
import type { Operand } from "../isa/instruction.js";
import { versionText } from "../isa/requirement.js";
import type { Name } from "../ptx/tree.js";
import type { ModuleSymbol } from "./module.js";
import type { Reporter } from "./reporter.js";
import type { Platform } from "./require.js";

const FIRST_SEPARATE = 31;

/** A set for the functions that code of such a module uses; undefined for other modules. */
export const usedFunctions = ({ version, conventionInCalls }: Platform): Set<number> | undefined =>
  version < FIRST_SEPARATE || !conventionInCalls ? new Set() : undefined;

/** Adds the functions that the code names. */
export function noteCode(code: Code, used: Set<number>): void {
  const note = (operand: Operand | undefined): void => {
    if (operand?.kind === "address-of" && operand.base.kind === "symbol") used.add(operand.base.symbol);
  };
  for (const instruction of code.instructions) instruction?.operands.forEach(note);
}

/** Reports external functions that such a module uses; `declared` has the declarations without a body. */
export function checkWholeProgram(
  symbols: readonly ModuleSymbol[],
  declared: ReadonlyMap<number, Name>,
  used: Set<number> | undefined,
  { version, conventionInCalls }: Platform,
  reporter: Reporter,
): void {
  if (used === undefined || declared.size === 0) return;
  for (const symbol of symbols)
    if (symbol.kind === "variable") for (const { symbol: of } of symbol.initial?.fixups ?? []) used.add(of);
  for (const [index, name] of declared) {
    const symbol = symbols[index]!;
    if (symbol.kind !== "function" || symbol.linkage !== "extern" || symbol.code !== undefined || !used.has(index))
      continue;
    if (conventionInCalls && isDriverFunction(symbol.name)) continue;
    const why = conventionInCalls
      ? `a module of PTX ${versionText(version)} is compiled as a whole`
      : "a module with a function of several results, or with registers of its own, is compiled as a whole";
    reporter.report("undefined-function", name, `'${symbol.name}' is used and defined elsewhere; ${why}`, {
      remedy: conventionInCalls
        ? "write .version 3.1 or later"
        : "return one array, or several values through a pointer",
    });
  }
}
