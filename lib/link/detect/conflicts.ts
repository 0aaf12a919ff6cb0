// Cheap pre-filter, by row: the names whose declarations may conflict. ../messages/compatible.ts examines these and reports the
// conflicts, possibly none; other names have none.

import { IS_UNIFIED } from "../../object/file/declaration-codes.js";
import { systemPrototypes } from "../../isa/system-functions.js";
import { type MergedRow, type Resolution, bytesOf, rankOf } from "../resolve/resolve.js";
import { functionsMatch, passesAs, typesMatch, unifiedOfType, variablesMatch } from "../../object/columns/types.js";
import {
  isVariableAlias,
  isCommon,
  isFunction,
  isReference,
  LINKAGE,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";
import { addressSizeIn } from "../../object/columns/modules.js";
import { internString } from "../../object/columns/strings.js";
import { RANK } from "../model/binding-rank.js";

/**
 * Names with possible conflicts, ascending. `ofCommons`: includes names whose `.common` variable met another definition
 * (--warn-common).
 */
export function findPossibleConflicts(
  columns: Columns,
  { mergedOf, chosen }: Resolution,
  ofCommons: boolean,
): readonly MergedRow[] {
  const { code, flags, typeId, sectionOf } = columns;
  const found = new Set<MergedRow>();
  for (let row = 0; row < mergedOf.length; row++) {
    const other = chosen[mergedOf[row]!]!;
    if (other === row) continue;
    // Fast path without a call: most symbols are declarations equal to the chosen one.
    const isAlike =
      typeId[row] === typeId[other] && flags[row] === flags[other] && code[row]! >> 4 === code[other]! >> 4;
    if (isAlike && !isVariableAlias(columns, row) && (sectionOf[row] === -1 || (code[row]! & 15) === LINKAGE.weak))
      continue;
    if ((ofCommons && isCommon(columns, row)) || !agree(columns, row, other)) found.add(mergedOf[row]!);
  }
  return [...found].sort((a, b) => a - b);
}

/** Functions of the driver that no module defines and whose declaration differs from the driver's (driver-prototypes.ts). */
export function findDriverMismatches(columns: Columns, { byName, chosen }: Resolution): readonly MergedRow[] {
  const { strings, types, typeId } = columns;
  return [...systemPrototypes[addressSizeIn(columns)]].flatMap(([name, prototype]) => {
    const merged = byName[internString(strings, name)] ?? -1;
    if (merged < 0) return [];
    const row = chosen[merged]!;
    const isDeclared = isFunction(columns, row) && rankOf(columns, row) === RANK.declared;
    return isDeclared && !passesAs(types, typeId[row]!, prototype) ? [merged] : [];
  });
}

/** Symbols with discarded `.weak` definitions, in ascending order (--detect-odr-violations). */
export function findRepeatedWeak(columns: Columns, { mergedOf, chosen }: Resolution): readonly MergedRow[] {
  const found = new Set<MergedRow>();
  for (let row = 0; row < mergedOf.length; row++)
    if (chosen[mergedOf[row]!] !== row && rankOf(columns, row) === RANK.weak) found.add(mergedOf[row]!);
  return [...found].sort((a, b) => a - b);
}

const SPACE_AND_MANAGED = 0xf1;

/** Whether both are unified with the same numbers, or neither is. */
function unifiedAgree({ flags, types, typeId }: Columns, row: SymbolRow, chosen: SymbolRow): boolean {
  if (((flags[row]! ^ flags[chosen]!) & IS_UNIFIED) !== 0) return false;
  if ((flags[row]! & IS_UNIFIED) === 0 || typeId[row] === typeId[chosen]) return true;
  const [mine, theirs] = [unifiedOfType(types, typeId[row]!), unifiedOfType(types, typeId[chosen]!)];
  return mine[0] === theirs[0] && mine[1] === theirs[1];
}

/** Whether a symbol certainly has no conflict with the chosen one of its name. */
function agree(columns: Columns, row: SymbolRow, chosen: SymbolRow): boolean {
  const { types, typeId, flags, code, sectionOf } = columns;
  if (code[row]! >> 4 !== code[chosen]! >> 4) return false;
  if (isReference(columns, row)) return flags[row] === flags[chosen] && typeId[row] === typeId[chosen];
  if (rankOf(columns, row) === RANK.strong && rankOf(columns, chosen) === RANK.strong) return false;
  const mine = typeId[row]!;
  const theirs = typeId[chosen]!;
  if (!unifiedAgree(columns, row, chosen)) return false;
  if (isFunction(columns, row)) return flags[row] === flags[chosen] && functionsMatch(types, mine, theirs);
  if (((flags[row]! ^ flags[chosen]!) & SPACE_AND_MANAGED) !== 0) return false;
  if (mine === theirs) return true;
  if (isCommon(columns, row)) {
    // A declaration may be larger than a common variable, but not larger than a definition.
    const isTooLarge = !isCommon(columns, chosen) && bytesOf(columns, row) > bytesOf(columns, chosen);
    return !isTooLarge && typesMatch(types, mine, theirs);
  }
  return sectionOf[row]! < 0 && rankOf(columns, chosen) !== RANK.declared && variablesMatch(types, mine, theirs);
}
