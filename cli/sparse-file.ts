// Large host files and fatbins for inspect: what is inside fatbins is read when it is looked at, and let go. So a library of gigabytes
// takes the memory of its host part and of one image.

import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { hasMagic, magicBytes } from "../formats/bytes/magic.js";
import { sparseBytes } from "../formats/bytes/sparse.js";
import { hasFileBytes } from "../formats/elf/constants.table.js";
import { readElf, SHT } from "../formats/elf/index.js";
import { isFatbinSection, startsFatbin } from "../formats/fatbin/index.js";

/** Bytes from which on a file is read in parts. */
const LARGE = 64 * 2 ** 20;
/** Bytes of a file's beginning that are read at once, and of a read for a small part. */
const HEAD = 2 ** 16;
const WINDOW = 2 ** 14;
/** Bytes of a host section of code or data beyond which it stays in the file: views show of it only its header. */
const MOST_HOST = 2 ** 20;

/** Whether a file is a regular one, and large enough to be read in parts. */
export function isLargeFile(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size >= LARGE;
}

/** The file, partly read; undefined where it is no ELF file or fatbin. What it throws is of node:fs. */
export function readSparse(file: string): Uint8Array | undefined {
  // It stays open: what is inside is read later.
  const descriptor = openSync(file, "r");
  const { size } = fstatSync(descriptor);
  const bytes = sparseBytes(size, rangeReader(descriptor, size));
  fill(descriptor, bytes, 0, HEAD);
  if (startsFatbin(bytes) || fillElf(descriptor, bytes)) return bytes;
  closeSync(descriptor);
  return undefined;
}

/** Reads what is looked at; small parts by way of a window, because headers stand close to each other. */
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

/** Reads a part to where it stands. */
const fill = (descriptor: number, bytes: Uint8Array, start: number, size: number): void =>
  void readInto(descriptor, bytes.subarray(start, start + size), start);

const elf64 = magicBytes("\x7fELF\x02\x01");

/** Reads headers and the host's own sections; whether it is an ELF file that can be read. */
function fillElf(descriptor: number, bytes: Uint8Array): boolean {
  if (!hasMagic(bytes, elf64)) return false;
  const head = new DataView(bytes.buffer);
  const table = Number(head.getBigUint64(40, true));
  // A file that says its headers are elsewhere is damaged: it is read as a whole, and reported.
  if (table > bytes.length) return false;
  // The first header says how many there are where the file header has no room for it.
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
    const isAside = type === SHT.PROGBITS && (size > MOST_HOST || isFatbinSection(name));
    if (!isAside && hasFileBytes(header.machine, type)) fill(descriptor, bytes, offset, size);
  }
  return true;
}
