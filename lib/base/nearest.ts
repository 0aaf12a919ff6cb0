// Finds the names that a mistyped word, or a word from a C++ source, probably means.

import { isMangled, plainName, qualifiedName, sourceName } from "./source-name.js";

const MAX_NAMES = 3;

/** Names within a third of the word's length in edits, at most three, nearest first; none for words of more than 40 letters. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  if (word.length > 40) return [];
  const limit = Math.max(1, Math.floor(word.length / 3));
  return names
    .filter((name) => Math.abs(name.length - word.length) <= limit)
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** Limit of searches: each reads every name, so that more would take longer than the link. */
const MAX_SEARCHES = 20;

/**
 * Returns a function that finds the nearest of some names for each word. Names whose C++ name is the word, with or without
 * namespaces and parameters, take precedence; otherwise the nearest by edits. After MAX_SEARCHES words it returns nothing.
 */
export function createNearest(namesOf: () => Iterable<string>): (word: string) => readonly string[] {
  let names: readonly string[] | undefined;
  let inSource: ReadonlyMap<string, readonly string[]> | undefined;
  let searches = 0;
  return (word) => {
    if (searches++ >= MAX_SEARCHES) return [];
    names ??= [...new Set(namesOf())];
    inSource ??= bySourceName(names);
    const meant = inSource.get(word.replace(/\(.*$/s, "").trim());
    return meant === undefined ? nearest(word, names) : matchingOverloads(word, meant).slice(0, MAX_NAMES);
  };
}

/** Mangled names by their C++ names: "shade" and "ray::shade". */
function bySourceName(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) {
    if (!isMangled(name)) continue;
    for (const called of new Set([plainName(name), qualifiedName(name) ?? name])) {
      const others = found.get(called);
      if (others === undefined) found.set(called, [name]);
      else others.push(name);
    }
  }
  return found;
}

/** Of several overloads, those with the word's parameters; all if there are none. */
function matchingOverloads(word: string, names: readonly string[]): readonly string[] {
  const tight = (text: string): string => text.replaceAll(/\s/g, "");
  const exact = word.includes("(") ? names.filter((name) => tight(sourceName(name) ?? name) === tight(word)) : [];
  return exact.length > 0 ? exact : names;
}

/** Number of insertions, deletions, changes and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, change, swapped ? before[j - 2]! + 1 : Infinity));
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
