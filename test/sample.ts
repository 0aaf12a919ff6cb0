// Which part of the tests runs. `npm run test:all`, `npm test` and `npm run test:quick` set the variable PTXKIT_TESTS:
// "all"     every case of every list, and the tests that take long (`long`);
// "sample"  the default: from each list given to `sample`, some cases of each kind, at least one;
// "quick"   a quarter of that, regardless of kinds, and a third of the files (.ci/tests.mjs).
// Cases are selected by a hash of their names: every run selects the same ones, and they are spread over the list.

import { extents, sampleFor, type Extent } from "./choose.js";
import { requirement, testWith } from "./tools.js";

function extentOf(word: string): Extent {
  if (!extents.includes(word)) throw new Error(`PTXKIT_TESTS is "${word}"; ${extents.join(", ")} are known`);
  return word as Extent;
}

export const extent: Extent = extentOf(process.env["PTXKIT_TESTS"] || "sample");

export const isAll = extent === "all";

export interface Sampling<T> {
  /** Identifies an item; items of one name are selected together. By default the item as a string. */
  readonly name?: (item: T) => string;
  /** The kind of an item: of each kind at least one is selected. By default all are of one kind. */
  readonly kind?: (item: T) => string;
}

/** About one in `every` of the items, in their order; all of them in a run of everything. */
export function sample<T>(
  items: readonly T[],
  every: number,
  { name = String, kind = () => "" }: Sampling<T> = {},
): readonly T[] {
  return isAll ? items : sampleFor(extent, items, every, name, kind);
}

/** `count` rounds of a property or a loop in a run of everything, otherwise one in `every`. */
export const rounds = (count: number, every: number): number =>
  isAll ? count : Math.ceil(count / (extent === "quick" ? every * 4 : every));

/** Lower bound for a count over a sample, so that it cannot be empty unnoticed; a quarter in a quick run. */
export const least = (count: number): number => (extent === "quick" ? Math.floor(count / 4) : count);

/** Kind of a file by its name in testdata: the topmost folder. */
export const topFolder = (name: string): string => name.split(/[\\/]/)[0]!;

export const inFullRun = requirement(isAll, "only npm run test:all runs it");

/** `test` for tests that take seconds and have no smaller sample: only a run of everything includes them. */
export const long = testWith(inFullRun);
