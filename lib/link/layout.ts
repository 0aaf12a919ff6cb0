// Pass: where every module's data goes. As nvlink does it: nothing is sorted again; per section each module's bytes follow
// those before them, in command-line order, at that section's own alignment, so that definitions that lost keep their
// (dead) bytes, without their relocations; only a .nv.global in which all have lost is left out. Common symbols stand
// after the last module's bytes of .nv.global, the one that was first .common anywhere last.
// Offsets and sizes are bytes. docs/linking.md, "Layout".

import type { Relocation, SectionRole } from "../object/object.js";
import { alignUp } from "../object/place.js";
import { byModule, type Contribution, type Inputs } from "./inputs.js";
import { bytesOf, claimOf, firstCommon, type Merged, type Resolution } from "./resolve.js";
import { deadRanges, outside } from "./dead.js";
import { inOrder, type SectionOrder } from "./section-order.js";

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

export function layOutData(inputs: Inputs, { merged }: Resolution, order?: SectionOrder): DataLayout {
  const joined: { readonly [Role in DataRole]: Growing } = {
    "global-init": { pieces: [], align: 1, size: 0 },
    global: { pieces: [], align: 1, size: 0 },
    constant: { pieces: [], align: 1, size: 0 },
    local: { pieces: [], align: 1, size: 0 },
  };
  const alive = sectionsInUse(inputs, merged);
  const dead = deadRanges(inputs, merged);
  const offsetOf = inputs.map(({ sections }) => sections.map((): number | undefined => undefined));
  for (const { object, section } of inOrder(dataSections(inputs), order)) {
    const { role, align, size, relocations } = inputs[object]!.sections[section]!;
    if (!isDataRole(role) || (role.kind === "global" && !alive[object]!.has(section))) continue;
    const into = joined[role.kind];
    const offset = append(into, align, size);
    offsetOf[object]![section] = offset;
    into.pieces.push({ object, section, offset, relocations: outside(relocations, dead[object]!.get(section)) });
  }
  const commons = new Map<number, number>();
  for (const i of commonsInOrder(merged).reverse()) {
    const { chosen, align } = merged[i]!;
    commons.set(i, append(joined.global, align, bytesOf(chosen.symbol)));
  }
  return { joined, offsetOf, commons };
}

const dataSections = (inputs: Inputs): readonly Pick<Piece, "object" | "section">[] =>
  inputs.flatMap(({ sections }, object) =>
    sections.flatMap(({ role }, section) => (isDataRole(role) ? [{ object, section }] : [])),
  );

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
