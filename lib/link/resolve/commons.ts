// The `.common` variables without another definition. Each has the largest size and alignment of all declarations. Its position
// among the others is that of the first `.common` declaration of its name.

import { alignOfType, withAlignment, sizeOfType, type TypeId } from "../../object/columns/types.js";
import { detailOf, type MergedRow, type Resolution } from "./resolve.js";
import { isCommon, isVariable, type SymbolRow, type Columns } from "../../object/columns/columns.js";

export interface CommonSymbol {
  /** The first `.common` declaration of the name: its place in messages and in the order. */
  readonly first: SymbolRow;
  /** Size and alignment in bytes. */
  readonly size: number;
  readonly align: number;
  /** The type in the image. */
  readonly typeId: TypeId;
}

/** The common variables by merged row, in layout order. Adds types to the link's type table. */
export function findCommons(columns: Columns, { mergedOf, chosen }: Resolution): ReadonlyMap<MergedRow, CommonSymbol> {
  const { types, typeId, module, line, column } = columns;
  if (columns.featureCounts.common === 0) return new Map();
  const found = new Map<MergedRow, { readonly first: SymbolRow; align: number }>();
  for (let row = 0; row < mergedOf.length; row++) {
    const isOne = isCommon(columns, row) && isCommon(columns, chosen[mergedOf[row]!]!);
    if (isOne && !found.has(mergedOf[row]!)) found.set(mergedOf[row]!, { first: row, align: 1 });
  }
  // Other declarations count for the alignment, too.
  for (let row = 0; found.size > 0 && row < mergedOf.length; row++) {
    const own = found.get(mergedOf[row]!);
    if (own !== undefined && isVariable(columns, row))
      own.align = Math.max(own.align, alignOfType(types, typeId[row]!));
  }
  // In reverse order: the first declaration comes last.
  const sorted = [...found].sort(
    ([a, { first: one }], [b, { first: other }]) =>
      module[other]! - module[one]! || line[other]! - line[one]! || column[other]! - column[one]! || b - a,
  );
  return new Map(
    sorted.map(([row, { first, align }]) => {
      const own = typeId[chosen[row]!]!;
      return [row, { first, align, size: sizeOfType(types, own), typeId: withAlignment(types, own, align) }];
    }),
  );
}

/**
 * For each name that only `.common` variables define: the most detailed declaration, and its type with the strictest alignment.
 * Adds types to the link's type table.
 */
export function declaredCommons(
  columns: Columns,
  { mergedOf, chosen }: Resolution,
): ReadonlyMap<MergedRow, { readonly symbol: SymbolRow; readonly typeId: TypeId }> {
  const { types, typeId } = columns;
  const found = new Map<MergedRow, { symbol: SymbolRow; align: number }>();
  for (let row = 0; columns.featureCounts.common > 0 && row < mergedOf.length; row++) {
    const merged = mergedOf[row]!;
    if (isCommon(columns, row) || !isCommon(columns, chosen[merged]!) || !isVariable(columns, row)) continue;
    const align = alignOfType(types, typeId[row]!);
    const known = found.get(merged);
    if (known === undefined) found.set(merged, { symbol: row, align });
    else {
      if (detailOf(columns, row) > detailOf(columns, known.symbol)) known.symbol = row;
      known.align = Math.max(known.align, align);
    }
  }
  return new Map(
    [...found].map(([row, { symbol, align }]) => [
      row,
      { symbol, typeId: withAlignment(types, typeId[symbol]!, align) },
    ]),
  );
}

/**
 * The types of undefined variables in the image, with the strictest alignment of all modules. Adds types to the link's type
 * table.
 */
export function undefinedTypes(
  columns: Columns,
  { mergedOf, chosen, count }: Resolution,
  isThere: (row: MergedRow) => boolean,
): ReadonlyMap<MergedRow, TypeId> {
  const { types, typeId, sectionOf } = columns;
  const aligns = new Map<MergedRow, number>();
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (sectionOf[symbol]! >= 0 || isCommon(columns, symbol)) continue;
    if (isVariable(columns, symbol) && isThere(row)) aligns.set(row, 1);
  }
  for (let row = 0; aligns.size > 0 && row < mergedOf.length; row++) {
    const align = aligns.get(mergedOf[row]!);
    if (align !== undefined && isVariable(columns, row))
      aligns.set(mergedOf[row]!, Math.max(align, alignOfType(types, typeId[row]!)));
  }
  return new Map([...aligns].map(([row, align]) => [row, withAlignment(types, typeId[chosen[row]!]!, align)]));
}
