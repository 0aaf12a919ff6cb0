// Makes names unique: the first entity with a name keeps it; for others the first free number is appended.

/** A function that returns a unique name for each name passed to it; never one in `taken`. */
export function uniqueNames(taken: Iterable<string>): (name: string) => string {
  const used = new Set(taken);
  // Lower numbers are in use: thousands of modules may share a name.
  const next = new Map<string, number>();
  return (name) => {
    let unique = name;
    if (used.has(name)) {
      let n = next.get(name) ?? 1;
      for (; used.has(unique); n++) unique = `${name}_${n}`;
      next.set(name, n);
    }
    used.add(unique);
    return unique;
  };
}
