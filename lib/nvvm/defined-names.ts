// The names that a module would define if it were linked: PTX names, and their linkage. Bodies are not read.

import type { Ranged } from "../ptx/source-text.js";
import type { Linkage } from "../ptx/tree.js";
import { readAnnotations } from "./globals/annotations.js";
import { linkages } from "./globals/linkage.table.js";
import { createNames } from "./globals/names.js";
import type { Alias, GlobalValue } from "./ir/global.js";
import type { DataLayout } from "./ir/layout.js";
import { layoutOf } from "./ir/layout-string.js";
import type { Module } from "./ir/module.js";
import { aliasedVariable } from "./variable-aliases.js";
import { createSink } from "../diag/sink.js";

export interface DefinedGlobal {
  /** The name in PTX. */
  readonly name: string;
  /** The name in the module. */
  readonly own: string;
  /** PTX's directive; undefined if other modules do not see it. */
  readonly linkage: Linkage | undefined;
  readonly isKernel: boolean;
  readonly at: Ranged;
}

export function definedNames(module: Module): readonly DefinedGlobal[] {
  const nameOf = createNames(module);
  const { isKernel } = readAnnotations(module, {}, createSink());
  const layout = layoutOf(module);
  const globals = [...module.variables, ...module.functions, ...module.aliases];
  const defined = globals.filter((global) => isDefined(global, layout));
  return defined.map((global) => ({
    name: nameOf(global),
    own: global.name,
    linkage: directives[linkages[global.linkage].defined],
    isKernel: global.kind === "function" && isKernel(global),
    at: { start: global.nameStart, end: global.nameStart + 1 + global.name.length },
  }));
}

const directives: Readonly<Record<string, Linkage>> = { ".visible": "visible", ".weak": "weak", ".extern": "extern" };

function isDefined(global: GlobalValue, layout: DataLayout): boolean {
  if (global.linkage === "available_externally" || global.name.startsWith("llvm.")) return false;
  if (global.kind === "variable") return global.initializer !== undefined;
  return global.kind === "function" ? global.body !== undefined : isOfDefinition(global, layout);
}

/** Whether an alias is of something that other modules can refer to. */
function isOfDefinition(alias: Alias, layout: DataLayout): boolean {
  const { aliasee } = alias;
  if (aliasee.kind === "function") return true;
  if (aliasee.kind === "expression" && aliasee.operands[0]?.kind === "function") return true;
  return aliasedVariable(alias, layout) !== undefined;
}
