// Reads files. A link may have thousands of a few kilobytes, so an object takes three system calls and other files four.
// Object files and archives, which stay to the end, are read into large blocks of memory one after the other; archives are
// aligned so that their members begin at words.
// The blocks are SharedArrayBuffers: other buffers count for the garbage collector, which would collect again for every 64 MiB of
// files and find nothing. Other files have memory of their own, which can be freed one by one.
// Rejected: readFileSync for all, which takes twice the time; and blocks for sources too, which would stay until the next
// collection.

import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { ELF_HEADER_SIZE } from "../formats/elf/header.js";
import { SECTION_HEADER_SIZE } from "../formats/elf/section.js";
import { firstDataOffset, looksLikeArchive, memberPlaces } from "../formats/ar/read.js";

/** The bytes that were read of a file. */
export interface PartlyRead {
  readonly bytes: Uint8Array;
  /** The deferred sources: the size of each by offset. */
  readonly texts?: ReadonlyMap<number, number>;
}

/** Reads a large archive, of which the beginning is given; undefined where it cannot. */
type LargeReader = (descriptor: number, head: Uint8Array) => PartlyRead | undefined;

export interface FileReader {
  /** Reads a file, of any kind, to its end. What it throws is of node:fs. */
  read(file: string): Uint8Array;
  /** The same; of a large archive the large texts in it are left out, zeros in their places. */
  readInput(file: string): PartlyRead;
  /** Bytes of a file as it was read, if it was and can be read again; of a pipe what was read is gone. */
  sizeOf(file: string): number | undefined;
}

/** The code of the error about /dev/zero and its kind, of which more would be read than memory holds. */
export const ENDLESS = "ERR_ENDLESS_DEVICE";

/** Bytes of a block. */
const BLOCK = 2 ** 20;
/** Bytes that are left of a block at least where another file is read into it: most are smaller. */
const WORTHWHILE = 2 ** 16;
/** Bytes that tell whether a member is a text. */
const HEAD = 2 ** 10;
/** Alignment of files in bytes: their numbers are read as words. */
const ALIGNMENT = 8;

export function createFileReader(): FileReader {
  let block = new Uint8Array(new SharedArrayBuffer(0));
  let next = 0;
  const sizes = new Map<string, number>();
  const readOpen = (file: string, descriptor: number, readLarge: LargeReader): PartlyRead => {
    const start = next;
    const { end, isStream } = fill(descriptor, block, start, isPipeName(file));
    // Larger files have memory of their own.
    if (end === block.length) {
      if (!isStream && fstatSync(descriptor).isCharacterDevice())
        throw Object.assign(new Error(ENDLESS), { code: ENDLESS });
      if (isStream) return { bytes: Buffer.concat([block.subarray(start), readFileSync(descriptor)]) };
      const head = block.subarray(start);
      return (looksLikeArchive(head) ? readLarge(descriptor, head) : undefined) ?? { bytes: readFileSync(file) };
    }
    if (!isStream) sizes.set(file, end - start);
    const bytes = block.subarray(start, end);
    const shift = isElf(bytes) ? 0 : looksLikeArchive(bytes) ? shiftOf(bytes) : block.length;
    if (end + shift > block.length) return { bytes: Buffer.from(bytes) };
    next = roundUp(end + shift, ALIGNMENT);
    if (shift > 0) block.copyWithin(start + shift, start, end);
    return { bytes: block.subarray(start + shift, end + shift) };
  };
  const readBy =
    (readLarge: LargeReader) =>
    (file: string): PartlyRead => {
      if (block.length - next < WORTHWHILE) {
        block = new Uint8Array(new SharedArrayBuffer(BLOCK));
        next = 0;
      }
      const descriptor = openSync(file, "r");
      try {
        return readOpen(file, descriptor, readLarge);
      } finally {
        closeSync(descriptor);
      }
    };
  const readWhole = readBy(readLarge);
  return {
    read: (file) => readWhole(file).bytes,
    readInput: readBy(readWithoutTexts),
    sizeOf: (file) => sizes.get(file),
  };
}

/** Bytes of a file from `start` up to `end`, or fewer where it ends. What it throws is of node:fs. */
export function readPart(file: string, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  const descriptor = openSync(file, "r");
  try {
    return bytes.subarray(
      0,
      fillFrom(descriptor, bytes, 0, (at) => start + at),
    );
  } finally {
    closeSync(descriptor);
  }
}

/** Bytes from which on memory is worth to be given back before the collector comes by. */
const LARGE = 2 ** 20;
/** Padding after a source: in a fatbin zeros belong to it. */
const MOST_BEHIND = 8;

/**
 * Frees the memory of large bytes at once; all views of it become empty. Most callers still reference the bytes while a source is
 * assembled, and V8 cannot see that none of them reads them again. Does nothing if the memory contains other bytes too.
 */
export function giveBack({ buffer, byteOffset, length }: Uint8Array): void {
  const isAll = byteOffset === 0 && buffer.byteLength - length <= MOST_BEHIND;
  if (length < LARGE || !isAll || !(buffer instanceof ArrayBuffer)) return;
  // To another owner, of whom the next small collection frees it. Node 20 has no ArrayBuffer.prototype.transfer.
  structuredClone(buffer, { transfer: [buffer] });
}

/** How far behind a word an archive begins whose members begin with words. */
const shiftOf = (bytes: Uint8Array): number => -(firstDataOffset(bytes) ?? 0) & (ALIGNMENT / 2 - 1);

/** An archive; undefined where there is more than node:fs reads at once. */
function readLarge(descriptor: number): PartlyRead | undefined {
  const { size } = fstatSync(descriptor);
  if (size >= 2 ** 31) return undefined;
  const bytes = new Uint8Array(new SharedArrayBuffer(size + ALIGNMENT));
  const end = fillFrom(descriptor, bytes.subarray(0, size), 0, (at) => at);
  const shift = shiftOf(bytes.subarray(0, end));
  if (shift > 0) bytes.copyWithin(shift, 0, end);
  return { bytes: bytes.subarray(shift, end + shift) };
}

/**
 * The same without large sources. Their ranges are never written, so the system allocates no memory for them. The rest is read to
 * its final place at once, which `head`, the file's beginning, determines.
 */
function readWithoutTexts(descriptor: number, head: Uint8Array): PartlyRead | undefined {
  const { size } = fstatSync(descriptor);
  if (size >= 2 ** 31 || firstDataOffset(head) === undefined) return readLarge(descriptor);
  const shift = shiftOf(head);
  const bytes = new Uint8Array(new SharedArrayBuffer(size + ALIGNMENT)).subarray(shift, shift + size);
  const texts = new Map<number, number>();
  let end = 0;
  /** Reads up to there at least, and more than that at once; whether the file goes so far. */
  const reaches = (wanted: number): boolean => {
    while (end < wanted) {
      const count = readSync(descriptor, bytes, end, Math.min(size, Math.max(wanted, end + BLOCK)) - end, end);
      if (count === 0) return false;
      end += count;
    }
    return true;
  };
  const headers = memberPlaces(bytes, (wanted) => wanted <= size && reaches(wanted));
  for (const { offset, length } of headers) {
    if (!(length >= LARGE) || offset + length > size || !reaches(offset + HEAD)) continue;
    if (!isPlainText(bytes.subarray(offset, offset + HEAD))) continue;
    texts.set(offset, length);
    end = Math.max(end, offset + length);
  }
  reaches(size);
  return { bytes: bytes.subarray(0, end), ...(texts.size > 0 && { texts }) };
}

/** ASCII without control characters: nothing else than PTX to the linker (lib/link/inputs/recognise.ts), unless it is an archive. */
const isPlainText = (head: Uint8Array): boolean =>
  !looksLikeArchive(head) && head.every((byte) => (byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13));

/** Whether freeing a file's bytes after assembly pays off. */
export const isLargeText = (bytes: Uint8Array): boolean =>
  bytes.length >= LARGE && isPlainText(bytes.subarray(0, HEAD));

const roundUp = (offset: number, step: number): number => Math.ceil(offset / step) * step;

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
    const end = start + readSome(descriptor, block, start, 0);
    if (end < block.length && endsInHeaders(block, start, end)) return { end, isStream: false };
    return { end: fillFrom(descriptor, block, end, (at) => at - start), isStream: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESPIPE") throw error;
    return asStream();
  }
}

/** `positionOf`: the file position of an index in `block`. */
function fillFrom(
  descriptor: number,
  block: Uint8Array,
  start: number,
  positionOf: (end: number) => number | null,
): number {
  let end = start;
  while (end < block.length) {
    const count = readSome(descriptor, block, end, positionOf(end));
    if (count === 0) break;
    end += count;
  }
  return end;
}

/** Windows calls the end of a pipe an error. */
function readSome(descriptor: number, block: Uint8Array, at: number, position: number | null): number {
  try {
    return readSync(descriptor, block, at, block.length - at, position);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EOF") return 0;
    throw error;
  }
}

/**
 * Whether the first read got a whole ELF file, whose section headers are its end, as in objects of ptxkit: another read is then
 * unnecessary.
 */
function endsInHeaders(block: Uint8Array, start: number, end: number): boolean {
  if (end - start < ELF_HEADER_SIZE || !isElf(block, start)) return false;
  const word = (at: number): number =>
    block[start + at]! + block[start + at + 1]! * 2 ** 8 + block[start + at + 2]! * 2 ** 16 + block[start + at + 3]! * 2 ** 24; // prettier-ignore
  // e_shoff, and e_shnum behind e_shentsize.
  const headers = word(58) >>> 16;
  return headers > 0 && word(40) + word(44) * 2 ** 32 + headers * SECTION_HEADER_SIZE === end - start;
}

const isElf = (bytes: Uint8Array, at = 0): boolean =>
  bytes[at] === 0x7f && bytes[at + 1] === 0x45 && bytes[at + 2] === 0x4c && bytes[at + 3] === 0x46;
