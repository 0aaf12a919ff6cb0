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

/** So many rounds of a property or a loop in a run of everything, else one in `every`. */
export const rounds = (count: number, every: number): number =>
  isAll ? count : Math.ceil(count / (extent === "quick" ? every * 4 : every));

/** What a count over a sample must exceed, so that the sample cannot be empty unnoticed; a quick run takes a quarter. */
export const least = (count: number): number => (extent === "quick" ? Math.floor(count / 4) : count);

/** Kind of a file by its name in testdata: the folder at the top. */
export const topFolder = (name: string): string => name.split(/[\\/]/)[0]!;

export const inFullRun = requirement(isAll, "only npm run test:all runs it");

/** `test` for tests that take seconds and have no smaller sample: only a run of everything includes them. */
export const long = testWith(inFullRun);
