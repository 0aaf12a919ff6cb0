// The calls of a plain link (link.ts) between the functions that are kept; object/reached-facts.ts sums up over them.

import { notPlain } from "./cursor.js";
import type { PlainLayout } from "./layout.js";
import type { MergedRow, PlainResolution } from "./resolve.js";
import type { Tables } from "./tables.js";

/** Caller and callee of each, one behind the other. */
export type PlainCalls = Int32Array & { readonly [index: number]: MergedRow };

export function plainCalls(
  tables: Tables,
  { mergedOf, chosen }: PlainResolution,
  { isThere }: Pick<PlainLayout, "isThere">,
): PlainCalls {
  const { calls } = tables;
  const kept = new Int32Array(calls.length);
  let length = 0;
  for (let i = 0; i < calls.length; i += 2) {
    const caller = calls[i]!;
    // Code that was not chosen is not there.
    if (chosen[mergedOf[caller]!] !== caller) continue;
    const callee = mergedOf[calls[i + 1]!]!;
    if (isThere[callee] === 0) notPlain("a call of nothing");
    kept[length++] = mergedOf[caller]!;
    kept[length++] = callee;
  }
  return kept.subarray(0, length);
}
