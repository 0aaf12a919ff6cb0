// How much of the tests is run. The variable PTXKIT_TESTS says it, which `npm run test:all`, `npm test` and `npm run test:quick` set:
// "all"     everything: each case of each list, and what takes long (`long`);
// "sample"  (so without the variable, too) of a list given to `sample` some of each kind, one at least;
// "quick"   a quarter of that, kinds left out.
// Which cases are taken hangs on their names alone, by a hash: the same ones on each run, wherever the others stand in the list, and
// spread over what a list runs through.

import test, { type ExecutionContext } from "ava";

export type Extent = "all" | "sample" | "quick";

const extents: readonly string[] = ["all", "sample", "quick"] satisfies readonly Extent[];

function extentOf(word: string): Extent {
  if (!extents.includes(word)) throw new Error(`PTXKIT_TESTS is "${word}"; ${extents.join(", ")} are known`);
  return word as Extent;
}

export const extent: Extent = extentOf(process.env["PTXKIT_TESTS"] || "sample");

export const isAll = extent === "all";

/** 32 bits of a name: FNV-1a, mixed, so that names that differ in their last letter are far apart. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface Sampling<T> {
  /** What tells items apart; where two have the same name both are taken or left. Unless given, the text that the item is. */
  readonly name?: (item: T) => string;
  /** What has to stay represented: of each kind one is taken at least. Unless given, all are of one kind. */
  readonly kind?: (item: T) => string;
}

/** About one in `every` of these, in their order; all of them in a run of everything. */
export function sample<T>(
  items: readonly T[],
  every: number,
  { name = String, kind = () => "" }: Sampling<T> = {},
): readonly T[] {
  return isAll ? items : sampleFor(extent, items, every, name, kind);
}

/** What `sample` takes; for a test of it, at any extent. */
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

/** So many rounds of a property or a loop in a run of everything, else one in `every`. */
export const rounds = (count: number, every: number): number =>
  isAll ? count : Math.ceil(count / (extent === "quick" ? every * 4 : every));

/** Kind of a file by its name in testdata: the folder at the top. */
export const topFolder = (name: string): string => name.split(/[\\/]/)[0]!;

/** `test` for what has no smaller sample and takes seconds: left out but in a run of everything. */
export const long: (title: string, body: (t: ExecutionContext) => unknown) => void = isAll ? test : test.skip;
