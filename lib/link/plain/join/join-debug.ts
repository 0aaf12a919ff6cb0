// Debug sections of the object of `-r` (join.ts): ../image/debug-layout.ts joins them and resolves names here.

import { debugRelocation, type FoundSymbol } from "../../../object/dwarf/debug-layout.js";
import { layOutPlainDebug, type FindDebugText, type PlainDebugLayout } from "../image/debug-layout.js";
import { debugText, namesInModules, parameterFinder } from "../image/debug-names.js";
import type { PlainJoin } from "./join.js";
import { isConstant, isSharedVariable } from "../names/resolve.js";
import { isVariable, LINKAGE, linkageOf, type SymbolRow } from "../tables/tables.js";

/** Relocations name symbols by the object's numbers. */
export const joinedDebug = (join: PlainJoin, kernels: readonly SymbolRow[], sm: number): PlainDebugLayout =>
  layOutPlainDebug(join.tables, () => nameFinder(join, kernels, sm));

function nameFinder(join: PlainJoin, kernels: readonly SymbolRow[], sm: number): FindDebugText {
  const { tables, symbols } = join;
  const moduleOf = (number: number): number => tables.module[join.commons.get(number)?.first ?? symbols[number]!]!;
  /** By text the first symbol that others see. */
  const seen = new Int32Array(tables.texts.count).fill(-1);
  symbols.forEach((row, number) => {
    if (linkageOf(tables, row) === LINKAGE.static) return;
    const name = debugText(tables, row);
    if (name < seen.length && seen[name]! < 0) seen[name] = number;
  });
  const own = namesInModules(tables, symbols.length, {
    moduleOf,
    nameOf: (number) => debugText(tables, symbols[number]!),
  });
  const parameter = parameterFinder(tables, kernels, sm);
  return (module, name) => {
    const mine = own(module, name);
    // A text that is new is none of theirs.
    const number = mine >= 0 ? mine : (seen[name] ?? -1);
    return number < 0 ? parameter(module, name) : foundSymbol(join, number, moduleOf(number) === module);
  };
}

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
