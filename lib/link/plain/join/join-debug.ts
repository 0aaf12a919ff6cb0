// Debug sections of the object of `-r` (join.ts): object/dwarf/debug-layout.ts joins them, and looks names up in the columns here.
// Only modules with debug sections have their names made into strings.

import {
  debugName,
  debugRelocation,
  joinDebug,
  type DebugLayout,
  type FindDebugName,
  type FoundParameter,
  type FoundSymbol,
} from "../../../object/dwarf/debug-layout.js";
import { parameterBlock } from "../../../object/parameters.js";
import { listIn } from "../../shared/shared-reach.js";
import { notPlain } from "../tables/cursor.js";
import { debugParts } from "../image/debug.js";
import type { PlainJoin } from "./join.js";
import { parameterBase } from "../image/kernels.js";
import { HAS_SCOPE } from "../tables/codes.js";
import { isConstant, isSharedVariable } from "../names/resolve.js";
import { isFunction, isVariable, LINKAGE, linkageOf, type SymbolRow, type Tables } from "../tables/tables.js";
import { internText, textOf } from "../tables/texts.js";
import { declaredFunction } from "../tables/values.js";

/** Relocations name symbols by the object's numbers. */
export const joinedDebug = (join: PlainJoin, kernels: readonly SymbolRow[], sm: number): DebugLayout =>
  joinDebug(debugParts(join.tables), () => nameFinder(join, kernels, sm));

function nameFinder(join: PlainJoin, kernels: readonly SymbolRow[], sm: number): FindDebugName {
  const { tables, symbols } = join;
  const moduleOf = (number: number): number => tables.module[join.commons.get(number)?.first ?? symbols[number]!]!;
  const inModule = new Map<number, number[]>();
  const described = new Set(tables.debug.map(({ module }) => module));
  /** By text the first symbol that others see. */
  const seen = new Int32Array(tables.texts.count).fill(-1);
  symbols.forEach((row, number) => {
    if (described.has(moduleOf(number))) listIn(inModule, moduleOf(number)).push(number);
    if (linkageOf(tables, row) === LINKAGE.static) return;
    if (isScoped(tables, row)) notPlain("a function's variable that others see");
    if (seen[tables.name[row]!]! < 0) seen[tables.name[row]!] = number;
  });
  const parameters = parametersOf(tables, kernels, described, sm);
  const known = new Map<number, ReadonlyMap<string, number>>();
  const ownNames = (module: number): ReadonlyMap<string, number> => {
    const before = known.get(module);
    if (before !== undefined) return before;
    const names = new Map<string, number>();
    for (const number of inModule.get(module) ?? []) {
      const row = symbols[number]!;
      const name = debugName(textOf(tables.texts, tables.name[row]!), isScoped(tables, row));
      if (!names.has(name)) names.set(name, number);
    }
    known.set(module, names);
    return names;
  };
  return (module, name) => {
    const shared = (): number | undefined => {
      // A text that is new is none of theirs.
      const number = seen[internText(tables.texts, name)] ?? -1;
      return number < 0 ? undefined : number;
    };
    const number = ownNames(module).get(name) ?? shared();
    if (number === undefined) return parameters.get(`${module} ${name}`);
    return foundSymbol(join, number, moduleOf(number) === module);
  };
}

const isScoped = (tables: Tables, row: SymbolRow): boolean =>
  isVariable(tables, row) && (tables.flags[row]! & HAS_SCOPE) !== 0;

function foundSymbol({ tables, symbols, sectionOf }: PlainJoin, number: number, isOfModule: boolean): FoundSymbol {
  const row = symbols[number]!;
  const isPlaced = sectionOf[number]! >= 0;
  const isShared = isSharedVariable(tables, row);
  return {
    index: number,
    offset: isPlaced && !isShared && isVariable(tables, row) ? tables.offset[row]! : 0,
    isOwn: isOfModule && isPlaced,
    relocation: debugRelocation("relocatable", isConstant(tables, row) ? "const" : isShared ? "shared" : undefined),
  };
}

/** By module and name. */
function parametersOf(
  tables: Tables,
  kernels: readonly SymbolRow[],
  described: ReadonlySet<number>,
  sm: number,
): ReadonlyMap<string, FoundParameter> {
  const parameters = new Map<string, FoundParameter>();
  for (const row of kernels) {
    const module = tables.module[row]!;
    if (!described.has(module) || !isFunction(tables, row)) continue;
    const { prototype } = declaredFunction(tables.shapes, tables.shape[row]!, true);
    const { offsets } = parameterBlock(prototype);
    const base = parameterBase(tables.shapes, tables.shape[row]!, sm);
    prototype.parameters.forEach(({ name }, i) =>
      parameters.set(`${module} ${name}`, { offset: base + offsets[i]!, isOwn: true }),
    );
  }
  return parameters;
}
