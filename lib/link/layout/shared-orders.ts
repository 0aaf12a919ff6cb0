// The order in which nvlink meets the shared variables of each file. ../shared/shared-order.ts computes it from an object only in
// the difficult cases: files that -r has joined, and files in which an address of a function is taken. For any other module a few
// columns suffice, without an object for each function.

import { HAS_SCOPE } from "../../object/file/declaration-codes.js";
import { listIn } from "../../base/lists.js";
import { bodyOrder, moduleRank, scopedRank, sharedOrder } from "../shared/shared-order.js";
import { createOrdering, type Ordering } from "./shared-input.js";
import { ROLE } from "../../object/columns/codes.js";
import { forEachRecord } from "../../object/columns/relocations.js";
import { scopeOfType } from "../../object/columns/types.js";
import {
  LINKAGE,
  linkageOf,
  type SectionRow,
  type SymbolRow,
  type Columns,
  isSharedVariable,
} from "../../object/columns/columns.js";

export interface SharedOrders {
  /** Variables of each kernel's body. */
  readonly bodies: ReadonlyMap<SymbolRow, readonly SymbolRow[]>;
  /** The other variables. */
  readonly listed: readonly SymbolRow[];
  /** Pairs of a code section and a variable that it names. */
  readonly named: readonly number[];
}

/** Returns a function that computes the order for a file; undefined for a file without shared variables. */
export function createSharedOrders(columns: Columns): (file: number) => SharedOrders | undefined {
  const orderingOf = createOrdering(columns);
  const { firstModule, addressTaken } = columns;
  return (file) => {
    const isJoined = firstModule[file + 1]! - firstModule[file]! > 1;
    if (!isJoined && addressTaken.length === 0) return ordersInModule(columns, file);
    const ordering = orderingOf(file);
    return ordering && ordersOf(columns, ordering);
  };
}

function ordersOf(columns: Columns, { object, rows, sections }: Ordering): SharedOrders {
  const rowOf = (index: number): SymbolRow => rows[index]!;
  const named: number[] = [];
  for (const [i, { role, relocations }] of object.sections.entries()) {
    if (role.kind !== "text") continue;
    for (const { symbol } of relocations)
      if (isSharedVariable(columns, rowOf(symbol))) named.push(sections[i]!, rowOf(symbol));
  }
  return {
    bodies: new Map([...bodyOrder(object)].map(([kernel, own]) => [rowOf(kernel), own.map(rowOf)])),
    listed: sharedOrder(object, columns.isPruned).map(rowOf),
    named,
  };
}

function ordersInModule(columns: Columns, file: number): SharedOrders | undefined {
  const { firstSymbol, firstSection, role, owner, sectionOf } = columns;
  const variables: SymbolRow[] = [];
  for (let row = firstSymbol[file]!; row < firstSymbol[file + 1]!; row++)
    if (isSharedVariable(columns, row)) variables.push(row);
  if (variables.length === 0) return undefined;
  const textSections: SectionRow[] = [];
  const named: number[] = [];
  let section = firstSection[file]!;
  const { words } = columns.files[file]!;
  const first = columns.firstElfSymbol[file]!;
  const note = (at: number): void => {
    const row = columns.symbolOf[first + words[at + 3]!]!;
    if (row >= 0 && isSharedVariable(columns, row)) named.push(section, row);
  };
  for (; section < firstSection[file + 1]!; section++) {
    if (role[section] !== ROLE.text) continue;
    textSections.push(section);
    forEachRecord(columns, file, section, note);
  }
  const bodies = new Map<SymbolRow, SymbolRow[]>();
  const listed: SymbolRow[] = [];
  for (const row of variables) {
    if (sectionOf[row]! >= 0 && role[sectionOf[row]!] === ROLE.shared)
      listIn(bodies, owner[sectionOf[row]!]!).push(row);
    else listed.push(row);
  }
  for (const [kernel, own] of bodies) if (own.length > 1) bodies.set(kernel, byUse(columns, kernel, own, named));
  return { bodies, listed: listed.length > 1 ? byRank(columns, listed, textSections, named) : listed, named };
}

/** A kernel's variables: those that its code uses by first use, then the rest. */
function byUse(
  { owner }: Columns,
  kernel: SymbolRow,
  own: readonly SymbolRow[],
  named: readonly number[],
): SymbolRow[] {
  const isOwn = new Set(own);
  const used = named.filter((row, i) => i % 2 === 1 && owner[named[i - 1]!] === kernel && isOwn.has(row));
  return [...new Set([...used, ...own])];
}

function byRank(
  columns: Columns,
  listed: readonly SymbolRow[],
  textSections: readonly SectionRow[],
  named: readonly number[],
): readonly SymbolRow[] {
  const { owner, name, flags, types, typeId, sectionOf } = columns;
  const isStatic = (row: SymbolRow): boolean => linkageOf(columns, row) === LINKAGE.static;
  const declared = textSections.map((section) => owner[section]!).sort((a, b) => a - b);
  const functions = [...declared.filter((row) => !isStatic(row)), ...declared.filter(isStatic)];
  const isEarly = functions.length > 0 && !isStatic(functions[0]!);
  const places = new Map(functions.map((row, i) => [name[row]!, i]));
  const used = new Set(named.filter((_, i) => i % 2 === 1));
  const rankOf = (row: SymbolRow): number =>
    (flags[row]! & HAS_SCOPE) !== 0
      ? scopedRank(places.get(scopeOfType(types, typeId[row]!)) ?? functions.length, used.has(row), isEarly)
      : moduleRank(sectionOf[row]! >= 0, linkageOf(columns, row) === LINKAGE.weak, isStatic(row));
  return [...listed].sort((a, b) => rankOf(a) - rankOf(b) || a - b);
}
