// Selects cases, or files, for a run of the tests by a hash of their names (sample.ts).

export type Extent = "all" | "sample" | "quick";

export const extents: readonly string[] = ["all", "sample", "quick"] satisfies readonly Extent[];

/** A 32-bit hash: FNV-1a, mixed so that names that differ in their last letter are far apart. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The items that a run of that extent includes. */
export function sampleFor<T>(
  of: Extent,
  items: readonly T[],
  every: number,
  name: (item: T) => string,
  kind: (item: T) => string,
): readonly T[] {
  if (of === "all") return items;
  const step = of === "quick" ? every * 4 : every;
  const kinds = new Map<string, T[]>();
  for (const item of items) {
    const key = of === "quick" ? "" : kind(item);
    if (!kinds.get(key)?.push(item)) kinds.set(key, [item]);
  }
  const taken = new Set<T>();
  for (const own of kinds.values()) {
    const ordered = own.map((item) => ({ item, hash: hashOf(name(item)) })).sort((a, b) => a.hash - b.hash);
    for (const { item } of ordered.slice(0, Math.ceil(own.length / step))) taken.add(item);
  }
  return items.filter((item) => taken.has(item));
}
