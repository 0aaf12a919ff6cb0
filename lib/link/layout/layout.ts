// Pass: where every module's data goes. As nvlink does it: nothing is sorted again; per section each module's bytes follow
// those before them, in command-line order, at that section's own alignment, so that definitions that lost keep their
// (dead) bytes, without their relocations; only a .nv.global in which all have lost is left out. Common symbols stand
// after the last module's bytes of .nv.global, the one that was first .common anywhere last.
// Offsets and sizes are bytes. docs/linking.md, "Layout".

import type { Relocation, SectionRole } from "../../object/object.js";
import { alignUp } from "../../object/place.js";
import { byModule, type Contribution, type Inputs } from "../inputs.js";
import { bytesOf, claimOf, firstCommon, type Merged, type Resolution } from "../names/resolve.js";
import { deadRanges, outside } from "./dead.js";
import { inOrder, type SectionOrder } from "./section-order.js";
import { bySymbols, type OrderKey, type SymbolOrder } from "./symbol-order.js";

/** The sections that modules' data are joined into, in their order in the image. */
export const dataRoles = ["global-init", "global", "constant", "local"] as const;
export type DataRole = (typeof dataRoles)[number];

/** One module's part of a joined section. */
export interface Piece {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's sections. */
  readonly section: number;
  readonly offset: number;
  /** Those of the input's section that are still wanted; offsets are within that section. */
  readonly relocations: readonly Relocation[];
}

export interface JoinedSection {
  readonly pieces: readonly Piece[];
  readonly align: number;
  readonly size: number;
}

export interface DataLayout {
  readonly joined: { readonly [Role in DataRole]: JoinedSection };
  /** For each input, for each of its sections: offset of its bytes in the joined section; undefined for sections that are not
   * joined. */
  readonly offsetOf: readonly (readonly (number | undefined)[])[];
  /** Offset in `global` of each common symbol, by its index among the merged symbols. */
  readonly commons: ReadonlyMap<number, number>;
}

interface Growing {
  readonly pieces: Piece[];
  align: number;
  size: number;
}

export interface DataOrder {
  readonly sectionOrder?: SectionOrder;
  /** Every variable has a section of its own then (separate.ts), and those of definitions that lost are left out. */
  readonly symbolOrder?: SymbolOrder;
}

/** What gets a place: a module's section, or a common symbol by its index among the merged symbols. */
type Item =
  | { readonly kind: "section"; readonly object: number; readonly section: number }
  | { readonly kind: "common"; readonly symbol: number };

export function layOutData(inputs: Inputs, { merged }: Resolution, order: DataOrder = {}): DataLayout {
  const joined: { readonly [Role in DataRole]: Growing } = {
    "global-init": { pieces: [], align: 1, size: 0 },
    global: { pieces: [], align: 1, size: 0 },
    constant: { pieces: [], align: 1, size: 0 },
    local: { pieces: [], align: 1, size: 0 },
  };
  const alive = sectionsInUse(inputs, merged);
  const dead = deadRanges(inputs, merged);
  const offsetOf = inputs.map(({ sections }) => sections.map((): number | undefined => undefined));
  const commons = new Map<number, number>();
  for (const item of itemsInOrder(inputs, merged, order)) {
    if (item.kind === "common") {
      const { chosen, align } = merged[item.symbol]!;
      commons.set(item.symbol, append(joined.global, align, bytesOf(chosen.symbol)));
      continue;
    }
    const { object, section } = item;
    const { role, align, size, relocations } = inputs[object]!.sections[section]!;
    const isLeftOut = order.symbolOrder !== undefined || role.kind === "global";
    if (!isDataRole(role) || (isLeftOut && !alive[object]!.has(section))) continue;
    const into = joined[role.kind];
    const offset = append(into, align, size);
    offsetOf[object]![section] = offset;
    into.pieces.push({ object, section, offset, relocations: outside(relocations, dead[object]!.get(section)) });
  }
  return { joined, offsetOf, commons };
}

function itemsInOrder(inputs: Inputs, merged: readonly Merged[], order: DataOrder): readonly Item[] {
  const { sectionOrder, symbolOrder } = order;
  const items: readonly Item[] = [
    ...inOrder(dataSections(inputs), sectionOrder),
    ...commonsInOrder(merged)
      .reverse()
      .map((symbol) => ({ kind: "common", symbol }) as const),
  ];
  return symbolOrder === undefined ? items : bySymbols(items, symbolOrder, keysOf(inputs, merged));
}

const dataSections = (inputs: Inputs): readonly Item[] =>
  inputs.flatMap(({ sections }, object) =>
    sections.flatMap(({ role }, section) => (isDataRole(role) ? [{ kind: "section", object, section } as const] : [])),
  );

function keysOf(inputs: Inputs, merged: readonly Merged[]): (item: Item) => OrderKey {
  const names = inputs.map(({ sections }) => sections.map((): string[] => []));
  inputs.forEach(({ symbols }, object) => {
    for (const { name, placement } of symbols)
      if (placement.kind === "section") names[object]![placement.section]!.push(name);
  });
  return (item) =>
    item.kind === "common"
      ? { names: [merged[item.symbol]!.name], align: merged[item.symbol]!.align }
      : { names: names[item.object]![item.section]!, align: inputs[item.object]!.sections[item.section]!.align };
}

/** By where `.common` first stands; what only declares a name has no say. */
function commonsInOrder(merged: readonly Merged[]): number[] {
  const commons = merged.flatMap((each, symbol) =>
    claimOf(each.chosen.symbol) === "common" ? [{ each, symbol }] : [],
  );
  const keyed = commons.map(({ each, symbol }) => ({ symbol, first: firstCommon(each) }));
  keyed.sort((a, b) => byModule(a.first, b.first) || byLine(a.first, b.first) || a.symbol - b.symbol);
  return keyed.map(({ symbol }) => symbol);
}

const byLine = ({ symbol: { origin: a } }: Contribution, { symbol: { origin: b } }: Contribution): number =>
  a.line - b.line || (a.column ?? 0) - (b.column ?? 0);

/** For each input, its sections in which a chosen symbol stands. */
export function sectionsInUse(inputs: Inputs, merged: readonly Merged[]): readonly ReadonlySet<number>[] {
  const used = inputs.map(() => new Set<number>());
  for (const { chosen } of merged) {
    const { placement } = chosen.symbol;
    if (placement.kind === "section") used[chosen.object]!.add(placement.section);
  }
  return used;
}

function append(into: Growing, align: number, size: number): number {
  const offset = alignUp(into.size, align);
  into.align = Math.max(into.align, align);
  into.size = offset + size;
  return offset;
}

export function isDataRole(role: SectionRole): role is { readonly kind: DataRole } {
  return (dataRoles as readonly string[]).includes(role.kind);
}
