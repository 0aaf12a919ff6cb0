// The functions of a `.calltargets` list (PTX ISA 9.0 section 9.7.12.5): a call checks that all of them accept its arguments.
// Thousands of calls may share a list of thousands, so that each parameter position keeps only its distinct formals. Formals that
// accept one argument differ in little more than type, and the search ends at the first mismatch. The cost of a call thus depends
// on its own length, not on the list's.

import type { Parameter, Prototype } from "../isa/code.js";

export interface Callees {
  /** In the order of the list. */
  readonly prototypes: readonly Prototype[];
  readonly returns: FormalLists;
  readonly parameters: FormalLists;
}

/** Distinct values in ascending order of `first`, the index of the first function with that value. */
type Different<T> = readonly { readonly one: T; readonly first: number }[];

export interface FormalLists {
  /** Lists with different lengths, or with an open array at the end. */
  readonly lists: Different<readonly Parameter[]>;
  /** Distinct formals for each position in the list. */
  readonly places: readonly Different<Parameter>[];
}

export const calleesOf = (prototypes: readonly Prototype[]): Callees => ({
  prototypes,
  returns: formalLists(prototypes.map(({ returns }) => returns)),
  parameters: formalLists(prototypes.map(({ parameters }) => parameters)),
});

function formalLists(lists: readonly (readonly Parameter[])[]): FormalLists {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  const formals = Array.from({ length: longest }, (): { one: Parameter; of: number }[] => []);
  for (const [of, list] of lists.entries()) for (const [i, one] of list.entries()) formals[i]!.push({ one, of });
  return {
    lists: different(
      lists.map((one, of) => ({ one, of })),
      (list) => `${list.length} ${isOpenArray(list.at(-1))}`,
    ),
    places: formals.map((column) => different(column, formalKey)),
  };
}

/** A key of all properties of a formal that the checks of an argument use. */
const formalKey = ({ layout: { type, vector, dimensions, align, size } }: Parameter): string =>
  [type.name, vector, align, size, dimensions.length].join(" ");

function different<T>(all: readonly { readonly one: T; readonly of: number }[], key: (one: T) => string): Different<T> {
  const seen = new Map<string, { one: T; first: number }>();
  for (const { one, of } of all) {
    const text = key(one);
    if (!seen.has(text)) seen.set(text, { one, first: of });
  }
  return [...seen.values()];
}

/** Whether a formal is an open array, which as the last parameter accepts all further arguments, or none. */
export const isOpenArray = (formal: Parameter | undefined): boolean =>
  formal !== undefined && formal.layout.dimensions.length > 0 && formal.layout.dimensions[0] === undefined;

/**
 * Index of the first function that does not accept `length` values, or one of them; Infinity if all do. `takes` tells whether a
 * list accepts the number of values, `fits` whether the value at a position fits a formal.
 */
export function firstUnfit(
  { lists, places }: FormalLists,
  length: number,
  takes: (formals: readonly Parameter[]) => boolean,
  fits: (place: number, formal: Parameter) => boolean,
): number {
  let first = lists.find(({ one }) => !takes(one))?.first ?? Infinity;
  for (let i = 0; i < Math.min(length, places.length); i++) {
    const unfit = places[i]!.find(({ one }) => !fits(i, one));
    if (unfit !== undefined) first = Math.min(first, unfit.first);
  }
  return first;
}
