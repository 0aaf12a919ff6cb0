// The result of walking a container: everything up to the first fault, and the fault. A Result would lose the members before a
// damaged one, which an inspector still shows.
import { decoding } from "./malformed.js";
import type { FormatError } from "./result.js";

export interface Listing<T> {
  readonly items: readonly T[];
  readonly fault?: FormatError;
}

/** Collects what `walk` yields, until it ends or finds malformed bytes. */
export function listing<T>(walk: () => Iterable<T>): Listing<T> {
  const items: T[] = [];
  const result = decoding(() => {
    for (const item of walk()) items.push(item);
  });
  return result.ok ? { items } : { items, fault: result.error };
}
