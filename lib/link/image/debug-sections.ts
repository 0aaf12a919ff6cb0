// Debug sections of the image: resolves names; debug-layout.ts joins the sections.

import { debugRelocation, type FoundSymbol } from "../../object/dwarf/debug-layout.js";
import { layOutDebug, type FindDebugText, type DebugLayout } from "../../object/columns/write/debug-layout.js";
import { debugText, namesInModules, parameterFinder } from "../../object/columns/write/debug-names.js";
import type { ImageLayout } from "../layout/layout.js";
import { type MergedRow, type Resolution } from "../resolve/resolve.js";
import {
  isFunction,
  SPACE,
  spaceOf,
  type SymbolRow,
  type Columns,
  isSharedVariable,
} from "../../object/columns/columns.js";

/** The debug sections. Relocations refer to symbols by their merged rows. */
export const imageDebug = (
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  kernels: readonly SymbolRow[],
  sm: number,
): DebugLayout => layOutDebug(columns, () => nameFinder(columns, resolution, layout, kernels, sm));

function nameFinder(
  columns: Columns,
  { chosen, mergedOf, count, byName }: Resolution,
  layout: ImageLayout,
  kernels: readonly SymbolRow[],
  sm: number,
): FindDebugText {
  // A common symbol belongs to the first module that declares it.
  const moduleOf = (row: MergedRow): number => columns.module[layout.commons.get(row)?.first ?? chosen[row]!]!;
  const own = namesInModules(columns, count, {
    moduleOf: (row) => (layout.isInImage[row] !== 0 ? moduleOf(row) : -1),
    nameOf: (row) => debugText(columns, chosen[row]!),
  });
  const there = kernels.filter((kernel) => layout.isInImage[mergedOf[kernel]!] !== 0);
  const parameter = parameterFinder(
    columns,
    there.sort((a, b) => mergedOf[a]! - mergedOf[b]!),
    sm,
  );
  return (module, name) => {
    const row = own(module, name);
    if (row >= 0) return foundSymbol(columns, layout, row, chosen[row]!, moduleOf(row) === module);
    // The image's symbols of shared names. Names that were added later are not symbols.
    const shared = byName[name] ?? -1;
    if (shared < 0 || layout.isInImage[shared] === 0) return parameter(module, name);
    return foundSymbol(columns, layout, shared, chosen[shared]!, moduleOf(shared) === module);
  };
}

function foundSymbol(
  columns: Columns,
  layout: ImageLayout,
  index: MergedRow,
  symbol: SymbolRow,
  isOfModule: boolean,
): FoundSymbol {
  const place = columns.sectionOf[symbol]!;
  const isVariable = !isFunction(columns, symbol);
  const isConst = isVariable && spaceOf(columns, symbol) === SPACE.const;
  const isShared = isSharedVariable(columns, symbol);
  const common = layout.commonAt.get(index);
  const isPlaced = place >= 0 || common !== undefined;
  const offset = common ?? (isShared ? layout.linkTimeOffset[index]! : layout.offset[place]! + columns.offset[symbol]!);
  return {
    index,
    offset: isPlaced && isVariable ? offset : 0,
    isOwn: isOfModule && isPlaced,
    relocation: debugRelocation("executable", isConst ? "const" : isShared ? "shared" : undefined),
  };
}
