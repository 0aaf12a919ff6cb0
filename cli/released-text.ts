// Texts that were let go as soon as they were assembled. Where a diagnostic shows a line of one, its file is read again: a large one
// in parts, because what came of it is held by then. What was written to meanwhile has other lines than those that messages mean,
// and none is shown.

import type { ShownText } from "../lib/diag/excerpt.js";
import type { Source } from "../lib/ptx/tree.js";
import type { Host } from "./host.js";
import { inParts, orNothing } from "./text-parts.js";

/** A text again; undefined where it is not to be had any more. */
export type ReleasedText = () => ShownText | undefined;

/** Bytes from which on a text is worth to be had in parts. */
export const LARGE = 2 ** 24;

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
