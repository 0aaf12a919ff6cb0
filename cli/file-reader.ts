// Reads files of which a link may have thousands, each of some kilobytes, with four calls of the system for each. Object files,
// which stay to the end, stand one behind the other in large blocks of memory. The blocks are shared memory in JavaScript's sense,
// because other memory of buffers counts for the garbage collector, which would look through its heap again for every 64 MiB of
// files and find nothing. Other files may be let go one by one, and have memory of their own.
// Rejected: readFileSync for all, which takes twice the time; and blocks for texts, too, which stay until the collector comes by.

import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

/** Bytes of a block. */
const BLOCK = 2 ** 20;
/** Bytes that are left of a block at least where another file is read into it: most are smaller. */
const WORTHWHILE = 2 ** 16;
/** Bytes at whose multiples files begin: their numbers are looked at as such. */
const ALIGNMENT = 8;

/** Gives a function that reads a file, of any kind, to its end. What that throws is of node:fs. */
export function createFileReader(): (file: string) => Uint8Array {
  let block = new Uint8Array(new SharedArrayBuffer(0));
  let next = 0;
  return (file) => {
    if (block.length - next < WORTHWHILE) {
      block = new Uint8Array(new SharedArrayBuffer(BLOCK));
      next = 0;
    }
    const start = next;
    const descriptor = openSync(file, "r");
    try {
      const end = fill(descriptor, block, start);
      // What is larger has memory of its own; of a pipe what was read is gone.
      if (end === block.length)
        return fstatSync(descriptor).isFile()
          ? readFileSync(file)
          : Buffer.concat([block.subarray(start), readFileSync(descriptor)]);
      const bytes = block.subarray(start, end);
      if (!isElf(bytes)) return Buffer.from(bytes);
      next = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  };
}

/** Reads into `block` from `start` on, to the end of either; where it came to. */
function fill(descriptor: number, block: Uint8Array, start: number): number {
  let end = start;
  while (end < block.length) {
    const count = readSync(descriptor, block, end, block.length - end, null);
    if (count === 0) break;
    end += count;
  }
  return end;
}

const isElf = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
