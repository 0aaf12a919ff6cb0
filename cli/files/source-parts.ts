// A source whose parts are read on demand.

import type { ShownText } from "../../lib/diag/excerpt.js";
import { HostError } from "./host-error.js";

/** Bytes that are read at a time. */
const PART = 2 ** 16;

/** The result of `read`; undefined if a file cannot be read. */
export function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return undefined;
  }
}

/**
 * Keeps only the last part read. Once the parts read add up to three times the length, it reads the whole source, which bounds
 * the total.
 */
export function readInParts(length: number, read: (start: number, end: number) => Uint8Array): ShownText {
  let part: Uint8Array = new Uint8Array();
  let from = 0;
  let patience = 3 * length;
  return {
    length,
    subarray(start, end) {
      if (start < from || end > from + part.length) {
        const asked = Math.min(length, Math.max(end, start + PART));
        patience -= asked - start;
        from = patience < 0 ? 0 : start;
        part = patience < 0 ? read(0, length) : read(start, asked);
      }
      return part.subarray(start - from, end - from);
    },
  };
}
