// Reads files of which a link may have thousands, each of some kilobytes, with four calls of the system for each. Object files,
// which stay to the end, stand one behind the other in large blocks of memory. The blocks are shared memory in JavaScript's sense,
// because other memory of buffers counts for the garbage collector, which would look through its heap again for every 64 MiB of
// files and find nothing. Other files may be let go one by one, and have memory of their own.
// Rejected: readFileSync for all, which takes twice the time; and blocks for texts, too, which stay until the collector comes by.

import { closeSync, openSync, readFileSync, readSync } from "node:fs";

export interface FileReader {
  /** Reads a file, of any kind, to its end. What it throws is of node:fs. */
  read(file: string): Uint8Array;
  /** Bytes of a file as it was read, if it was and can be read again; of a pipe what was read is gone. */
  sizeOf(file: string): number | undefined;
}

/** Bytes of a block. */
const BLOCK = 2 ** 20;
/** Bytes that are left of a block at least where another file is read into it: most are smaller. */
const WORTHWHILE = 2 ** 16;
/** Bytes at whose multiples files begin: their numbers are looked at as such. */
const ALIGNMENT = 8;

export function createFileReader(): FileReader {
  let block = new Uint8Array(new SharedArrayBuffer(0));
  let next = 0;
  const sizes = new Map<string, number>();
  const readOpen = (file: string, descriptor: number): Uint8Array => {
    const start = next;
    const { end, isStream } = fill(descriptor, block, start, isPipeName(file));
    // What is larger has memory of its own.
    if (end === block.length)
      return isStream ? Buffer.concat([block.subarray(start), readFileSync(descriptor)]) : readFileSync(file);
    if (!isStream) sizes.set(file, end - start);
    const bytes = block.subarray(start, end);
    if (!isElf(bytes)) return Buffer.from(bytes);
    next = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    return bytes;
  };
  return {
    read(file) {
      if (block.length - next < WORTHWHILE) {
        block = new Uint8Array(new SharedArrayBuffer(BLOCK));
        next = 0;
      }
      const descriptor = openSync(file, "r");
      try {
        return readOpen(file, descriptor);
      } finally {
        closeSync(descriptor);
      }
    },
    sizeOf: (file) => sizes.get(file),
  };
}

/**
 * Whether a name is that of a pipe on Windows, which has them in a space of names of their own, on this computer or another, and
 * takes positions in them for what they are not.
 */
export const isPipeName = (file: string, platform: string = process.platform): boolean =>
  platform === "win32" && /^[\\/]{2}[^\\/]+[\\/]pipe[\\/]/i.test(file);

/**
 * Reads into `block` from `start` on, to the end of either. Elsewhere whether it is a stream is seen from its having no positions: to
 * ask the system what a file is takes as long as to read it.
 */
function fill(
  descriptor: number,
  block: Uint8Array,
  start: number,
  isPipe: boolean,
): { readonly end: number; readonly isStream: boolean } {
  const asStream = () => ({ end: fillFrom(descriptor, block, start, () => null), isStream: true });
  if (isPipe) return asStream();
  try {
    return { end: fillFrom(descriptor, block, start, (end) => end - start), isStream: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESPIPE") throw error;
    return asStream();
  }
}

/** `positionOf`: the place in the file of what comes to a place in `block`. */
function fillFrom(
  descriptor: number,
  block: Uint8Array,
  start: number,
  positionOf: (end: number) => number | null,
): number {
  let end = start;
  while (end < block.length) {
    const count = readPart(descriptor, block, end, positionOf(end));
    if (count === 0) break;
    end += count;
  }
  return end;
}

/** Windows calls the end of a pipe an error. */
function readPart(descriptor: number, block: Uint8Array, at: number, position: number | null): number {
  try {
    return readSync(descriptor, block, at, block.length - at, position);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EOF") return 0;
    throw error;
  }
}

const isElf = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
