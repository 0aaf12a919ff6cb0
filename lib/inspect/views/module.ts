// The view of PTX text: the module's header and its names. Functions and kernels are in kernels-own.ts.

import { typeText } from "../../check/symbols.js";
import type { CheckedModule } from "../../check/module.js";
import { driverOf } from "../../isa/drivers.table.js";
import { versionText } from "../../isa/requirement.js";
import type { Demangle } from "../context/demangler.js";

export interface ModuleVariableView {
  readonly name: string;
  readonly demangled?: string;
  readonly space: string;
  readonly linkage: string;
  /** The type in PTX. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly align: number;
  readonly initialised: boolean;
  /** For a variable declared in a function: the function's name. */
  readonly scope?: string;
  readonly line: number;
}

export interface ModuleView {
  /** PTX version, such as "8.5". */
  readonly version: string;
  /** The first driver that accepts it, such as "driver r555 (CUDA 12.5) or newer". */
  readonly needs?: string;
  readonly target: string;
  readonly options: readonly string[];
  readonly variables: readonly ModuleVariableView[];
  /** Names of texture, sampler and surface references. */
  readonly references: readonly { readonly name: string; readonly type: string; readonly line: number }[];
}

export function moduleView(module: CheckedModule, demangle: Demangle): ModuleView {
  const needs = driverOf(module.version);
  return {
    version: versionText(module.version),
    ...(needs === undefined ? {} : { needs }),
    target: module.target.name,
    options: module.targetOptions,
    variables: module.symbols.flatMap((symbol): readonly ModuleVariableView[] => {
      if (symbol.kind !== "variable") return [];
      const { name, space, linkage, layout, initial, scope, place } = symbol;
      const demangled = demangle(name);
      return [
        {
          name,
          ...(demangled === undefined ? {} : { demangled }),
          space,
          linkage,
          type: typeText(layout),
          size: layout.size,
          align: layout.align,
          initialised: initial !== undefined,
          ...(scope === undefined ? {} : { scope }),
          line: place.line,
        },
      ];
    }),
    references: module.symbols.flatMap((symbol) =>
      symbol.kind === "reference" ? [{ name: symbol.name, type: symbol.type, line: symbol.place.line }] : [],
    ),
  };
}
