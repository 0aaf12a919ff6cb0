// The calls of a plain link (plain-link.ts): between the functions that are kept, and whether any of them may come back to a
// function that has not returned (object/reached-facts.ts has what is said of it).

import { notPlain } from "./plain-cursor.js";
import type { PlainLayout } from "./plain-layout.js";
import type { MergedRow, PlainResolution } from "./plain-resolve.js";
import type { Tables } from "./plain-tables.js";

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

/** Takes away functions that call only what has been taken away; what is left is a cycle or calls one. */
export function hasCycle(calls: PlainCalls, count: number): boolean {
  const left = new Int32Array(count);
  // Callers of each function: where the first one is, and behind each the next, both + 1.
  const first = new Int32Array(count);
  const next = new Int32Array(calls.length);
  for (let i = 0; i < calls.length; i += 2) {
    left[calls[i]!]!++;
    next[i] = first[calls[i + 1]!]!;
    first[calls[i + 1]!] = i + 1;
  }
  const done = new Int32Array(count);
  let total = 0;
  for (let row = 0; row < count; row++) if (left[row] === 0) done[total++] = row;
  for (let i = 0; i < total; i++)
    for (let at = first[done[i]!]!; at !== 0; at = next[at - 1]!) {
      const caller = calls[at - 1]!;
      if (--left[caller]! === 0) done[total++] = caller;
    }
  return total < count;
}
