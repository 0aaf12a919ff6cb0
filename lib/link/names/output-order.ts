// Pass: the order in which names stand in an output. What is defined stands where its definition does, by module and in that as
// there; what nothing defines is in front, by name. So mentions have no say in it: code that --gc-sections takes away mentions
// names, too, and of what -r has joined nobody could tell which mention was the first of those that are left.
// Rejected: the order of first mention, which is that of nothing else and changes with the grouping.

import { claimOf, firstCommon, type Merged, type Resolution } from "./resolve.js";

/** Where what nothing defines stands: in front, or, where all mentions are there, as its declaration does, so that -r of one object is that object. */
export type OpenPlace = "in front" | "as declared";

/** `forLater`: whether the output is for another link (-r). */
export const openPlaceOf = (forLater: boolean, gcSections: boolean | undefined): OpenPlace =>
  forLater && gcSections !== true ? "as declared" : "in front";

export function inOutputOrder({ merged, mergedOf }: Resolution, openPlace: OpenPlace): Resolution {
  const inFront: number[] = [];
  const inPlace: number[] = [];
  merged.forEach((each, row) => (openPlace === "in front" && isOpen(each) ? inFront : inPlace).push(row));
  const places = merged.map(placeOf);
  inFront.sort((a, b) => (merged[a]!.name < merged[b]!.name ? -1 : 1));
  inPlace.sort((a, b) => places[a]!.object - places[b]!.object || places[a]!.index - places[b]!.index);
  const order = [...inFront, ...inPlace];
  const numbers = new Int32Array(merged.length);
  order.forEach((row, number) => (numbers[row] = number));
  return { merged: order.map((row) => merged[row]!), mergedOf: mergedOf.map((own) => own.map((row) => numbers[row]!)) };
}

/** A reference is nowhere defined but by its module, which does not say `.extern`. */
const isOpen = ({ chosen: { symbol } }: Merged): boolean =>
  claimOf(symbol) === "declared" && (symbol.kind !== "reference" || symbol.linkage === "extern");

/** The first of `.common` variables gives them their place. */
const placeOf = (each: Merged) => (claimOf(each.chosen.symbol) === "common" ? firstCommon(each) : each.chosen);
