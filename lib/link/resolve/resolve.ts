// Pass: resolves names to symbols. Every static symbol stays separate; every other name becomes one merged symbol. Its chosen
// definition is strong before weak before common before extern, and the earliest input's among equals (PTX ISA 9.0 section 10.6;
// nvlink's matrix in docs/linking.md). Merged symbols are ordered by first appearance here, and in the end by output-order.ts,
// never by a hash table. Rejected: letting the first of weak and common win, as nvlink does; it crashes if the common one comes
// first.

import { IS_ALIAS } from "../../object/file/declaration-codes.js";
import { detailOfType, isUnsizedArray, sizeOfType } from "../../object/columns/types.js";
import { COMMON, isVariableAlias, isReferenceDefinition, isSharedVariable, isVariable, LINKAGE, linkageOf, SPACE, spaceOf, type SymbolRow, type Columns } from "../../object/columns/columns.js"; // prettier-ignore
import type { StringId } from "../../object/columns/strings.js";
import { RANK } from "../model/binding-rank.js";

/** Index of a merged symbol, in the order of first appearance. */
export type MergedRow = number;

export interface Resolution {
  readonly count: number;
  /** The merged symbol of each symbol of an object. */
  readonly mergedOf: Int32Array & { readonly [row: SymbolRow]: MergedRow };
  /** The chosen symbol of each name. */
  readonly chosen: Int32Array & { readonly [row: MergedRow]: SymbolRow };
  /** The weak definition that was chosen until the chosen one, of a later file, replaced it. */
  readonly replaced: ReadonlyMap<MergedRow, SymbolRow>;
  /** The merged symbol of each name that modules share; -1 for other strings. */
  readonly byName: Int32Array & { readonly [name: StringId]: MergedRow };
}

/** The contents of files, or their live part, and the resolved names. */
export interface ResolvedColumns {
  readonly columns: Columns;
  readonly resolution: Resolution;
}

export function resolveNames(columns: Columns): Resolution {
  const { name: names, code, sectionOf, typeId } = columns;
  const total = columns.firstSymbol.at(-1)!;
  const mergedOf = new Int32Array(total);
  const chosen = new Int32Array(total);
  const byName = new Int32Array(columns.strings.count).fill(-1);
  const replaced = new Map<MergedRow, SymbolRow>();
  let count = 0;
  for (let row = 0; row < total; row++) {
    const isStatic = (code[row]! & 15) === LINKAGE.static;
    const name = names[row]!;
    const known = isStatic ? -1 : byName[name]!;
    if (known >= 0) {
      mergedOf[row] = known;
      const before = chosen[known]!;
      // Fast path without a call: most symbols declare a defined name, or repeat a declaration.
      const isAlike = typeId[row] === typeId[before] && code[row] === code[before];
      if (sectionOf[row] === -1 && (isAlike || sectionOf[before] !== -1) && !isVariableAlias(columns, row)) continue;
      if (!overrides(columns, row, before)) continue;
      if (sectionOf[before]! >= 0) replaced.set(known, before);
      chosen[known] = row;
      continue;
    }
    if (!isStatic) byName[name] = count;
    mergedOf[row] = count;
    chosen[count++] = row;
  }
  return { count, mergedOf, chosen, replaced, byName };
}

/** The merged symbol of each remaining shared name. */
function sharedNames(columns: Columns, { count, chosen }: Pick<Resolution, "count" | "chosen">): Resolution["byName"] {
  const byName = new Int32Array(columns.strings.count).fill(-1);
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (linkageOf(columns, symbol) === LINKAGE.static) continue;
    const name = columns.name[symbol]!;
    // --export may make two symbols visible, which is reported.
    if (byName[name]! < 0) byName[name] = row;
  }
  return byName;
}

/** The resolution of the remaining symbols; `rows`: the old row of each new row. */
export function resolveRemaining(columns: Columns, before: Resolution, rows: Int32Array): Resolution {
  const numberOf = new Int32Array(before.count).fill(-1);
  const mergedOf = new Int32Array(rows.length);
  const chosen = new Int32Array(rows.length);
  let count = 0;
  for (let row = 0; row < rows.length; row++) {
    const old = before.mergedOf[rows[row]!]!;
    if (numberOf[old]! < 0) {
      numberOf[old] = count;
      chosen[count++] = row;
    } else if (overrides(columns, row, chosen[numberOf[old]!]!)) chosen[numberOf[old]!] = row;
    mergedOf[row] = numberOf[old]!;
  }
  const left = { count, mergedOf, chosen: chosen.slice(0, count), replaced: new Map() };
  return { ...left, byName: sharedNames(columns, left) };
}

/** The rank of a symbol: strong before weak before common before declared. */
export const rankOf = ({ code, sectionOf }: Columns, row: SymbolRow): number => rankOfCode(code[row]!, sectionOf[row]!);

/** The same for a symbol that is not in columns. */
export function rankOfCode(code: number, section: number): number {
  if (section === COMMON) return RANK.common;
  if (section < 0 && (code & IS_ALIAS) === 0) return RANK.declared;
  return (code & 7) === LINKAGE.weak ? RANK.weak : RANK.strong;
}

function overrides(columns: Columns, next: SymbolRow, best: SymbolRow): boolean {
  const rank = rankOf(columns, next);
  const other = rankOf(columns, best);
  if (rank !== other) return rank > other;
  if (rank === RANK.common) return bytesOf(columns, next) > bytesOf(columns, best);
  // References have no address; `.extern` distinguishes uses from the definition.
  if (isReferenceDefinition(columns, next) && linkageOf(columns, best) === LINKAGE.extern) return true;
  return rank === RANK.declared && detailOf(columns, next) > detailOf(columns, best);
}

/** The amount of detail in a variable's declaration. */
export const detailOf = (columns: Columns, row: SymbolRow): number =>
  isVariable(columns, row) ? detailOfType(columns.types, columns.typeId[row]!) : 0;

export const bytesOf = (columns: Columns, row: SymbolRow): number =>
  isVariable(columns, row) ? sizeOfType(columns.types, columns.typeId[row]!) : 0;

/** Whether it is a bank of constants that a driver fills. */
export const isBank = (columns: Columns, row: SymbolRow): boolean =>
  isVariable(columns, row) && spaceOf(columns, row) >= SPACE.firstBank;

/** Whether a launch or a driver provides the symbol, and no module defines it (contributions.ts). */
export const isFromDriver = (columns: Columns, row: SymbolRow): boolean =>
  isDynamic(columns, row) || isBank(columns, row);

/** Whether it is dynamic shared memory (contributions.ts). */
export const isDynamic = (columns: Columns, row: SymbolRow): boolean =>
  isSharedVariable(columns, row) && columns.sectionOf[row]! < 0 && isUnsizedArray(columns.types, columns.typeId[row]!);
