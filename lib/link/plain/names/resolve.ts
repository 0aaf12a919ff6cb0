// Pass: names to symbols. Every static symbol stays its own; every other name becomes one merged symbol, and what it stands
// for is strong before weak before common before extern, and the earliest input among equals (PTX ISA 9.0 section 10.6;
// nvlink's matrix in docs/linking.md). Merged symbols are ordered by first appearance here, and in
// the end as output-order.ts says, never by a hash table.
// Rejected: letting the first of weak and common win, as nvlink does; it crashes when the common one comes first.

import { detailOfShape, isOpenArray, sizeOfShape } from "../tables/shapes.js";
import { COMMON, IS_ALIAS, isAlias, isOwnReference, isVariable, LINKAGE, linkageOf, SPACE, spaceOf, type SymbolRow, type Tables } from "../tables/tables.js"; // prettier-ignore
import type { TextId } from "../tables/texts.js";

/** Index of a resolved symbol, in the order of their first appearance. */
export type MergedRow = number;

export interface PlainResolution {
  readonly count: number;
  /** What each symbol of an object is. */
  readonly mergedOf: Int32Array & { readonly [row: SymbolRow]: MergedRow };
  /** The chosen symbol of each name. */
  readonly chosen: Int32Array & { readonly [row: MergedRow]: SymbolRow };
  /** The weak definition that counted until the chosen one, of a later file, took its place. */
  readonly replaced: ReadonlyMap<MergedRow, SymbolRow>;
  /** By text: the symbol of a name that modules share, else -1. */
  readonly byName: Int32Array & { readonly [name: TextId]: MergedRow };
}

/** The contents of files, or their live part, and the resolved names. */
export interface Collected {
  readonly tables: Tables;
  readonly resolution: PlainResolution;
}

export function resolvePlain(tables: Tables): PlainResolution {
  const { name: names, code, place, shape } = tables;
  const total = tables.firstSymbol.at(-1)!;
  const mergedOf = new Int32Array(total);
  const chosen = new Int32Array(total);
  const byName = new Int32Array(tables.texts.count).fill(-1);
  const replaced = new Map<MergedRow, SymbolRow>();
  let count = 0;
  for (let row = 0; row < total; row++) {
    const isStatic = (code[row]! & 15) === LINKAGE.static;
    const name = names[row]!;
    const known = isStatic ? -1 : byName[name]!;
    if (known >= 0) {
      mergedOf[row] = known;
      const before = chosen[known]!;
      // Most symbols declare a defined name, or repeat a declaration: no call for those.
      const isAlike = shape[row] === shape[before] && code[row] === code[before];
      if (place[row] === -1 && (isAlike || place[before] !== -1) && !isAlias(tables, row)) continue;
      if (!betters(tables, row, before)) continue;
      if (place[before]! >= 0) replaced.set(known, before);
      chosen[known] = row;
      continue;
    }
    if (!isStatic) byName[name] = count;
    mergedOf[row] = count;
    chosen[count++] = row;
  }
  return { count, mergedOf, chosen, replaced, byName };
}

/** By text, the remaining symbols that modules share. */
function sharedNames(
  tables: Tables,
  { count, chosen }: Pick<PlainResolution, "count" | "chosen">,
): PlainResolution["byName"] {
  const byName = new Int32Array(tables.texts.count).fill(-1);
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (linkageOf(tables, symbol) === LINKAGE.static) continue;
    const name = tables.name[symbol]!;
    // --export may show two, which is reported.
    if (byName[name]! < 0) byName[name] = row;
  }
  return byName;
}

/** What names mean of which something is left: `rows` are the symbols before, by what they are now. */
export function resolveLeft(tables: Tables, before: PlainResolution, rows: Int32Array): PlainResolution {
  const numberOf = new Int32Array(before.count).fill(-1);
  const mergedOf = new Int32Array(rows.length);
  const chosen = new Int32Array(rows.length);
  let count = 0;
  for (let row = 0; row < rows.length; row++) {
    const old = before.mergedOf[rows[row]!]!;
    if (numberOf[old]! < 0) {
      numberOf[old] = count;
      chosen[count++] = row;
    } else if (betters(tables, row, chosen[numberOf[old]!]!)) chosen[numberOf[old]!] = row;
    mergedOf[row] = numberOf[old]!;
  }
  const left = { count, mergedOf, chosen: chosen.slice(0, count), replaced: new Map() };
  return { ...left, byName: sharedNames(tables, left) };
}

/** Weakest first. */
export const CLAIM = { declared: 0, common: 1, weak: 2, strong: 3 } as const;

/** Strong before weak before common before declared, and the first among equals. */
export const claimOf = ({ code, place }: Tables, row: SymbolRow): number => claimOfCode(code[row]!, place[row]!);

/** The same of a symbol that is in no tables. */
export function claimOfCode(code: number, place: number): number {
  if (place === COMMON) return CLAIM.common;
  if (place < 0 && (code & IS_ALIAS) === 0) return CLAIM.declared;
  return (code & 7) === LINKAGE.weak ? CLAIM.weak : CLAIM.strong;
}

function betters(tables: Tables, next: SymbolRow, best: SymbolRow): boolean {
  const claim = claimOf(tables, next);
  const other = claimOf(tables, best);
  if (claim !== other) return claim > other;
  if (claim === CLAIM.common) return bytesOf(tables, next) > bytesOf(tables, best);
  // References have no place; what tells the module that has one from those that use it is `.extern`.
  if (isOwnReference(tables, next) && linkageOf(tables, best) === LINKAGE.extern) return true;
  return claim === CLAIM.declared && detailOf(tables, next) > detailOf(tables, best);
}

/** How much a declaration says of its variable. */
export const detailOf = (tables: Tables, row: SymbolRow): number =>
  isVariable(tables, row) ? detailOfShape(tables.shapes, tables.shape[row]!) : 0;

export const bytesOf = (tables: Tables, row: SymbolRow): number =>
  isVariable(tables, row) ? sizeOfShape(tables.shapes, tables.shape[row]!) : 0;

export const isConstant = (tables: Tables, row: SymbolRow): boolean =>
  isVariable(tables, row) && spaceOf(tables, row) === SPACE.const;

export const isSharedVariable = (tables: Tables, row: SymbolRow): boolean =>
  isVariable(tables, row) && spaceOf(tables, row) === SPACE.shared;

/** A bank of constants that a driver fills. */
export const isBank = (tables: Tables, row: SymbolRow): boolean =>
  isVariable(tables, row) && spaceOf(tables, row) >= SPACE.firstBank;

/** What no module defines, and a launch or a driver provides (inputs.ts). */
export const isFromDriver = (tables: Tables, row: SymbolRow): boolean => isDynamic(tables, row) || isBank(tables, row);

/** Dynamic shared memory (inputs.ts). */
export const isDynamic = (tables: Tables, row: SymbolRow): boolean =>
  isSharedVariable(tables, row) && tables.place[row]! < 0 && isOpenArray(tables.shapes, tables.shape[row]!);
