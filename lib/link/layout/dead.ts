// Bytes that no name means any more: those of definitions that lost to others. They keep their place, because a module's
// section stays whole (layout.ts), and lose their relocations, so that they refer to nothing. The same whatever -r put
// together first. nvlink drops the relocations of a .weak variable that lost to another .weak one only.

import type { Inputs } from "../inputs.js";
import type { Merged } from "../names/resolve.js";

/** Bytes of a section, from `start` up to `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** For each input, by section: what belongs to variables that were not chosen. */
export function deadRanges(
  inputs: Inputs,
  merged: readonly Merged[],
): readonly ReadonlyMap<number, readonly Range[]>[] {
  const dead = inputs.map(() => new Map<number, Range[]>());
  for (const { chosen, all } of merged) {
    if (all.length === 1) continue;
    for (const each of all) {
      const { object, symbol } = each;
      if (each === chosen || symbol.kind !== "variable" || symbol.placement.kind !== "section") continue;
      const { section, offset } = symbol.placement;
      const ranges = dead[object]!.get(section) ?? [];
      ranges.push({ start: offset, end: offset + symbol.layout.size });
      dead[object]!.set(section, ranges);
    }
  }
  return dead;
}

/** The items whose offset is in none of the ranges. */
export function outside<T extends { readonly offset: number }>(
  items: readonly T[],
  ranges: readonly Range[] | undefined,
): readonly T[] {
  if (ranges === undefined || items.length === 0) return items;
  const sorted = ranges.toSorted((a, b) => a.start - b.start);
  const holds = (offset: number): boolean => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.end <= offset) low = middle + 1;
      else high = middle;
    }
    const range = sorted[low];
    return range !== undefined && range.start <= offset;
  };
  return items.filter(({ offset }) => !holds(offset));
}
