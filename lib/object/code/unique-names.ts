// Makes names unique: the first entity with a name keeps it; for others the first free number is appended.

/** Returns a function that makes each name passed to it unique, avoiding those in `taken`. */
export function uniqueNames(taken: Iterable<string>): (name: string) => string {
  const used = new Set(taken);
  // The next number to try for each name; lower ones are used, because thousands of modules may share a name.
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
