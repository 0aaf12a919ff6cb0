// The `.common` variables of a plain link (link.ts) that nothing else defines: layout.ts and resolve.ts over columns. Each has the
// largest size and alignment that any module says, and the place among the others that the first one to say it gives it.

import type { MergedRow, PlainResolution } from "./resolve.js";
import { alignOfShape, realigned, sizeOfShape, type ShapeId } from "./shapes.js";
import { isCommon, type SymbolRow, type Tables } from "./tables.js";

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
  const found = new Map<MergedRow, { readonly first: SymbolRow; align: number }>();
  for (let row = 0; row < mergedOf.length; row++) {
    if (!isCommon(tables, row) || !isCommon(tables, chosen[mergedOf[row]!]!)) continue;
    const align = alignOfShape(shapes, shape[row]!);
    const known = found.get(mergedOf[row]!);
    if (known === undefined) found.set(mergedOf[row]!, { first: row, align });
    else known.align = Math.max(known.align, align);
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
