// Aliases of variables that other modules can see (NVVM IR 1.0 section 3.7). PTX has aliases of functions only, so they are
// stored in the object separately from the text, and the linker resolves them.

import type { VariableAlias } from "../ptx/source-text.js";
import { placeOf } from "../ptx/source.js";
import type { CompileContext } from "./compile-context.js";
import { foldConstant, type Address } from "./globals/fold.js";
import { isLocal, linkages } from "./globals/linkage.table.js";
import { variableName } from "./globals/variables.js";
import type { Alias, GlobalVariable } from "./ir/global.js";
import type { DataLayout } from "./ir/layout.js";
import { layoutOf } from "./ir/layout-string.js";
import type { Module } from "./ir/module.js";

const isExternalAlias = ({ kind, linkage }: Alias): boolean => kind === "alias" && !isLocal(linkage);

/** The target of a variable's alias; undefined for any other alias. */
export function aliasedVariable(
  { aliasee }: Alias,
  layout: DataLayout,
): (Address & { readonly global: GlobalVariable }) | undefined {
  const meant = foldConstant(aliasee, layout);
  if (meant?.kind !== "address" || meant.from !== 0 || meant.global.kind !== "variable") return undefined;
  return { ...meant, global: meant.global };
}

/** The variables that other modules see through aliases. */
export function aliasedVariables(module: Module): readonly GlobalVariable[] {
  if (module.aliases.length === 0) return [];
  const layout = layoutOf(module);
  return module.aliases.filter(isExternalAlias).flatMap((alias) => aliasedVariable(alias, layout)?.global ?? []);
}

/** Alignment in bytes that the address at an offset certainly has. */
function alignAt({ align, valueType }: GlobalVariable, offset: number, layout: DataLayout): number {
  const whole = align ?? layout.align(valueType);
  return offset === 0 ? whole : Math.min(whole, offset & -offset & 0xffff || whole);
}

/** The aliases of a module. One that is not inside its variable is reported. */
export function variableAliases(context: CompileContext): readonly VariableAlias[] {
  const { module, layout, nameOf, annotations, sink } = context;
  return module.aliases.filter(isExternalAlias).flatMap((alias): readonly VariableAlias[] => {
    const { name, nameStart: start, linkage, valueType } = alias;
    const meant = aliasedVariable(alias, layout);
    if (meant === undefined) return [];
    const { global: variable, addend } = meant;
    const range = { start, end: start + name.length + 1 };
    const whole = layout.allocSize(variable.valueType) ?? 0;
    const { reference } = annotations.roleOf(variable);
    if (reference !== undefined || addend < 0n || addend > BigInt(whole)) {
      const why =
        reference === undefined
          ? `it is ${addend} bytes from '@${variable.name}', which has ${whole}`
          : `'@${variable.name}' is a ${reference}`;
      sink.report("nvvm-alias", `other modules cannot see '@${name}': ${why}`, placeOf(module.source, range));
      return [];
    }
    const offset = Number(addend);
    const isWeak = linkages[linkage].defined === ".weak";
    const size = layout.allocSize(valueType) ?? 0;
    const align = Math.min(layout.align(valueType), alignAt(variable, offset, layout));
    return [{ name: nameOf(alias), base: variableName(variable, context), offset, size, align, isWeak, ...range }];
  });
}
