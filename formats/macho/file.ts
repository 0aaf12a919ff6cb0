// Reads a Mach-O file into one readonly value: for each architecture the header, and the sections with their bytes. Supports
// 64-bit little-endian files, alone or in a universal file. A section that reaches past the end is an error and keeps the
// existing bytes.
import { decoding, malformed } from "../bytes/malformed.js";
import type { FormatError, Result } from "../bytes/result.js";
import { LC, ZERO_FILLED_TYPES } from "./constants.table.js";
import {
  FAT_ARCH_64_SIZE,
  FAT_ARCH_SIZE,
  FAT_HEADER_SIZE,
  LOAD_COMMAND_SIZE,
  MACH_HEADER_SIZE,
  MACH_SECTION_SIZE,
  parseCommand,
  parseFatArch,
  parseFatCount,
  parseMachHeader,
  parseMachSection,
  parseSectionCount,
  SEGMENT_SIZE,
  type MachHeader,
} from "./header.js";
import { isOtherMachO, isThinMachO, isUniversal, isUniversal64 } from "./magic.js";

export interface MachSection {
  /** "__NV_CUDA,__nv_fatbin" */
  readonly name: string;
  readonly address: bigint;
  readonly size: number;
  /** Bytes from the start of the whole file. */
  readonly offset: number;
  readonly flags: number;
  /** A view: do not write to it. */
  readonly data: Uint8Array;
}

/** The file of one architecture. */
export interface MachSlice {
  readonly header: MachHeader;
  /** Bytes from the start of the whole file. */
  readonly offset: number;
  readonly size: number;
  readonly sections: readonly MachSection[];
}

export interface MachOFile {
  readonly bytes: Uint8Array;
  readonly isUniversal: boolean;
  readonly slices: readonly MachSlice[];
  /** The parts that could not be read. */
  readonly faults: readonly FormatError[];
}

/** Limit of architectures; universal files have a handful. */
const MAX_SLICES = 44;
/**
 * Limit of how many times sections may cover the file: without it, many sections could each claim all of it, and reading would
 * not end.
 */
const MAX_OVERLAP = 16;

interface Reading {
  readonly bytes: Uint8Array;
  readonly faults: FormatError[];
  /** Bytes that sections may still cover. */
  left: number;
}

/** Reads headers, load commands and sections. Time and memory are linear in the size of the load commands. */
export function readMachO(bytes: Uint8Array): Result<MachOFile> {
  return decoding(() => {
    const reading: Reading = { bytes, faults: [], left: MAX_OVERLAP * bytes.length };
    const isFat = isUniversal(bytes);
    const slices = isFat ? readSlices(reading) : [readSlice(reading, 0, bytes.length)];
    return { bytes, isUniversal: isFat, slices, faults: reading.faults };
  });
}

function readSlices(reading: Reading): readonly MachSlice[] {
  const { bytes, faults } = reading;
  const isWide = isUniversal64(bytes);
  const recordSize = isWide ? FAT_ARCH_64_SIZE : FAT_ARCH_SIZE;
  const count = parseFatCount(take(bytes, 0, FAT_HEADER_SIZE, bytes.length, "universal header"));
  if (count > MAX_SLICES)
    malformed("limit", 4, `${count} machines in a universal file: at most ${MAX_SLICES} are read`);
  return Array.from({ length: count }, (_, i) => i).flatMap((i) => {
    const at = FAT_HEADER_SIZE + i * recordSize;
    const { offset, size } = parseFatArch(take(bytes, at, recordSize, bytes.length, "machine's header"), isWide, at);
    const end = offset + size;
    if (offset >= bytes.length) {
      const what = `machine ${i + 1} of a universal file: its file at ${offset} is past the end of ${bytes.length} bytes`;
      faults.push({ code: "truncated", offset: at + 8, what });
      return [];
    }
    if (end > bytes.length)
      faults.push({
        code: "truncated",
        offset: at + 8,
        what: `machine ${i + 1} of a universal file: ${size} bytes at ${offset} reach past the end of ${bytes.length} bytes`,
      });
    const read = decoding(() => readSlice(reading, offset, Math.min(end, bytes.length)));
    if (read.ok) return [read.value];
    faults.push(read.error);
    return [];
  });
}

function readSlice(reading: Reading, start: number, end: number): MachSlice {
  const { bytes } = reading;
  const head = bytes.subarray(start, end);
  if (isOtherMachO(head))
    malformed("unsupported", start, "Mach-O of 32 bits or big endian: only 64-bit little-endian files are read");
  if (!isThinMachO(head))
    malformed("bad-magic", start, "no Mach-O file begins here: its first four bytes are cf fa ed fe");
  const header = parseMachHeader(take(bytes, start, MACH_HEADER_SIZE, end, "Mach-O header"));
  const commands = start + MACH_HEADER_SIZE;
  take(bytes, commands, header.commandSize, end, "load commands");
  const commandsEnd = commands + header.commandSize;
  const sections: MachSection[] = [];
  let at = commands;
  for (let i = 0; i < header.commandCount; i++) {
    const { command, size } = parseCommand(take(bytes, at, LOAD_COMMAND_SIZE, commandsEnd, `load command ${i}`));
    if (size < LOAD_COMMAND_SIZE)
      malformed("out-of-range", at + 4, `load command ${i}: ${size} bytes, it has at least ${LOAD_COMMAND_SIZE}`);
    take(bytes, at, size, commandsEnd, `load command ${i}`);
    if (command === LC.SEGMENT_64) sections.push(...readSections(reading, start, at, size, end));
    at += size;
  }
  return { header, offset: start, size: end - start, sections };
}

function readSections(reading: Reading, start: number, at: number, size: number, end: number): readonly MachSection[] {
  const { bytes, faults } = reading;
  const count = parseSectionCount(take(bytes, at, SEGMENT_SIZE, at + size, "segment"));
  take(bytes, at + SEGMENT_SIZE, count * MACH_SECTION_SIZE, at + size, `${count} sections of a segment`);
  return Array.from({ length: count }, (_, i): MachSection => {
    const place = at + SEGMENT_SIZE + i * MACH_SECTION_SIZE;
    const raw = parseMachSection(bytes.subarray(place, place + MACH_SECTION_SIZE), place);
    const name = `${raw.segment},${raw.section}`;
    const offset = start + raw.offset;
    const stored = ZERO_FILLED_TYPES.includes(raw.flags & 0xff) ? 0 : raw.size;
    const there = Math.max(0, Math.min(stored, end - offset));
    if (there < stored)
      faults.push({
        code: "truncated",
        offset: place + 40,
        what: `section ${name}: ${stored} bytes at ${offset} reach past the end of ${end} bytes`,
      });
    reading.left -= there;
    if (reading.left < 0)
      malformed("limit", place, `section ${name}: the sections overlap to ${MAX_OVERLAP} times the file`);
    const { address, flags } = raw;
    return { name, address, size: raw.size, offset, flags, data: bytes.subarray(offset, offset + there) };
  });
}

/** Inside a decoder: returns `size` bytes at `offset`, which must end by `end`. */
function take(bytes: Uint8Array, offset: number, size: number, end: number, what: string): Uint8Array {
  if (offset > end || size > end - offset)
    malformed("truncated", offset, `${what}: ${size} bytes at ${offset} reach past the end at ${end}`);
  return bytes.subarray(offset, offset + size);
}
