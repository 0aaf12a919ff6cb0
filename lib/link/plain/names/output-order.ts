// The order in which names stand in the output of a plain link (../link.ts): ../../names/output-order.ts over columns.

import type { OpenPlace } from "../../names/output-order.js";
import { isCommon, isOwnReference, type SymbolRow, type Tables } from "../tables/tables.js";
import { textOf } from "../tables/texts.js";
import type { MergedRow, PlainResolution } from "./resolve.js";

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
  for (let symbol = 0; symbol < mergedOf.length; symbol++) {
    const row = mergedOf[symbol]!;
    // The first of .common variables gives them their place.
    const isPlace = chosen[row] === symbol || (isCommon(tables, symbol) && isCommon(tables, chosen[row]!));
    if (!isPlace || numbers[row]! >= 0) continue;
    numbers[row] = next;
    order[next++] = row;
  }
  const numberOf = (row: MergedRow): MergedRow => (row < 0 ? row : numbers[row]!);
  return {
    count,
    mergedOf: mergedOf.map(numberOf),
    chosen: order.map((row) => chosen[row]!),
    replaced: new Map(Array.from(replaced, ([row, symbol]) => [numbers[row]!, symbol])),
    byName: byName.map(numberOf),
  };
}

const isOpen = (tables: Tables, symbol: SymbolRow): boolean =>
  tables.place[symbol]! < 0 && !isCommon(tables, symbol) && !isOwnReference(tables, symbol);

function byNameIn(tables: Tables, chosen: Int32Array, rows: readonly MergedRow[]): readonly MergedRow[] {
  const named = rows.map((row) => ({ row, name: textOf(tables.texts, tables.name[chosen[row]!]!) }));
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row);
}
