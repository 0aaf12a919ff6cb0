// Writes an ELF file from sections in order (formats/elf/write.ts has the same layout), without an object for each section: their
// headers are words, and their contents a list. The contents are parts of the input files and are never copied into one buffer,
// which would double the memory in use.

import { longAt, putLong } from "../long-words.js";
import { currentFlags } from "../../../../formats/cuda/index.js";
import { ByteWriter } from "../../../../formats/bytes/writer.js";
import { ELFOSABI, EM, ET, PF, PT, SHN, SHT } from "../../../../formats/elf/constants.table.js";
import { MAX_FILE_ALIGNMENT } from "../../../../formats/elf/draft.js";
import { ELF_HEADER_SIZE, writeHeader } from "../../../../formats/elf/header.js";
import { PROGRAM_HEADER_SIZE, writeSegment } from "../../../../formats/elf/segment.js";
import { PTXKIT_ABI_VERSION } from "../../file/container.js";
import { alignUp } from "../../place.js";
import { bytesOf as bytesOfGrowing, createNames } from "../growable-bytes.js";
import { unsupported } from "../cursor.js";
import type { AddressSize } from "../../../check/address-size.js";
import type { PtxVersion, Target } from "../../../isa/requirement.js";
import { larger32, type StringId, type StringTable } from "../strings.js";

/** What a section's header says besides name, place and size. */
export interface HowSection {
  readonly type: number;
  readonly flags?: number;
  readonly link?: number;
  readonly info?: number;
  readonly align: number;
  readonly entsize?: number;
}

export interface ElfWriter {
  /** Puts the table of section names, which is filled at the end. */
  names(): void;
  /** Puts a section of bytes from `start` on, all of them unless told how many; its index. */
  bytes(name: string, how: HowSection, from: Uint8Array, start?: number, size?: number): number;
  noBytes(name: string, how: HowSection, size: number): number;
  /** Puts sections of one function each: with its name, sh_info, the alignment where it is not the common one. */
  perFunction(prefix: string, how: HowSection): PutOfFunction;
  /** The file in parts, with a segment for each run of sections: the first, the last, whether they are writable. */
  finish(runs?: readonly SegmentRun[]): readonly Uint8Array[];
}

/** What a file is made for. */
export interface OutputTarget {
  readonly target: Target;
  readonly version: PtxVersion;
  /** Bits of an address. */
  readonly addressSize: AddressSize;
}

/** An object has no segments. */
export type FileType = "executable" | "relocatable";

export type SegmentRun = readonly [first: number, last: number, isWritable: boolean];

export type PutOfFunction = (
  name: StringId,
  info: number,
  from: Uint8Array,
  start: number,
  size: number,
  align?: number,
) => number;

/** Words of a section header, and those of its fields. */
const WORDS = 16;
const NAME = 0;
const TYPE = 1;
const FLAGS = 2;
const OFFSET = 6;
const SIZE = 8;
const LINK = 10;
const INFO = 11;
const ALIGN = 12;
const ENTSIZE = 14;

const NOTHING = new Uint8Array(0);

/** `expected`: how many sections there will be, or more. */
export function createFile(
  type: FileType,
  { target, addressSize }: Pick<OutputTarget, "target" | "addressSize">,
  strings: StringTable,
  expected: number,
): ElfWriter {
  const names = createNames(strings, expected);
  let headers = new Int32Array(WORDS * expected);
  let starts = new Int32Array(expected);
  let sourceOf = new Int32Array(expected);
  // Section 0 is empty.
  let count = 1;
  // Neighbours are often of one source.
  const sources: Uint8Array[] = [NOTHING];
  let last: Uint8Array = NOTHING;
  let nameTable = 0;

  const put = (
    nameAt: number,
    how: Required<HowSection>,
    info: number,
    align: number,
    from: Uint8Array,
    start: number,
    size: number,
  ) => {
    const at = WORDS * count;
    if (count === starts.length) {
      headers = larger32(headers);
      starts = larger32(starts);
      sourceOf = larger32(sourceOf);
    }
    headers[at + NAME] = nameAt;
    headers[at + TYPE] = how.type;
    headers[at + FLAGS] = how.flags;
    putLong(headers, at + SIZE, size);
    headers[at + LINK] = how.link;
    headers[at + INFO] = info;
    putLong(headers, at + ALIGN, align);
    headers[at + ENTSIZE] = how.entsize;
    if (from !== last) last = sources[sources.length] = from;
    sourceOf[count] = sources.length - 1;
    starts[count] = start;
    return count++;
  };
  const putOne = (name: string, given: HowSection, from: Uint8Array, start: number, size: number): number => {
    const how = wholly(given);
    return put(names.fixed(name), how, how.info, how.align, from, start, size);
  };
  return {
    names() {
      nameTable = putOne(".shstrtab", { type: SHT.STRTAB, align: 1 }, NOTHING, 0, 0);
    },
    bytes: (name, how, from, start = 0, size = from.length) => putOne(name, how, from, start, size),
    noBytes: (name, how, size) => putOne(name, how, NOTHING, -1, size),
    perFunction(prefix, given) {
      const nameOf = names.prefixed(prefix);
      const how = wholly(given);
      return (name, info, from, start, size, align = how.align) =>
        put(nameOf(name), how, info, align, from, start, size);
    },
    finish(runs = []) {
      sourceOf[nameTable] = sources.push(bytesOfGrowing(names.strings)) - 1;
      headers[WORDS * nameTable + SIZE] = names.strings.length;
      const shoff = alignUp(placeSections(headers, starts, count), 8);
      const phoff = shoff + 4 * WORDS * count;
      if (phoff >= 2 ** 31) unsupported("an output of 2 GiB or more");
      const segments = type === "executable" ? segmentsOf(runs, phoff, headers, starts) : NOTHING;
      const flags = currentFlags(target.sm, addressSize);
      const header = fileHeader({ type, flags, shoff, phoff, segments, count, nameTable });
      if (count >= SHN.LORESERVE) headers[SIZE] = count;
      return [
        header,
        ...sectionParts({ count, headers, sources, sourceOf, starts }, shoff),
        new Uint8Array(headers.buffer, 0, 4 * WORDS * count),
        segments,
      ];
    },
  };
}

/** One kind of value for all, whatever is given: the engine then reads them all alike. */
const wholly = ({ type, flags = 0, link = 0, info = 0, align, entsize = 0 }: HowSection): Required<HowSection> => ({
  type,
  flags,
  link,
  info,
  align,
  entsize,
});

/** Gives the sections their offsets in the file; where the last one ends. */
function placeSections(headers: Int32Array, starts: Int32Array, count: number): number {
  let end = ELF_HEADER_SIZE;
  for (let section = 1, at = WORDS; section < count; section++, at += WORDS) {
    const align = longAt(headers, at + ALIGN);
    // Sections without bytes are aligned too and move what follows, as in NVIDIA's files.
    if (align > 1) end = alignUp(end, Math.min(align, MAX_FILE_ALIGNMENT));
    headers[at + OFFSET] = end;
    if (starts[section]! >= 0) end += headers[at + SIZE]!;
  }
  return end;
}

/** What the file's parts are of: by section, bytes and where in them, -1 for none. */
interface Contents {
  readonly count: number;
  readonly headers: Int32Array;
  readonly sources: readonly Uint8Array[];
  readonly sourceOf: Int32Array;
  readonly starts: Int32Array;
}

/**
 * The sections' bytes up to `end` in the file. Sections that lie in one source as they lie in the file, with zeros between them,
 * are one part.
 */
function sectionParts({ count, headers, sources, sourceOf, starts }: Contents, end: number): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  let source: Uint8Array = NOTHING;
  let from = 0;
  let to = ELF_HEADER_SIZE;
  let length = 0;
  const begin = (next: number): void => {
    if (length > 0) parts.push(length === source.length ? source : source.subarray(from, from + length));
    if (next > to + length) parts.push(new Uint8Array(next - to - length));
    to = next;
  };
  for (let section = 1; section < count; section++) {
    const size = headers[WORDS * section + SIZE]!;
    const start = starts[section]!;
    if (size === 0 || start < 0) continue;
    const offset = headers[WORDS * section + OFFSET]!;
    const next = sources[sourceOf[section]!]!;
    if (next === source && offset - start === to - from && isZero(source, from + length, start)) {
      length = start + size - from;
      continue;
    }
    begin(offset);
    source = next;
    from = start;
    length = size;
  }
  begin(end);
  return parts;
}

/** Whether there are only zeros from `start` up to `end`, which are few, and which does not come first. */
function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  if (end < start || end - start >= MAX_FILE_ALIGNMENT) return false;
  let at = start;
  for (; at + 4 <= end; at += 4)
    if ((bytes[at]! | bytes[at + 1]! | bytes[at + 2]! | bytes[at + 3]!) !== 0) return false;
  for (; at < end; at++) if (bytes[at] !== 0) return false;
  return true;
}

interface Frame {
  readonly type: FileType;
  readonly flags: number;
  readonly shoff: number;
  readonly phoff: number;
  readonly segments: Uint8Array;
  readonly count: number;
  readonly nameTable: number;
}

function fileHeader({ type, flags, shoff, phoff, segments, count, nameTable }: Frame): Uint8Array {
  const writer = new ByteWriter(ELF_HEADER_SIZE);
  writeHeader(writer, {
    osabi: ELFOSABI.CUDA_V2,
    abiVersion: PTXKIT_ABI_VERSION,
    type: type === "executable" ? ET.EXEC : ET.REL,
    machine: EM.CUDA,
    version: 1,
    entry: 0n,
    flags,
    phoff: segments.length === 0 ? 0 : phoff,
    shoff,
    phentsize: PROGRAM_HEADER_SIZE,
    phnum: segments.length / PROGRAM_HEADER_SIZE,
    shentsize: 4 * WORDS,
    shnum: count >= SHN.LORESERVE ? 0 : count,
    shstrndx: nameTable,
  });
  return writer.finish();
}

/** The program headers: their table, each run of sections, and their table again (object/file/segments.ts). */
function segmentsOf(runs: readonly SegmentRun[], phoff: number, headers: Int32Array, starts: Int32Array): Uint8Array {
  const count = runs.length + 2;
  const writer = new ByteWriter(PROGRAM_HEADER_SIZE * count);
  const put = (type: number, flags: number, offset: number, fileSize: number, memorySize: number): void =>
    writeSegment(writer, {
      type,
      flags,
      offset,
      virtualAddress: 0n,
      physicalAddress: 0n,
      fileSize,
      memorySize,
      align: 8,
    });
  const table = PROGRAM_HEADER_SIZE * count;
  put(PT.PHDR, PF.R | PF.X, phoff, table, table);
  for (const [first, last, isWritable] of runs) {
    const offset = headers[WORDS * first + OFFSET]!;
    const size = headers[WORDS * last + OFFSET]! + (starts[last]! >= 0 ? headers[WORDS * last + SIZE]! : 0) - offset;
    const inMemory = size + missingBytes(headers, starts, first, last);
    put(PT.LOAD, isWritable ? PF.R | PF.W : PF.R | PF.X, offset, size, inMemory);
  }
  put(PT.LOAD, PF.R | PF.X, phoff, table, table);
  return writer.finish();
}

/** Bytes that sections of a run have in memory and not in the file. */
function missingBytes(headers: Int32Array, starts: Int32Array, first: number, last: number): number {
  let bytes = 0;
  for (let section = first; section <= last; section++)
    if (starts[section]! < 0) bytes += longAt(headers, WORDS * section + SIZE);
  return bytes;
}
