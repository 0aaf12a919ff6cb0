// Texts that were let go as soon as they were assembled. Where a diagnostic shows a line of one, its file is read again: a large one
// in parts, because what came of it is held by then. What was written to meanwhile has other lines than those that messages mean,
// and none is shown.

import type { ShownText } from "../lib/diag/excerpt.js";
import type { Source } from "../lib/ptx/tree.js";
import { HostError, type Host } from "./host.js";

/** A text again; undefined where it is not to be had any more. */
export type ReleasedText = () => ShownText | undefined;

/** Bytes from which on a file is read in parts, and those of a part. */
const LARGE = 2 ** 24;
const PART = 2 ** 16;

/** The text of a file; undefined of what can be read only once. */
export function releasedFile({ name, bytes: { length } }: Source, host: Host): ReleasedText | undefined {
  if (host.sizeOf(name) === undefined) return undefined;
  if (length < LARGE) return releasedBytes(length, () => host.read(name));
  const version = host.versionOf(name);
  const read = (start: number, end: number): Uint8Array | undefined =>
    host.versionOf(name) === version ? host.readPart(name, start, end) : undefined;
  const text = inParts(length, (start, end) => orNothing(() => read(start, end)) ?? new Uint8Array());
  return () => text;
}

/** A text of so many bytes that is read as a whole. Of other files than large ones a change shows in their size alone: to ask for more costs time. */
export function releasedBytes(length: number, read: () => Uint8Array | undefined): ReleasedText {
  let known: { readonly bytes: Uint8Array | undefined } | undefined;
  return () => {
    known ??= { bytes: orNothing(read) };
    return known.bytes?.length === length ? known.bytes : undefined;
  };
}

/** Undefined where a file cannot be read. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return undefined;
  }
}

/** Has the part that was read last; of whom as much is asked as is thrice the text reads all of it, so that no more is ever read. */
function inParts(length: number, read: (start: number, end: number) => Uint8Array): ShownText {
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
