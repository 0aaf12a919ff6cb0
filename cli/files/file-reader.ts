// Reads files. A link may have thousands of a few kilobytes, so an object takes three system calls and other files four. Object
// files and archives, which stay in memory to the end, are read into large blocks one after the other; archives are placed so
// that their members begin at words.
// The blocks are SharedArrayBuffers: other buffers count for the garbage collector, which would collect again for every 64 MiB of
// files and find nothing. Other files have memory of their own, which can be freed one by one.
// Rejected: readFileSync for all, which takes twice the time; and blocks for sources too, which would stay until the next
// collection.

import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { ELF_HEADER_SIZE } from "../../formats/elf/header.js";
import { SECTION_HEADER_SIZE } from "../../formats/elf/section.js";
import { firstDataOffset, looksLikeArchive, memberPlaces } from "../../formats/ar/read.js";

/** The bytes that were read of a file. */
export interface PartlyRead {
  readonly bytes: Uint8Array;
  /** The deferred sources: the size of each by offset. */
  readonly texts?: ReadonlyMap<number, number>;
}

/** Reads a large archive, whose beginning is given; undefined if it is too large. */
type LargeReader = (descriptor: number, head: Uint8Array) => PartlyRead | undefined;

export interface FileReader {
  /** Reads a file of any kind to its end. Throws errors of node:fs. */
  read(file: string): Uint8Array;
  /** Reads an input of a link. In a large archive, large texts are not read; their bytes are zero. */
  readInput(file: string): PartlyRead;
  /** Size in bytes of a regular file when it was read; undefined if it was not read, or can be read only once, like a pipe. */
  sizeOf(file: string): number | undefined;
}

/** The code of the error for /dev/zero and similar devices, which never end. */
export const ENDLESS = "ERR_ENDLESS_DEVICE";

/** Bytes in a block. */
const BLOCK = 2 ** 20;
/** Bytes that must be left in a block before another file is read into it; most files are smaller. */
const WORTHWHILE = 2 ** 16;
/** Bytes that are examined to decide whether a member is a text. */
const HEAD = 2 ** 10;
/** Alignment of files in bytes, because their contents are read as words. */
const ALIGNMENT = 8;

export function createFileReader(): FileReader {
  let block = new Uint8Array(new SharedArrayBuffer(0));
  let next = 0;
  const sizes = new Map<string, number>();
  const readOpen = (file: string, descriptor: number, readLarge: LargeReader): PartlyRead => {
    const start = next;
    const { end, isStream } = fill(descriptor, block, start, isPipeName(file));
    // A file that does not fit the block gets memory of its own.
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

/** Reads the bytes of a file from `start` up to `end`, or fewer at the end of the file. Throws errors of node:fs. */
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

/** Bytes from which on it pays to free memory at once, instead of at the next collection. */
const LARGE = 2 ** 20;
/** Limit of padding after a source: in a fatbin, trailing zeros belong to it. */
const MAX_PADDING_AFTER = 8;

/**
 * Frees the memory of large bytes at once; all views of it become empty. Most callers still reference the bytes while a source is
 * assembled, and V8 cannot see that none of them reads them again. Does nothing if the memory contains other bytes too.
 */
export function giveBack({ buffer, byteOffset, length }: Uint8Array): void {
  const isAll = byteOffset === 0 && buffer.byteLength - length <= MAX_PADDING_AFTER;
  if (length < LARGE || !isAll || !(buffer instanceof ArrayBuffer)) return;
  // Transfers the memory to a clone, which the next minor collection frees. Node 20 has no ArrayBuffer.prototype.transfer.
  structuredClone(buffer, { transfer: [buffer] });
}

/** Bytes by which an archive is shifted from a word boundary, so that its members begin at words. */
const shiftOf = (bytes: Uint8Array): number => -(firstDataOffset(bytes) ?? 0) & (ALIGNMENT / 2 - 1);

/** Reads an archive; undefined if it is larger than node:fs reads at once. */
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
 * Reads an archive without large sources. Their ranges are never written, so the system allocates no memory for them. The rest is
 * read directly to its final place, which depends on `head`, the beginning of the file.
 */
function readWithoutTexts(descriptor: number, head: Uint8Array): PartlyRead | undefined {
  const { size } = fstatSync(descriptor);
  if (size >= 2 ** 31 || firstDataOffset(head) === undefined) return readLarge(descriptor);
  const shift = shiftOf(head);
  const bytes = new Uint8Array(new SharedArrayBuffer(size + ALIGNMENT)).subarray(shift, shift + size);
  const texts = new Map<number, number>();
  let end = 0;
  /** Reads at least up to `wanted`, at least a block at a time; false if the file ends before. */
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

/**
 * ASCII without control characters other than whitespace. The linker reads such a file only as PTX
 * (lib/link/inputs/recognise.ts), unless it is an archive.
 */
const isPlainText = (head: Uint8Array): boolean =>
  !looksLikeArchive(head) && head.every((byte) => (byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13));

/** Whether it pays to free a file's bytes after assembly. */
export const isLargeText = (bytes: Uint8Array): boolean =>
  bytes.length >= LARGE && isPlainText(bytes.subarray(0, HEAD));

const roundUp = (offset: number, step: number): number => Math.ceil(offset / step) * step;

/**
 * Whether a name is a pipe's on Windows, where pipes have a namespace of their own, local or remote. Windows ignores read
 * positions in pipes instead of rejecting them.
 */
export const isPipeName = (file: string, platform: string = process.platform): boolean =>
  platform === "win32" && /^[\\/]{2}[^\\/]+[\\/]pipe[\\/]/i.test(file);

/**
 * Reads into `block` from `start` on, until the block is full or the file ends. Except on Windows, a stream is recognised by the
 * error for reading at a position: asking the system for the file's type takes as long as reading it.
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

/** Windows reports the end of a pipe as an error. */
function readSome(descriptor: number, block: Uint8Array, at: number, position: number | null): number {
  try {
    return readSync(descriptor, block, at, block.length - at, position);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EOF") return 0;
    throw error;
  }
}

/**
 * Whether the first read returned a whole ELF file: its section headers end at the last byte read, as in ptxkit's objects.
 * Another read is then unnecessary.
 */
function endsInHeaders(block: Uint8Array, start: number, end: number): boolean {
  if (end - start < ELF_HEADER_SIZE || !isElf(block, start)) return false;
  const word = (at: number): number =>
    block[start + at]! + block[start + at + 1]! * 2 ** 8 + block[start + at + 2]! * 2 ** 16 + block[start + at + 3]! * 2 ** 24; // prettier-ignore
  // e_shnum follows e_shentsize in the word at 58; e_shoff is at 40.
  const headers = word(58) >>> 16;
  return headers > 0 && word(40) + word(44) * 2 ** 32 + headers * SECTION_HEADER_SIZE === end - start;
}

const isElf = (bytes: Uint8Array, at = 0): boolean =>
  bytes[at] === 0x7f && bytes[at + 1] === 0x45 && bytes[at + 2] === 0x4c && bytes[at + 3] === 0x46;
