// Pass: the order of names in an output. A defined name has its definition's position, by module and in the module's order;
// undefined names come first, by name. Mentions do not count: code that --gc-sections removes also mentions names, and after -r
// the first remaining mention is unknown.
// Rejected: the order of first mention, which nothing else has and which changes with the grouping.

import { COMMON, isCommon, isOwnReference, type SymbolRow, type Tables } from "../tables/tables.js";
import { textOf } from "../tables/texts.js";
import type { MergedRow, PlainResolution } from "./resolve.js";

/** Where what nothing defines stands: in front, or, where all mentions are there, as its declaration does, so that -r of one object is that object. */
export type OpenPlace = "in front" | "as declared";

/** `forLater`: whether the output is for another link (-r). */
export const openPlaceOf = (forLater: boolean, gcSections: boolean | undefined): OpenPlace =>
  forLater && gcSections !== true ? "as declared" : "in front";

export function inPlainOrder(tables: Tables, resolution: PlainResolution, openPlace: OpenPlace): PlainResolution {
  const { count, mergedOf, chosen, replaced, byName } = resolution;
  const inFront: MergedRow[] = [];
  if (openPlace === "in front")
    for (let row = 0; row < count; row++) if (isOpen(tables, chosen[row]!)) inFront.push(row);
  const order = new Int32Array(count);
  const numbers = new Int32Array(count).fill(-1);
  let next = 0;
  for (const row of byNameIn(tables, chosen, inFront)) {
    numbers[row] = next;
    order[next++] = row;
  }
  const { place } = tables;
  for (let symbol = 0; symbol < mergedOf.length; symbol++) {
    const row = mergedOf[symbol]!;
    // The first of .common variables gives them their place.
    const isPlace = chosen[row] === symbol || (place[symbol] === COMMON && place[chosen[row]!] === COMMON);
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

/** The value in `numbers` for each row, without those below 0. A loop, because a call for each takes most of the time. */
function numbered(rows: Int32Array, numbers: Int32Array): Int32Array {
  const found = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    found[i] = row < 0 ? row : numbers[row]!;
  }
  return found;
}

const isOpen = (tables: Tables, symbol: SymbolRow): boolean =>
  tables.place[symbol]! < 0 && !isCommon(tables, symbol) && !isOwnReference(tables, symbol);

function byNameIn(tables: Tables, chosen: Int32Array, rows: readonly MergedRow[]): readonly MergedRow[] {
  const named = rows.map((row) => ({ row, name: textOf(tables.texts, tables.name[chosen[row]!]!) }));
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row);
}
