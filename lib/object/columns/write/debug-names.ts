// Looks up names in debug sections: a module's own symbols, and parameters of its kernels.

import { HAS_SCOPE } from "../../file/declaration-codes.js";
import { listIn } from "../../../base/lists.js";
import { debugName, type FoundParameter } from "../../dwarf/debug-layout.js";
import { parameterBank } from "../../parameters.js";
import { isVariable, type SymbolRow, type Columns } from "../columns.js";
import { internString, stringOf, type StringId } from "../strings.js";
import { declaredFunction } from "../values.js";

/** The name of a symbol in its source text. */
export function debugText(columns: Columns, row: SymbolRow): StringId {
  const name = columns.name[row]!;
  if (!isVariable(columns, row) || (columns.flags[row]! & HAS_SCOPE) === 0) return name;
  return internString(columns.strings, debugName(stringOf(columns.strings, name), true));
}

/** Symbols numbered from 0. */
export interface NamedSymbols {
  /** The module of a symbol; -1 if no module defines it. */
  moduleOf(symbol: number): number;
  nameOf(symbol: number): StringId;
}

/**
 * Returns a function that finds a module's own symbol by name, the first of several; -1 for none. Strings that are added later
 * are not names.
 */
export function namesInModules(
  { moduleStart, strings }: Columns,
  count: number,
  { moduleOf, nameOf }: NamedSymbols,
): (module: number, name: StringId) => number {
  const start = new Int32Array(moduleStart.length + 1);
  for (let symbol = 0; symbol < count; symbol++) if (moduleOf(symbol) >= 0) start[moduleOf(symbol) + 1]!++;
  for (let module = 0; module < moduleStart.length; module++) start[module + 1]! += start[module]!;
  const symbols = new Int32Array(start.at(-1)!);
  const next = start.slice();
  for (let symbol = 0; symbol < count; symbol++) if (moduleOf(symbol) >= 0) symbols[next[moduleOf(symbol)]!++] = symbol;
  // Caches the last module, because lookups come module by module.
  let current = -1;
  const symbolOf = new Int32Array(strings.count);
  const holder = new Int32Array(strings.count).fill(-1);
  return (module, name) => {
    if (module !== current) {
      for (let i = start[module + 1]! - 1; i >= start[module]!; i--) {
        const own = nameOf(symbols[i]!);
        if (own >= holder.length) continue;
        holder[own] = module;
        symbolOf[own] = symbols[i]!;
      }
      current = module;
    }
    return holder[name] === module ? symbolOf[name]! : -1;
  };
}

/** Returns a function that finds a parameter of a module's kernels; of several with the same name, the last kernel's. */
export function parameterFinder(
  columns: Columns,
  kernels: readonly SymbolRow[],
  sm: number,
): (module: number, name: StringId) => FoundParameter | undefined {
  const kernelsOf = new Map<number, SymbolRow[]>();
  for (const kernel of kernels) listIn(kernelsOf, columns.module[kernel]!).push(kernel);
  const known = new Map<number, ReadonlyMap<string, FoundParameter>>();
  const read = (module: number): ReadonlyMap<string, FoundParameter> => {
    const parameters = new Map<string, FoundParameter>();
    for (const kernel of kernelsOf.get(module) ?? []) {
      const { prototype } = declaredFunction(columns.types, columns.typeId[kernel]!, true);
      const { base, offsets } = parameterBank(prototype, sm);
      prototype.parameters.forEach(({ name }, i) => parameters.set(name, { offset: base + offsets[i]!, isOwn: true }));
    }
    known.set(module, parameters);
    return parameters;
  };
  return (module, name) => (known.get(module) ?? read(module)).get(stringOf(columns.strings, name));
}
