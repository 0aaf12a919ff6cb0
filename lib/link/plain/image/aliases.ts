// The names that --defsym gives (../tell/define.ts) as symbols of the image, behind all others, for hosts to look up. A fixed address is
// written where it is used and has no symbol.

import type { Diagnostic } from "../../../diag/diagnostic.js";
import { alignAt } from "../../../object/place.js";
import type { Alias } from "../../linked.js";
import type { PlainLayout } from "../layout/layout.js";
import { isSharedVariable, type MergedRow, type PlainResolution } from "../names/resolve.js";
import { alignOfShape, bytesShape, realigned, sizeOfShape, withLayoutOf, type ShapeId } from "../tables/shapes.js";
import { isCommon, isReference, isVariable, LINKAGE, linkageOf, type Tables } from "../tables/tables.js";
import type { TextId } from "../tables/texts.js";

/** The result of --defsym. */
export interface PlainDefined {
  readonly tables: Tables;
  readonly aliases: readonly PlainAlias[];
  /** Names that options settle. */
  readonly settled: ReadonlySet<string>;
  /** What is to be said of them. */
  readonly found: readonly Diagnostic[];
}

export interface PlainAlias extends Alias {
  readonly nameText: TextId;
  readonly baseText: TextId;
  readonly moduleText: TextId;
  /** As some module declares the name with a size, else -1. */
  readonly shape: ShapeId;
}

/** A symbol behind those of the image. */
export interface ImageAlias {
  readonly name: TextId;
  /** What it is another name of. */
  readonly base: MergedRow;
  /** Bytes behind the start of that. */
  readonly offset: number;
  readonly shape: ShapeId;
}

/** The aliases in the image. Adds shapes to those of the link. */
export function imageAliases(
  tables: Tables,
  resolution: PlainResolution,
  layout: PlainLayout,
  aliases: readonly PlainAlias[],
): readonly ImageAlias[] {
  const { shapes, shape } = tables;
  return aliases.flatMap((alias): ImageAlias[] => {
    const base = baseOf(tables, resolution, layout, alias);
    if (base === undefined) return [];
    const symbol = resolution.chosen[base]!;
    const own = layout.commons.get(base)?.shape ?? shape[symbol]!;
    const { nameText: name, offset } = alias;
    if (!isVariable(tables, symbol)) return [{ name, base, offset, shape: own }];
    const declared = alias.shape >= 0 ? alias.shape : offset === 0 ? own : -1;
    const wanted = declared < 0 ? bytesShape(shapes, sizeOfShape(shapes, own) - offset) : declared;
    const align = Math.min(alignOfShape(shapes, wanted), alignAt(alignOfShape(shapes, own), offset));
    return [{ name, base, offset, shape: realigned(shapes, withLayoutOf(shapes, own, wanted), align) }];
  });
}

/** The symbol behind a name, if it has a place; after --localize it may be a static one of several. */
function baseOf(
  tables: Tables,
  { count, chosen }: PlainResolution,
  layout: PlainLayout,
  { baseText, moduleText }: PlainAlias,
): MergedRow | undefined {
  let found: MergedRow | undefined;
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (tables.name[symbol] !== baseText || layout.isThere[row] === 0 || isReference(tables, symbol)) continue;
    const isPlaced = isSharedVariable(tables, symbol)
      ? layout.shared.offsets.has(row)
      : tables.place[symbol]! >= 0 || isCommon(tables, symbol);
    if (!isPlaced) continue;
    if (linkageOf(tables, symbol) !== LINKAGE.static) return row;
    const from = layout.commons.get(row)?.first ?? symbol;
    const module = tables.moduleStart[tables.module[from]!]!;
    if (found === undefined && -tables.modules[module]! - 1 === moduleText) found = row;
  }
  return found;
}
