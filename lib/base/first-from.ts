// Binary search.

/** Index of the first element for which `holds` is true; `holds` must be false before it and true after it. */
export function firstFrom<T>(list: ArrayLike<T>, holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
