// The order of data and code in an image (layout.ts): command-line order, or that of options (section-order.ts, symbol-order.ts).

import { listIn } from "../../base/lists.js";
import { inOrder, type SectionOrder } from "./section-order.js";
import { bySymbols, NO_NAMES, type OrderKey, type SymbolOrder } from "./symbol-order.js";
import type { CommonSymbol } from "../resolve/commons.js";
import { isDataRole } from "../../object/columns/codes.js";
import type { MergedRow } from "../resolve/resolve.js";
import type { SectionRow, Columns } from "../../object/columns/columns.js";
import { stringOf, type StringId } from "../../object/columns/strings.js";

export interface DataOrder {
  readonly sectionOrder?: SectionOrder;
  /** With it, every variable has a section of its own (./separate-variables.ts), and definitions that lost are omitted. */
  readonly symbolOrder?: SymbolOrder;
}

/** An item to place: a section row, or the bitwise complement of a common variable's row. */
type Item = number;

/** `commons`: common variables in their order. */
export function itemsInOrder(
  columns: Columns,
  commons: ReadonlyMap<MergedRow, CommonSymbol>,
  { sectionOrder, symbolOrder }: DataOrder,
): readonly Item[] {
  const items = inOrder(dataSections(columns), sectionOrder).concat(Array.from(commons.keys(), (row) => ~row));
  return symbolOrder === undefined ? items : bySymbols(items, symbolOrder, keysOf(columns, commons));
}

function dataSections({ role, firstSection }: Columns): readonly SectionRow[] {
  const sections: SectionRow[] = [];
  const total = firstSection.at(-1)!;
  for (let section = 0; section < total; section++) if (isDataRole(role[section]!)) sections.push(section);
  return sections;
}

function keysOf(columns: Columns, commons: ReadonlyMap<MergedRow, CommonSymbol>): (item: Item) => OrderKey {
  const names = new Map<SectionRow, StringId[]>();
  for (let row = 0; row < columns.firstSymbol.at(-1)!; row++) {
    const place = columns.sectionOf[row]!;
    if (place < 0 || !isDataRole(columns.role[place]!)) continue;
    listIn(names, place).push(columns.name[row]!);
  }
  const text = (id: StringId): string => stringOf(columns.strings, id);
  return (item) => {
    if (item >= 0) return { names: (names.get(item) ?? []).map(text), align: columns.align[item]! };
    const { first, align } = commons.get(~item)!;
    return { names: [text(columns.name[first]!)], align };
  };
}

/** Orders functions' code by the given names; `sort` applies to variables only. */
export function textSectionsInOrder(
  columns: Columns,
  textSections: readonly SectionRow[],
  { symbolOrder: { names = NO_NAMES } = {} }: DataOrder,
): readonly SectionRow[] {
  if (names.lines.size === 0) return textSections;
  return bySymbols(textSections, { names }, (section) => ({
    names: [stringOf(columns.strings, columns.name[columns.owner[section]!]!)],
    align: 1,
  }));
}
