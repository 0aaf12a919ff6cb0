// What a module would define if it were linked: PTX names, and how strongly they are claimed. Bodies are not read.

import type { Linkage, Ranged } from "../ptx/tree.js";
import { readAnnotations } from "./globals/annotations.js";
import { linkages } from "./globals/linkage.table.js";
import { createNames } from "./globals/names.js";
import type { GlobalValue } from "./ir/global.js";
import type { Module } from "./ir/module.js";
import { createSink } from "../diag/sink.js";

export interface DefinedGlobal {
  /** As PTX has it. */
  readonly name: string;
  /** PTX's directive; undefined where other modules do not see it. */
  readonly linkage: Linkage | undefined;
  readonly isKernel: boolean;
  readonly at: Ranged;
}

export function definedNames(module: Module): readonly DefinedGlobal[] {
  const nameOf = createNames(module);
  const { isKernel } = readAnnotations(module, {}, createSink());
  return [...module.variables, ...module.functions, ...module.aliases].filter(isDefined).map((global) => ({
    name: nameOf(global),
    linkage: directives[linkages[global.linkage].defined],
    isKernel: global.kind === "function" && isKernel(global),
    at: { start: global.nameStart, end: global.nameStart + 1 + global.name.length },
  }));
}

const directives: Readonly<Record<string, Linkage>> = { ".visible": "visible", ".weak": "weak", ".extern": "extern" };

function isDefined(global: GlobalValue): boolean {
  if (global.linkage === "available_externally" || global.name.startsWith("llvm.")) return false;
  if (global.kind === "variable") return global.initializer !== undefined;
  return global.kind === "function" ? global.body !== undefined : aliasesFunction(global);
}

/** Of aliases, those of functions alone are names for others. */
function aliasesFunction(global: GlobalValue): boolean {
  const aliasee = "aliasee" in global ? global.aliasee : undefined;
  return aliasee?.kind === "function" || (aliasee?.kind === "expression" && aliasee.operands[0]?.kind === "function");
}
