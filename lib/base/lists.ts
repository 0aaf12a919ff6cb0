// Lists that grow by others of any length: `push(...items)` passes each item as an argument, and has no room for 100,000.

export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** Gives a list other items. */
export function refill<T>(list: T[], items: readonly T[]): void {
  list.length = 0;
  append(list, items);
}

/** The list of a key, an empty one at first. */
export function listIn<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: Value[] = [];
  lists.set(key, made);
  return made;
}
