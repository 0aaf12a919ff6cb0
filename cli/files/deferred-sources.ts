// Sources of an archive or thin archive that are read on demand and freed after assembly, so that at most one is in memory. In an
// ordinary archive, only large sources are deferred.

import type { RereadableText } from "../../lib/ptx/source-text.js";
import { giveBack } from "./file-reader.js";
import { HostError } from "./host-error.js";
import { readInParts, orNothing } from "./source-parts.js";

/** The host's functions for reading parts of files. Throws HostError. */
export interface Reading {
  /** Changes whenever the file is written to. */
  versionOf(file: string): string | undefined;
  /** Bytes from `start` up to `end`, or fewer at the end of the file. */
  readPart(file: string, start: number, end: number): Uint8Array;
}

/** The deferred sources by offset in the file; `texts`: their sizes by offset. */
export function deferredSources(
  file: string,
  texts: ReadonlyMap<number, number>,
  host: Reading,
): ReadonlyMap<number, RereadableText> {
  const read = readerOf(file, host);
  const textAt = (offset: number, length: number): RereadableText =>
    rereadableText(length, (start, end) => read(offset + start, offset + end));
  return new Map([...texts].map(([offset, length]) => [offset, textAt(offset, length)] as const));
}

/** A source that is a whole file and has already been read once. */
export const deferredFile = (file: string, bytes: Uint8Array, host: Reading): RereadableText =>
  rereadableText(bytes.length, readerOf(file, host), bytes);

/** Reads parts of a file's current contents. The returned function throws HostError. */
function readerOf(file: string, host: Reading): (start: number, end: number) => Uint8Array {
  const version = host.versionOf(file);
  return (start, end) => {
    const bytes = host.versionOf(file) === version ? host.readPart(file, start, end) : undefined;
    if (bytes?.length !== end - start)
      throw new HostError(`cannot read ${file}: it was written to meanwhile`, "do not write to it while it is linked");
    return bytes;
  };
}

/** `read`: reads the bytes from `start` up to `end`. Throws HostError. */
function rereadableText(
  length: number,
  read: (start: number, end: number) => Uint8Array,
  known?: Uint8Array,
): RereadableText {
  let held = known;
  return {
    length,
    bytes: () => (held ??= read(0, length)),
    release() {
      if (held !== undefined) giveBack(held);
      held = undefined;
    },
    shown: readInParts(length, (start, end) => orNothing(() => read(start, end)) ?? new Uint8Array()),
  };
}
