// Sources that were freed as soon as they were assembled. To show a line of one, a diagnostic reads its file again: a large one
// in parts, because its object occupies memory by then. If the file was written to in the meantime, its lines may differ, so none
// is shown.

import type { ShownText } from "../../lib/diag/excerpt.js";
import type { Source } from "../../lib/ptx/source-text.js";
import type { Host } from "./host.js";
import { readInParts, orNothing } from "./source-parts.js";

/** A source, read again; undefined if it is no longer available. */
export type ReleasedSource = () => ShownText | undefined;

/** Bytes from which on a source is read in parts. */
export const LARGE = 2 ** 24;

/** The source of a file; undefined if it can be read only once. */
export function releasedFile({ name, bytes: { length } }: Source, host: Host): ReleasedSource | undefined {
  if (host.sizeOf(name) === undefined) return undefined;
  if (length < LARGE) return releasedBytes(length, () => host.read(name));
  const version = host.versionOf(name);
  const read = (start: number, end: number): Uint8Array | undefined =>
    host.versionOf(name) === version ? host.readPart(name, start, end) : undefined;
  const text = readInParts(length, (start, end) => orNothing(() => read(start, end)) ?? new Uint8Array());
  return () => text;
}

/**
 * A source of `length` bytes that is read again as a whole. For files that are not large, a change is detected by the size alone,
 * because asking for more costs time.
 */
export function releasedBytes(length: number, read: () => Uint8Array | undefined): ReleasedSource {
  let known: { readonly bytes: Uint8Array | undefined } | undefined;
  return () => {
    known ??= { bytes: orNothing(read) };
    return known.bytes?.length === length ? known.bytes : undefined;
  };
}
