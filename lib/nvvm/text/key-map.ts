// Entries of a module under names and numbers, by their keys. Names are indices of a list, so that names first read
// consecutively are adjacent, and none needs hashing.

export interface KeyMap<T> {
  get(key: LocalKey): T | undefined;
  set(key: LocalKey, value: T): void;
  /** Entries of names, then those of numbers. */
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
        // Without gaps, which would make the engine use a hash table.
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

/** Local names by their id; numbered values and blocks as `~number`. */
export type LocalKey = number;
