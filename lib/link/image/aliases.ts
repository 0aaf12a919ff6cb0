// Names of --defsym (../defsym/define.ts) as symbols of the image, after all others, for hosts to look up. A fixed address is
// written where it is used and has no symbol.

import type { Diagnostic } from "../../diag/diagnostic.js";
import { alignAt } from "../../object/place.js";
import type { Alias } from "../model/linked.js";
import type { ImageLayout } from "../layout/layout.js";
import { type MergedRow, type Resolution } from "../resolve/resolve.js";
import {
  alignOfType,
  bytesType,
  withAlignment,
  sizeOfType,
  withLayoutOf,
  type TypeId,
} from "../../object/columns/types.js";
import {
  isCommon,
  isReference,
  isVariable,
  LINKAGE,
  linkageOf,
  type Columns,
  isSharedVariable,
} from "../../object/columns/columns.js";
import type { StringId } from "../../object/columns/strings.js";

/** The result of --defsym. */
export interface DefinedSymbols {
  readonly columns: Columns;
  readonly aliases: readonly AliasRow[];
  /** Names that options define, so that they need no definition. */
  readonly settledNames: ReadonlySet<string>;
  /** Diagnostics about them. */
  readonly found: readonly Diagnostic[];
}

export interface AliasRow extends Alias {
  readonly nameId: StringId;
  readonly baseId: StringId;
  readonly moduleId: StringId;
  /** The type with which some module declares the name with a size; otherwise -1. */
  readonly typeId: TypeId;
}

/** A symbol after those of the image. */
export interface ImageAlias {
  readonly name: StringId;
  /** The symbol that it is an alias of. */
  readonly base: MergedRow;
  /** Offset in bytes from the start of `base`. */
  readonly offset: number;
  readonly typeId: TypeId;
}

/** The aliases in the image. Adds types to the link's type table. */
export function imageAliases(
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  aliases: readonly AliasRow[],
): readonly ImageAlias[] {
  const { types, typeId } = columns;
  return aliases.flatMap((alias): ImageAlias[] => {
    const base = baseOf(columns, resolution, layout, alias);
    if (base === undefined) return [];
    const symbol = resolution.chosen[base]!;
    const own = layout.commons.get(base)?.typeId ?? typeId[symbol]!;
    const { nameId: name, offset } = alias;
    if (!isVariable(columns, symbol)) return [{ name, base, offset, typeId: own }];
    const declared = alias.typeId >= 0 ? alias.typeId : offset === 0 ? own : -1;
    const wanted = declared < 0 ? bytesType(types, sizeOfType(types, own) - offset) : declared;
    const align = Math.min(alignOfType(types, wanted), alignAt(alignOfType(types, own), offset));
    return [{ name, base, offset, typeId: withAlignment(types, withLayoutOf(types, own, wanted), align) }];
  });
}

/** The symbol that a name refers to, if it has an address. After --localize it may be one of several static symbols. */
function baseOf(
  columns: Columns,
  { count, chosen }: Resolution,
  layout: ImageLayout,
  { baseId, moduleId }: AliasRow,
): MergedRow | undefined {
  let found: MergedRow | undefined;
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (columns.name[symbol] !== baseId || layout.isInImage[row] === 0 || isReference(columns, symbol)) continue;
    const isPlaced = isSharedVariable(columns, symbol)
      ? layout.shared.offsets.has(row)
      : columns.sectionOf[symbol]! >= 0 || isCommon(columns, symbol);
    if (!isPlaced) continue;
    if (linkageOf(columns, symbol) !== LINKAGE.static) return row;
    const from = layout.commons.get(row)?.first ?? symbol;
    const module = columns.moduleStart[columns.module[from]!]!;
    if (found === undefined && -columns.modules[module]! - 1 === moduleId) found = row;
  }
  return found;
}
