// Pass: orders the names in an output. A defined name has its definition's position, by module and in the module's order;
// undefined names come first, by name. References do not count: code that --gc-sections removes also refers to names, and after
// -r the first remaining reference is unknown. Rejected: the order of first mention, which no other tool uses and which changes
// with the grouping.

import { COMMON, isCommon, isReferenceDefinition, type SymbolRow, type Columns } from "../../object/columns/columns.js";
import { stringOf } from "../../object/columns/strings.js";
import type { MergedRow, Resolution } from "./resolve.js";

/** Position of undefined symbols: first, or, for -r, at their declaration, so that -r of one object reproduces it. */
export type UndefinedPlace = "in front" | "as declared";

/** `forLater`: whether the output is for another link (-r). */
export const placeOfUndefined = (forLater: boolean, gcSections: boolean | undefined): UndefinedPlace =>
  forLater && gcSections !== true ? "as declared" : "in front";

export function inOutputOrder(columns: Columns, resolution: Resolution, openPlace: UndefinedPlace): Resolution {
  const { count, mergedOf, chosen, replaced, byName } = resolution;
  const inFront: MergedRow[] = [];
  if (openPlace === "in front")
    for (let row = 0; row < count; row++) if (isUndefined(columns, chosen[row]!)) inFront.push(row);
  const order = new Int32Array(count);
  const numbers = new Int32Array(count).fill(-1);
  let next = 0;
  for (const row of byNameIn(columns, chosen, inFront)) {
    numbers[row] = next;
    order[next++] = row;
  }
  const { sectionOf } = columns;
  for (let symbol = 0; symbol < mergedOf.length; symbol++) {
    const row = mergedOf[symbol]!;
    // A .common variable has the position of its first definition.
    const isPlace = chosen[row] === symbol || (sectionOf[symbol] === COMMON && sectionOf[chosen[row]!] === COMMON);
    if (!isPlace || numbers[row]! >= 0) continue;
    numbers[row] = next;
    order[next++] = row;
  }
  return {
    count,
    mergedOf: numbered(mergedOf, numbers),
    chosen: numbered(order, chosen),
    replaced: new Map(Array.from(replaced, ([row, symbol]) => [numbers[row]!, symbol])),
    byName: numbered(byName, numbers),
  };
}

/** The values of `numbers` for the rows, without negative ones. A loop, because a call per row would take most of the time. */
function numbered(rows: Int32Array, numbers: Int32Array): Int32Array {
  const found = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    found[i] = row < 0 ? row : numbers[row]!;
  }
  return found;
}

const isUndefined = (columns: Columns, symbol: SymbolRow): boolean =>
  columns.sectionOf[symbol]! < 0 && !isCommon(columns, symbol) && !isReferenceDefinition(columns, symbol);

function byNameIn(columns: Columns, chosen: Int32Array, rows: readonly MergedRow[]): readonly MergedRow[] {
  const named = rows.map((row) => ({ row, name: stringOf(columns.strings, columns.name[chosen[row]!]!) }));
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row);
}
