// What a module has under names and numbers, by their keys. Names are in a list by their ids, so that those that were first read one
// behind the other are beside each other, and none needs a hash.

export interface KeyMap<T> {
  get(key: LocalKey): T | undefined;
  set(key: LocalKey, value: T): void;
  /** Those of names, then those of numbers. */
  entries(): Iterable<readonly [LocalKey, T]>;
}

export function createKeyMap<T>(): KeyMap<T> {
  const named: (T | undefined)[] = [];
  const numbered = new Map<LocalKey, T>();
  return {
    get: (key) => (key < 0 ? numbered.get(key) : key < named.length ? named[key] : undefined),
    set(key, value) {
      if (key < 0) numbered.set(key, value);
      else {
        // Without gaps, for which the engine would make a hash table.
        while (named.length < key) named.push(undefined);
        named[key] = value;
      }
    },
    *entries() {
      for (const [key, value] of named.entries()) if (value !== undefined) yield [key, value];
      yield* numbered;
    },
  };
}

/** Local names by their id, and numbered values and blocks as `~number` beside them. */
export type LocalKey = number;
