// Pass: the order in which names stand in an output. What is defined stands where its definition does, by module and in that as
// there; what nothing defines is in front, by name. So mentions have no say in it: code that --gc-sections takes away mentions
// names, too, and of what -r has joined nobody could tell which mention was the first of those that are left.
// Rejected: the order of first mention, which is that of nothing else and changes with the grouping.

/** Where what nothing defines stands: in front, or, where all mentions are there, as its declaration does, so that -r of one object is that object. */
export type OpenPlace = "in front" | "as declared";

/** `forLater`: whether the output is for another link (-r). */
export const openPlaceOf = (forLater: boolean, gcSections: boolean | undefined): OpenPlace =>
  forLater && gcSections !== true ? "as declared" : "in front";
