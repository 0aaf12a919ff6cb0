// Binary search.

/** The first place from which on `holds` is true, in a list where it is false before. */
export function firstFrom<T>(list: ArrayLike<T>, holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
