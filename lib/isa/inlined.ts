// Finds the calls into which code is inlined. `inlined_at` of a .loc names the place of a call. The nearest earlier .loc with
// this place is the call's, and may be inlined itself (PTX ISA 9.0 section 11.5.4).

import type { SourceLocation } from "./code.js";

/** By index of a location, the index of the location at which it is inlined; -1 if it is not inlined. */
export function inlinedInto(locations: readonly SourceLocation[]): Int32Array {
  const latest = new Map<string, number>();
  return Int32Array.from(locations, (location, i) => {
    const { inlinedAt } = location;
    const caller = inlinedAt === undefined ? undefined : latest.get(placeKey(inlinedAt));
    latest.set(placeKey(location), i);
    return caller ?? -1;
  });
}

/** A place as a key. */
export const placeKey = ({ file, line, column }: Pick<SourceLocation, "file" | "line" | "column">): string =>
  `${file} ${line} ${column}`;
