// Computes the offsets of one module's variables in their sections, in NVIDIA's order, byte for byte: by alignment, largest
// first, then by size, smallest first. Ties are resolved as in ptxas 13.0 (observed over random modules; names play no part): its
// list sort splits the odd and the even positions, reverses both, sorts each and prefers the first.

/** The properties that placement needs, in bytes. */
export interface Placed {
  readonly align: number;
  readonly size: number;
}

const before = (a: Placed, b: Placed): boolean => a.align > b.align || (a.align === b.align && a.size <= b.size);

/** The items at even positions, or those at odd ones, reversed. */
function reversedEverySecond<T>(items: readonly T[], first: 0 | 1): readonly T[] {
  const taken: T[] = [];
  for (let i = items.length - 1 - ((items.length - 1 - first) & 1); i >= 0; i -= 2) taken.push(items[i]!);
  return taken;
}

/** The order of variables in their section; `items`: the non-static ones in order of declaration, followed by the static ones. */
export function placementOrder<T extends Placed>(items: readonly T[]): readonly T[] {
  if (items.length < 2) return items;
  const first = placementOrder(reversedEverySecond(items, 0));
  const second = placementOrder(reversedEverySecond(items, 1));
  return merged(first, second);
}

function merged<T extends Placed>(first: readonly T[], second: readonly T[]): readonly T[] {
  const merged: T[] = [];
  let i = 0;
  let j = 0;
  while (i < first.length && j < second.length) merged.push(before(first[i]!, second[j]!) ? first[i++]! : second[j++]!);
  while (i < first.length) merged.push(first[i++]!);
  while (j < second.length) merged.push(second[j++]!);
  return merged;
}

export const alignUp = (offset: number, align: number): number => Math.ceil(offset / align) * align;

/** The known alignment of a place inside an aligned object; all in bytes. */
export const alignAt = (align: number, offset: number): number =>
  offset === 0 ? align : Math.min(align, offset & -offset);

export interface Placement {
  /** Offset of each item in bytes, parallel to the items. */
  readonly offsets: readonly number[];
  /** End of the last item in bytes, without padding. */
  readonly size: number;
  /** The largest alignment in bytes, at least 1. */
  readonly align: number;
}

/** Computes the offsets of items, which are in the order that `placementOrder` expects. */
export function place(items: readonly Placed[]): Placement {
  const offsets = new Array<number>(items.length).fill(0);
  const ordered = placementOrder(numbered(items));
  let size = 0;
  let align = 1;
  for (let i = 0; i < ordered.length; i++) {
    const item = ordered[i]!;
    const offset = alignUp(size, item.align);
    offsets[item.index] = offset;
    size = offset + item.size;
    align = Math.max(align, item.align);
  }
  return { offsets, size, align };
}

interface Numbered extends Placed {
  readonly index: number;
}

function numbered(items: readonly Placed[]): readonly Numbered[] {
  const all: Numbered[] = [];
  for (let index = 0; index < items.length; index++)
    all.push({ align: items[index]!.align, size: items[index]!.size, index });
  return all;
}
