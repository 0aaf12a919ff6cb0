// Extends and fills lists without size limit: `push(...items)` passes each item as an argument, and fails for 100,000 items.

export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** Replaces the items of a list. */
export function refill<T>(list: T[], items: readonly T[]): void {
  list.length = 0;
  append(list, items);
}

/** The list for a key, which is created empty on first use. */
export function listIn<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: Value[] = [];
  lists.set(key, made);
  return made;
}
