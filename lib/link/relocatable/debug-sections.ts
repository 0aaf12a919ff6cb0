// Debug sections of the object of `-r` (partial-link.ts): ../image/debug-layout.ts joins them and resolves names here.

import { debugRelocation, type FoundSymbol } from "../../object/dwarf/debug-layout.js";
import { layOutDebug, type FindDebugText, type DebugLayout } from "../image/debug-layout.js";
import { debugText, namesInModules, parameterFinder } from "../image/debug-names.js";
import type { PartialLink } from "./partial-link.js";
import { isConstant, isSharedVariable } from "../resolve/resolve.js";
import { isVariable, LINKAGE, linkageOf, type SymbolRow } from "../../object/columns/columns.js";

/** Relocations name symbols by the object's numbers. */
export const joinedDebug = (join: PartialLink, kernels: readonly SymbolRow[], sm: number): DebugLayout =>
  layOutDebug(join.columns, () => nameFinder(join, kernels, sm));

function nameFinder(join: PartialLink, kernels: readonly SymbolRow[], sm: number): FindDebugText {
  const { columns, symbols } = join;
  const moduleOf = (number: number): number => columns.module[join.commons.get(number)?.first ?? symbols[number]!]!;
  /** By text the first symbol that others see. */
  const seen = new Int32Array(columns.strings.count).fill(-1);
  symbols.forEach((row, number) => {
    if (linkageOf(columns, row) === LINKAGE.static) return;
    const name = debugText(columns, row);
    if (name < seen.length && seen[name]! < 0) seen[name] = number;
  });
  const own = namesInModules(columns, symbols.length, {
    moduleOf,
    nameOf: (number) => debugText(columns, symbols[number]!),
  });
  const parameter = parameterFinder(columns, kernels, sm);
  return (module, name) => {
    const mine = own(module, name);
    // A text that is new is none of theirs.
    const number = mine >= 0 ? mine : (seen[name] ?? -1);
    return number < 0 ? parameter(module, name) : foundSymbol(join, number, moduleOf(number) === module);
  };
}

function foundSymbol(
  { columns, symbols, outputSectionOf }: PartialLink,
  number: number,
  isOfModule: boolean,
): FoundSymbol {
  const row = symbols[number]!;
  const isPlaced = outputSectionOf[number]! >= 0;
  const isShared = isSharedVariable(columns, row);
  return {
    index: number,
    offset: isPlaced && !isShared && isVariable(columns, row) ? columns.offset[row]! : 0,
    isOwn: isOfModule && isPlaced,
    relocation: debugRelocation("relocatable", isConstant(columns, row) ? "const" : isShared ? "shared" : undefined),
  };
}
