// The `.common` variables that nothing else defines. Each has the largest size and alignment that any module says, and the place
// among the others that the first one to say it gives it.

import { alignOfShape, realigned, sizeOfShape, type ShapeId } from "../tables/shapes.js";
import { detailOf, type MergedRow, type PlainResolution } from "./resolve.js";
import { isCommon, isVariable, type SymbolRow, type Tables } from "../tables/tables.js";

export interface PlainCommon {
  /** The first of the name: it says where the variable is declared. */
  readonly first: SymbolRow;
  /** Bytes. */
  readonly size: number;
  readonly align: number;
  /** As it is declared in the image. */
  readonly shape: ShapeId;
}

/** By what they are merged into, in the order in which they are laid out. Adds shapes to those of the link. */
export function findCommons(
  tables: Tables,
  { mergedOf, chosen }: PlainResolution,
): ReadonlyMap<MergedRow, PlainCommon> {
  const { shapes, shape, module, line, column } = tables;
  if (tables.rare.common === 0) return new Map();
  const found = new Map<MergedRow, { readonly first: SymbolRow; align: number }>();
  for (let row = 0; row < mergedOf.length; row++) {
    const isOne = isCommon(tables, row) && isCommon(tables, chosen[mergedOf[row]!]!);
    if (isOne && !found.has(mergedOf[row]!)) found.set(mergedOf[row]!, { first: row, align: 1 });
  }
  // Declarations count, too.
  for (let row = 0; found.size > 0 && row < mergedOf.length; row++) {
    const own = found.get(mergedOf[row]!);
    if (own !== undefined && isVariable(tables, row))
      own.align = Math.max(own.align, alignOfShape(shapes, shape[row]!));
  }
  // The one that is first `.common` anywhere stands last.
  const sorted = [...found].sort(
    ([a, { first: one }], [b, { first: other }]) =>
      module[other]! - module[one]! || line[other]! - line[one]! || column[other]! - column[one]! || b - a,
  );
  return new Map(
    sorted.map(([row, { first, align }]) => {
      const own = shape[chosen[row]!]!;
      return [row, { first, align, size: sizeOfShape(shapes, own), shape: realigned(shapes, own, align) }];
    }),
  );
}

/** By what `.common` alone defines, the declaration that says most of it, and its shape, aligned as the strictest asks. Adds shapes. */
export function declaredCommons(
  tables: Tables,
  { mergedOf, chosen }: PlainResolution,
): ReadonlyMap<MergedRow, { readonly symbol: SymbolRow; readonly shape: ShapeId }> {
  const { shapes, shape } = tables;
  const found = new Map<MergedRow, { symbol: SymbolRow; align: number }>();
  for (let row = 0; tables.rare.common > 0 && row < mergedOf.length; row++) {
    const merged = mergedOf[row]!;
    if (isCommon(tables, row) || !isCommon(tables, chosen[merged]!) || !isVariable(tables, row)) continue;
    const align = alignOfShape(shapes, shape[row]!);
    const known = found.get(merged);
    if (known === undefined) found.set(merged, { symbol: row, align });
    else {
      if (detailOf(tables, row) > detailOf(tables, known.symbol)) known.symbol = row;
      known.align = Math.max(known.align, align);
    }
  }
  return new Map(
    [...found].map(([row, { symbol, align }]) => [row, { symbol, shape: realigned(shapes, shape[symbol]!, align) }]),
  );
}

/** The shapes of variables in the image that nothing defines, each with the largest alignment that any module asks for. Adds shapes. */
export function openShapes(
  tables: Tables,
  { mergedOf, chosen, count }: PlainResolution,
  isThere: (row: MergedRow) => boolean,
): ReadonlyMap<MergedRow, ShapeId> {
  const { shapes, shape, place } = tables;
  const aligns = new Map<MergedRow, number>();
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (place[symbol]! >= 0 || isCommon(tables, symbol)) continue;
    if (isVariable(tables, symbol) && isThere(row)) aligns.set(row, 1);
  }
  for (let row = 0; aligns.size > 0 && row < mergedOf.length; row++) {
    const align = aligns.get(mergedOf[row]!);
    if (align !== undefined && isVariable(tables, row))
      aligns.set(mergedOf[row]!, Math.max(align, alignOfShape(shapes, shape[row]!)));
  }
  return new Map([...aligns].map(([row, align]) => [row, realigned(shapes, shape[chosen[row]!]!, align)]));
}
