// Aliases of variables that other modules can see (NVVM IR 1.0 section 3.7): PTX has second names for functions alone, so that
// the linker has to give them, as --defsym does.

import { foldConstant } from "./globals/fold.js";
import { isLocal } from "./globals/linkage.table.js";
import { createNames } from "./globals/names.js";
import { visibleName } from "./globals/variables.js";
import type { Alias, GlobalVariable } from "./ir/global.js";
import { layoutOf } from "./ir/layout-string.js";
import type { Module } from "./ir/module.js";
import type { NvvmOptions } from "./options.js";

/** A name for a place in a variable. Names are PTX's; that of a variable which only its module sees is made visible. */
export interface VariableAlias {
  readonly name: string;
  readonly variable: GlobalVariable;
  readonly base: string;
  /** Bytes behind the variable's start. */
  readonly offset: bigint;
}

export const isExternalAlias = ({ kind, linkage }: Alias): boolean => kind === "alias" && !isLocal(linkage);

/** Those of a module, which a link can give. */
export function variableAliases(module: Module): readonly VariableAlias[] {
  const layout = layoutOf(module);
  const nameOf = createNames(module);
  return module.aliases.filter(isExternalAlias).flatMap((alias): readonly VariableAlias[] => {
    const meant = foldConstant(alias.aliasee, layout);
    if (meant?.kind !== "address" || meant.from !== 0 || meant.global.kind !== "variable") return [];
    const { global: variable, addend } = meant;
    const own = nameOf(variable);
    const base = isLocal(variable.linkage) ? visibleName(own, module) : own;
    return [{ name: nameOf(alias), variable, base, offset: addend }];
  });
}

/** The variables of which the link gives aliases. */
export const aliasedVariables = (module: Module, { aliases = [] }: NvvmOptions): readonly GlobalVariable[] =>
  aliases.length === 0
    ? []
    : variableAliases(module).flatMap(({ name, variable }) => (aliases.includes(name) ? [variable] : []));
