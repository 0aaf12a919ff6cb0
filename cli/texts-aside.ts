// The large texts of an archive that was read without them, and those that a thin archive names: each is read when it is looked at
// and let go when it is assembled, so that no more than one is held.

import type { TextAgain } from "../lib/ptx/tree.js";
import { giveBack } from "./file-reader.js";
import { HostError } from "./host-error.js";
import { inParts, orNothing } from "./text-parts.js";

/** What it is read with. Throws HostError. */
export interface Reading {
  /** Another one whenever a file was written to. */
  versionOf(file: string): string | undefined;
  /** Bytes from `start` up to `end`, or fewer where it ends. */
  readPart(file: string, start: number, end: number): Uint8Array;
}

/** By where they begin; `texts`: bytes of each by the same. */
export function textsAside(
  file: string,
  texts: ReadonlyMap<number, number>,
  host: Reading,
): ReadonlyMap<number, TextAgain> {
  const read = readerOf(file, host);
  const textAt = (offset: number, length: number): TextAgain =>
    textAgain(length, (start, end) => read(offset + start, offset + end));
  return new Map([...texts].map(([offset, length]) => [offset, textAt(offset, length)] as const));
}

/** A text that is a file of its own, which has been read. */
export const textAlone = (file: string, bytes: Uint8Array, host: Reading): TextAgain =>
  textAgain(bytes.length, readerOf(file, host), bytes);

/** Reads parts of a file as it is now. What it returns throws HostError. */
function readerOf(file: string, host: Reading): (start: number, end: number) => Uint8Array {
  const version = host.versionOf(file);
  return (start, end) => {
    const bytes = host.versionOf(file) === version ? host.readPart(file, start, end) : undefined;
    if (bytes?.length !== end - start)
      throw new HostError(`cannot read ${file}: it was written to meanwhile`, "do not write to it while it is linked");
    return bytes;
  };
}

/** `read`: bytes from `start` up to `end`. Throws HostError. */
function textAgain(length: number, read: (start: number, end: number) => Uint8Array, known?: Uint8Array): TextAgain {
  let held = known;
  return {
    length,
    bytes: () => (held ??= read(0, length)),
    letGo() {
      if (held !== undefined) giveBack(held);
      held = undefined;
    },
    shown: inParts(length, (start, end) => orNothing(() => read(start, end)) ?? new Uint8Array()),
  };
}
