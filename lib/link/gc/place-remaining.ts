// Computes the offsets of a section's remaining variables (--gc-sections): as the assembler would have placed them without the
// others. Modules that -r joined before still follow each other.

import { alignUp, place } from "../../object/place.js";

export interface LeftVariable {
  readonly module: number;
  readonly isLocal: boolean;
  /** Line of its declaration. */
  readonly line: number;
  /** Alignment and size in bytes. */
  readonly align: number;
  readonly size: number;
  /** Offset in the section before the pass, in bytes. */
  readonly from: number;
}

/** An item with its offset after the pass, in bytes. */
export type Moved<T> = T & { readonly to: number };

export interface LeftPlaces<T> {
  readonly moved: readonly Moved<T>[];
  /** Size and alignment of the section in bytes. */
  readonly size: number;
  readonly align: number;
}

/** `variables`: in the order of symbols; `isJoined`: whether they belong to several modules. */
export function placeVariables<T extends LeftVariable>(variables: readonly T[], isJoined: boolean): LeftPlaces<T> {
  const byModule = new Map<number, T[]>();
  for (const variable of variables) {
    const group = byModule.get(variable.module);
    if (group === undefined) byModule.set(variable.module, [variable]);
    else group.push(variable);
  }
  const moved: Moved<T>[] = [];
  let [size, align] = [0, 1];
  for (const [, group] of [...byModule].sort(([a], [b]) => a - b)) {
    // In a joined object, a replaced definition precedes the one that replaced it, not where its module declares it.
    if (isJoined) group.sort((a, b) => a.line - b.line);
    const items = [...group.filter((item) => !item.isLocal), ...group.filter((item) => item.isLocal)];
    const placed = place(items);
    const base = alignUp(size, placed.align);
    items.forEach((item, i) => moved.push({ ...item, to: base + placed.offsets[i]! }));
    size = base + placed.size;
    align = Math.max(align, placed.align);
  }
  return { moved, size, align };
}
