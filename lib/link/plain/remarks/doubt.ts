// Cheap pre-filter, by row: the names that the modules may disagree on. ../../names/compatible.ts examines these and reports the
// conflicts, possibly none; other names have none.

import { systemPrototypes } from "../../../isa/system-functions.js";
import { IS_UNIFIED } from "../tables/codes.js";
import { bytesOf, CLAIM, claimOf, type MergedRow, type PlainResolution } from "../names/resolve.js";
import { functionsAgree, passesAs, typesAgree, unifiedOfShape, variablesAgree } from "../tables/shapes.js";
import { isAlias, isCommon, isFunction, isReference, LINKAGE, type SymbolRow, type Tables } from "../tables/tables.js";
import { addressSizeIn } from "../tables/modules.js";
import { internText } from "../tables/texts.js";

/** Ascending. `ofCommons`: also those of which a `.common` variable met another definition (--warn-common). */
export function findDoubtful(
  tables: Tables,
  { mergedOf, chosen }: PlainResolution,
  ofCommons: boolean,
): readonly MergedRow[] {
  const { code, flags, shape, place } = tables;
  const found = new Set<MergedRow>();
  for (let row = 0; row < mergedOf.length; row++) {
    const other = chosen[mergedOf[row]!]!;
    if (other === row) continue;
    // Most are declared alike, and no other definition: no call for those.
    const isAlike = shape[row] === shape[other] && flags[row] === flags[other] && code[row]! >> 4 === code[other]! >> 4;
    if (isAlike && !isAlias(tables, row) && (place[row] === -1 || (code[row]! & 15) === LINKAGE.weak)) continue;
    if ((ofCommons && isCommon(tables, row)) || !agree(tables, row, other)) found.add(mergedOf[row]!);
  }
  return [...found].sort((a, b) => a - b);
}

/** Functions of the driver that no module defines and that are not declared as the driver has them (driver-prototypes.ts). */
export function findMisdeclared(tables: Tables, { byName, chosen }: PlainResolution): readonly MergedRow[] {
  const { texts, shapes, shape } = tables;
  return [...systemPrototypes[addressSizeIn(tables)]].flatMap(([name, prototype]) => {
    const merged = byName[internText(texts, name)] ?? -1;
    if (merged < 0) return [];
    const row = chosen[merged]!;
    const isDeclared = isFunction(tables, row) && claimOf(tables, row) === CLAIM.declared;
    return isDeclared && !passesAs(shapes, shape[row]!, prototype) ? [merged] : [];
  });
}

/** Names of which there are `.weak` definitions that were not taken, ascending (--detect-odr-violations). */
export function findRepeated(tables: Tables, { mergedOf, chosen }: PlainResolution): readonly MergedRow[] {
  const found = new Set<MergedRow>();
  for (let row = 0; row < mergedOf.length; row++)
    if (chosen[mergedOf[row]!] !== row && claimOf(tables, row) === CLAIM.weak) found.add(mergedOf[row]!);
  return [...found].sort((a, b) => a - b);
}

const SPACE_AND_MANAGED = 0xf1;

/** Whether both are unified with the same numbers, or neither is. */
function unifiedAgree({ flags, shapes, shape }: Tables, row: SymbolRow, chosen: SymbolRow): boolean {
  if (((flags[row]! ^ flags[chosen]!) & IS_UNIFIED) !== 0) return false;
  if ((flags[row]! & IS_UNIFIED) === 0 || shape[row] === shape[chosen]) return true;
  const [mine, theirs] = [unifiedOfShape(shapes, shape[row]!), unifiedOfShape(shapes, shape[chosen]!)];
  return mine[0] === theirs[0] && mine[1] === theirs[1];
}

/** Whether a symbol certainly has no conflict with the chosen one of its name. */
function agree(tables: Tables, row: SymbolRow, chosen: SymbolRow): boolean {
  const { shapes, shape, flags, code, place } = tables;
  if (code[row]! >> 4 !== code[chosen]! >> 4) return false;
  if (isReference(tables, row)) return flags[row] === flags[chosen] && shape[row] === shape[chosen];
  if (claimOf(tables, row) === CLAIM.strong && claimOf(tables, chosen) === CLAIM.strong) return false;
  const mine = shape[row]!;
  const theirs = shape[chosen]!;
  if (!unifiedAgree(tables, row, chosen)) return false;
  if (isFunction(tables, row)) return flags[row] === flags[chosen] && functionsAgree(shapes, mine, theirs);
  if (((flags[row]! ^ flags[chosen]!) & SPACE_AND_MANAGED) !== 0) return false;
  if (mine === theirs) return true;
  if (isCommon(tables, row)) {
    // It may be larger than the other common ones, but not larger than a definition.
    const isTooLarge = !isCommon(tables, chosen) && bytesOf(tables, row) > bytesOf(tables, chosen);
    return !isTooLarge && typesAgree(shapes, mine, theirs);
  }
  return place[row]! < 0 && claimOf(tables, chosen) !== CLAIM.declared && variablesAgree(shapes, mine, theirs);
}
