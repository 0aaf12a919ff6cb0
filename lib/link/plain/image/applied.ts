// What options about the image's relocations and names need to know: which relocations are applied, for
// --emit-relocs, and which names nothing in the image refers to any more, for --discard-all.

import { LINKED_BYTE } from "../../../object/relocation-types.js";
import { knownAt, type PlainLayout } from "../layout/layout.js";
import { placeIn } from "../tables/pieces.js";
import { fileFinder } from "./plan.js";
import { ROLE } from "../tables/codes.js";
import { forEachTarget } from "../tables/references.js";
import type { MergedRow, PlainResolution } from "../names/resolve.js";
import { isFunction, LINKAGE, linkageOf, type SectionRow, type Tables } from "../tables/tables.js";

/** Visits the relocations in the image: their sections, their symbols, and whether the linker applies them. */
function forEachRelocation(
  tables: Tables,
  { mergedOf }: PlainResolution,
  layout: PlainLayout,
  show: (section: SectionRow, target: MergedRow, isApplied: boolean) => void,
): void {
  const sections = [ROLE.constant, ROLE.globalInit, ROLE.global, ROLE.local].flatMap(
    (role) => layout.joined[role].pieces,
  );
  for (const list of [sections.sort((a, b) => a - b), layout.texts]) {
    const fileOf = fileFinder(tables);
    for (const section of list) {
      const pieces = layout.pieces.get(section);
      forEachTarget(tables, fileOf(section), section, (offset, symbol, type) => {
        if (placeIn(pieces, offset) < 0) return;
        const target = mergedOf[symbol]!;
        show(section, target, knownAt(tables, layout, section, target) >= 0 && LINKED_BYTE[type]! >= 0);
      });
    }
  }
}

/** Of each section how many of its relocations are applied. */
export function countApplied(tables: Tables, resolution: PlainResolution, layout: PlainLayout): Int32Array {
  const counts = new Int32Array(tables.firstSection.at(-1)!);
  forEachRelocation(tables, resolution, layout, (section, _, isApplied) => {
    if (isApplied) counts[section]!++;
  });
  return counts;
}

/** The layout without the names of static variables that nothing refers to. `emitsRelocations`: applied ones refer, too. */
export function withoutIdleLocals(
  tables: Tables,
  resolution: PlainResolution,
  layout: PlainLayout,
  emitsRelocations: boolean,
): PlainLayout {
  const needed = new Uint8Array(resolution.count);
  forEachRelocation(tables, resolution, layout, (_, target, isApplied) => {
    if (!isApplied || emitsRelocations) needed[target] = 1;
  });
  const described = new Set(tables.debug.map(({ module }) => module));
  const isThere = layout.isThere.map((isThere, row) => {
    const symbol = resolution.chosen[row]!;
    const isStatic = linkageOf(tables, symbol) === LINKAGE.static && !isFunction(tables, symbol);
    if (!isStatic || needed[row] !== 0) return isThere;
    return described.has(tables.module[layout.commons.get(row)?.first ?? symbol]!) ? isThere : 0;
  });
  return { ...layout, isThere };
}
