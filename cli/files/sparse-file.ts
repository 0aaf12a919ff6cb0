// Reads large host files and fatbins for inspect: the contents of fatbins are read on demand and not kept. A library of gigabytes
// then takes memory only for its host sections and one image.

import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { hasMagic, magicBytes } from "../../formats/bytes/magic.js";
import { sparseBytes } from "../../formats/bytes/sparse.js";
import { hasFileBytes } from "../../formats/elf/constants.table.js";
import { readElf, SHT } from "../../formats/elf/index.js";
import { isFatbinSection, startsFatbin } from "../../formats/fatbin/magic.js";

/** Files of at least this many bytes are read in parts. */
const LARGE = 64 * 2 ** 20;
/** Bytes that are read from the start of the file, and bytes of the read-ahead window. */
const HEAD = 2 ** 16;
const WINDOW = 2 ** 14;
/** Larger host sections of code or data, in bytes, stay in the file: views show only their headers. */
const MAX_HOST = 2 ** 20;

/** Whether a file is a regular file that is large enough to be read in parts. */
export function isLargeFile(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size >= LARGE;
}

/** Reads a file in parts; undefined if it is neither an ELF file nor a fatbin. Throws errors of node:fs. */
export function readSparse(file: string): Uint8Array | undefined {
  // The descriptor stays open, because the contents of fatbins are read later.
  const descriptor = openSync(file, "r");
  const { size } = fstatSync(descriptor);
  const bytes = sparseBytes(size, rangeReader(descriptor, size));
  fill(descriptor, bytes, 0, HEAD);
  if (startsFatbin(bytes) || fillElf(descriptor, bytes)) return bytes;
  closeSync(descriptor);
  return undefined;
}

/** Reads a range of the file. Small ranges are read ahead, because headers are close to each other. */
function rangeReader(descriptor: number, size: number): (start: number, end: number) => Uint8Array {
  const window = new Uint8Array(WINDOW);
  let [from, to] = [0, 0];
  return (start, end) => {
    const last = Math.min(end, size);
    if (last - start > WINDOW / 4) return readInto(descriptor, new Uint8Array(last - start), start);
    if (start < from || last > to) {
      from = start;
      to = start + readInto(descriptor, window, start).length;
    }
    return window.slice(start - from, last - from);
  };
}

function readInto(descriptor: number, target: Uint8Array, position: number): Uint8Array {
  let end = 0;
  while (end < target.length) {
    const count = readSync(descriptor, target, end, target.length - end, position + end);
    if (count === 0) break;
    end += count;
  }
  return target.subarray(0, end);
}

/** Reads a part into the same offset of `bytes`. */
const fill = (descriptor: number, bytes: Uint8Array, start: number, size: number): void =>
  void readInto(descriptor, bytes.subarray(start, start + size), start);

const elf64 = magicBytes("\x7fELF\x02\x01");

/** Reads the headers and the host's sections. Returns false if this is no ELF file, or a damaged one. */
function fillElf(descriptor: number, bytes: Uint8Array): boolean {
  if (!hasMagic(bytes, elf64)) return false;
  const head = new DataView(bytes.buffer);
  const table = Number(head.getBigUint64(40, true));
  // Section headers beyond the end: the file is damaged, so it is read as a whole and reported.
  if (table > bytes.length) return false;
  // Section header 0 holds the count if it does not fit the file header.
  fill(descriptor, bytes, table, 64);
  const count =
    head.getUint16(60, true) || Number(table + 64 <= bytes.length ? head.getBigUint64(table + 32, true) : 0n);
  if (count > (bytes.length - table) / 64) return false;
  fill(descriptor, bytes, table, count * 64);
  const names = head.getUint16(62, true) === 0xffff ? head.getUint32(table + 40, true) : head.getUint16(62, true);
  if (names < count) {
    const at = table + names * 64;
    const [offset, size] = [Number(head.getBigUint64(at + 24, true)), Number(head.getBigUint64(at + 32, true))];
    if (offset > bytes.length || size > bytes.length - offset) return false;
    fill(descriptor, bytes, offset, size);
  }
  const read = readElf(bytes);
  if (!read.ok) return false;
  const { header, sections } = read.value;
  fill(descriptor, bytes, header.programHeaderOffset, 2 ** 16);
  for (const { name, type, offset, size } of sections) {
    const isAside = type === SHT.PROGBITS && (size > MAX_HOST || isFatbinSection(name));
    if (!isAside && hasFileBytes(header.machine, type)) fill(descriptor, bytes, offset, size);
  }
  return true;
}
