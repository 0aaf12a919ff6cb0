// Data for options about the image's relocations and names: which relocations are applied, for --emit-relocs, and which names
// nothing in the image refers to any more, for --discard-all.

import { LINKED_BYTE } from "../../object/relocation-types.js";
import { knownAt, type ImageLayout } from "../layout/layout.js";
import { offsetIn } from "../../object/columns/kept-ranges.js";
import { ROLE } from "../../object/columns/codes.js";
import { forEachRelocation } from "../../object/columns/relocations.js";
import type { MergedRow, Resolution } from "../resolve/resolve.js";
import { isFunction, LINKAGE, linkageOf, type Columns, fileFinder } from "../../object/columns/columns.js";

/** Visits the relocations in the image, with their symbols, and whether the linker applies them. */
function forEachImageRelocation(
  columns: Columns,
  { mergedOf }: Resolution,
  layout: ImageLayout,
  show: (target: MergedRow, isApplied: boolean) => void,
): void {
  const sections = [ROLE.constant, ROLE.globalInit, ROLE.global, ROLE.local].flatMap(
    (role) => layout.outputSections[role].inputs,
  );
  for (const list of [sections.sort((a, b) => a - b), layout.textSections]) {
    const fileOf = fileFinder(columns);
    for (const section of list) {
      const ranges = layout.keptRanges.get(section);
      forEachRelocation(columns, fileOf(section), section, (offset, symbol, type) => {
        if (offsetIn(ranges, offset) < 0) return;
        const target = mergedOf[symbol]!;
        show(target, knownAt(columns, layout, section, target) >= 0 && LINKED_BYTE[type]! >= 0);
      });
    }
  }
}

/** The number of applied relocations. */
export function countApplied(columns: Columns, resolution: Resolution, layout: ImageLayout): number {
  let count = 0;
  forEachImageRelocation(columns, resolution, layout, (_, isApplied) => {
    if (isApplied) count++;
  });
  return count;
}

/**
 * The layout without static variables that nothing refers to. `emitsRelocations`: applied relocations also count as references.
 */
export function withoutIdleLocals(
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  emitsRelocations: boolean,
): ImageLayout {
  const needed = new Uint8Array(resolution.count);
  forEachImageRelocation(columns, resolution, layout, (target, isApplied) => {
    if (!isApplied || emitsRelocations) needed[target] = 1;
  });
  const described = new Set(columns.debug.map(({ module }) => module));
  const isThere = layout.isInImage.map((isThere, row) => {
    const symbol = resolution.chosen[row]!;
    const isStatic = linkageOf(columns, symbol) === LINKAGE.static && !isFunction(columns, symbol);
    if (!isStatic || needed[row] !== 0) return isThere;
    return described.has(columns.module[layout.commons.get(row)?.first ?? symbol]!) ? isThere : 0;
  });
  return { ...layout, isInImage: isThere };
}
