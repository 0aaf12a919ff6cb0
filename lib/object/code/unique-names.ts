// Names made unique: the first thing of a name keeps it, others get the first free number behind it.

/** A function that gives each name asked for its unique one; none is in `taken`. */
export function uniqueNames(taken: Iterable<string>): (name: string) => string {
  const used = new Set(taken);
  // Numbers below are taken: thousands of modules may have one name.
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
