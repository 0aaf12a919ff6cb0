// The order of data and code in an image (layout.ts): command-line order, or that of options (section-order.ts, symbol-order.ts).

import { inOrder, type SectionOrder } from "../../layout/section-order.js";
import { bySymbols, NO_NAMES, type OrderKey, type SymbolOrder } from "../../layout/symbol-order.js";
import type { PlainCommon } from "../names/commons.js";
import { isDataRole } from "../tables/codes.js";
import type { MergedRow } from "../names/resolve.js";
import type { SectionRow, Tables } from "../tables/tables.js";
import { textOf, type TextId } from "../tables/texts.js";

export interface DataOrder {
  readonly sectionOrder?: SectionOrder;
  /** Every variable has a section of its own then (../live/separate.ts), and those of definitions that lost are left out. */
  readonly symbolOrder?: SymbolOrder;
}

/** What gets a place: a section, or ~ a common variable. */
type Item = number;

/** `commons`: in their order. */
export function itemsInOrder(
  tables: Tables,
  commons: ReadonlyMap<MergedRow, PlainCommon>,
  { sectionOrder, symbolOrder }: DataOrder,
): readonly Item[] {
  const items = inOrder(dataSections(tables), sectionOrder).concat(Array.from(commons.keys(), (row) => ~row));
  return symbolOrder === undefined ? items : bySymbols(items, symbolOrder, keysOf(tables, commons));
}

function dataSections({ role, firstSection }: Tables): readonly SectionRow[] {
  const sections: SectionRow[] = [];
  const total = firstSection.at(-1)!;
  for (let section = 0; section < total; section++) if (isDataRole(role[section]!)) sections.push(section);
  return sections;
}

function keysOf(tables: Tables, commons: ReadonlyMap<MergedRow, PlainCommon>): (item: Item) => OrderKey {
  const names = new Map<SectionRow, TextId[]>();
  for (let row = 0; row < tables.firstSymbol.at(-1)!; row++) {
    const place = tables.place[row]!;
    if (place < 0 || !isDataRole(tables.role[place]!)) continue;
    const known = names.get(place);
    if (known === undefined) names.set(place, [tables.name[row]!]);
    else known.push(tables.name[row]!);
  }
  const text = (id: TextId): string => textOf(tables.texts, id);
  return (item) => {
    if (item >= 0) return { names: (names.get(item) ?? []).map(text), align: tables.align[item]! };
    const { first, align } = commons.get(~item)!;
    return { names: [text(tables.name[first]!)], align };
  };
}

/** Functions' code by the names; sorting is of variables. */
export function textsInOrder(
  tables: Tables,
  texts: readonly SectionRow[],
  { symbolOrder: { names = NO_NAMES } = {} }: DataOrder,
): readonly SectionRow[] {
  if (names.lines.size === 0) return texts;
  return bySymbols(texts, { names }, (section) => ({
    names: [textOf(tables.texts, tables.name[tables.owner[section]!]!)],
    align: 1,
  }));
}
