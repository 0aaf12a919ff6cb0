// The offsets of one module's variables in their sections, in NVIDIA's order, byte for byte: by alignment, large ones first, then
// by size, small ones first. Ties are resolved as in ptxas 13.0 (observed over random modules; names play no part): its list sort
// splits the odd and the even positions, reverses both, sorts each and prefers the first.

/** What placement needs to know of a variable; both in bytes. */
export interface Placed {
  readonly align: number;
  readonly size: number;
}

const before = (a: Placed, b: Placed): boolean => a.align > b.align || (a.align === b.align && a.size <= b.size);

/** Those at even places, or those at odd ones. */
function reversedEverySecond<T>(items: readonly T[], first: 0 | 1): readonly T[] {
  const taken: T[] = [];
  for (let i = items.length - 1 - ((items.length - 1 - first) & 1); i >= 0; i -= 2) taken.push(items[i]!);
  return taken;
}

/** The order of variables in their section; `items` are the non-static ones in order of declaration, then the static ones. */
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

/** What is known of the alignment of a place inside something aligned; all in bytes. */
export const alignAt = (align: number, offset: number): number =>
  offset === 0 ? align : Math.min(align, offset & -offset);

export interface Placement {
  /** Offset of each item in bytes, parallel to the items. */
  readonly offsets: readonly number[];
  /** Bytes up to the end of the last item; no padding behind it. */
  readonly size: number;
  /** The largest alignment, at least 1. */
  readonly align: number;
}

/** Offsets of the items, which come in the order that `placementOrder` takes. */
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
