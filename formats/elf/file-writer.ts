// Writes an ELF64 little-endian file from its sections in order, without an object per section: section headers are words, and
// contents are ranges of arrays. Contents are never copied, so a large file is in memory only once. The order in the file is
// NVIDIA's: file header, sections in index order, section headers, program headers at the very end. The bytes depend only on what
// was added.
import { longAt, putLong } from "../bytes/long-words.js";
import { ByteWriter } from "../bytes/writer.js";
import { SHN } from "./constants.table.js";
import { ELF_HEADER_SIZE, writeHeader } from "./header.js";
import { SECTION_HEADER_SIZE } from "./section.js";
import { PROGRAM_HEADER_SIZE, writeSegment } from "./segment.js";

/** The header fields that sections of one kind share. */
export interface SectionKind {
  /** sh_type */
  readonly type: number;
  /** sh_flags */
  readonly flags: number;
  readonly link: number;
  readonly entsize: number;
}

/** The contents of a segment: a run of sections by index, both ends included, or the program header table itself. */
export type SegmentCover =
  { readonly kind: "sections"; readonly first: number; readonly last: number } | { readonly kind: "program-headers" };

export interface ElfSegmentSpec {
  readonly type: number;
  readonly flags: number;
  readonly align?: number;
  readonly covers: SegmentCover;
}

/** Properties of the whole file. */
export interface ElfFrame {
  readonly type: number;
  readonly machine: number;
  readonly osabi: number;
  readonly abiVersion: number;
  readonly flags: number;
  readonly entry?: bigint;
  readonly version?: number;
  /** Index of the section name table; 1 unless given, as in every cubin. */
  readonly sectionNameTable?: number;
  readonly segments?: readonly ElfSegmentSpec[];
}

/** As `start`: the section has a size in memory, but no bytes in the file. */
export const NO_BYTES = -1;

export interface ElfFileWriter {
  /** Adds a section whose contents are `size` bytes of `from`, beginning at `start`. Returns its index, from 1 on. */
  add(
    nameOffset: number,
    kind: SectionKind,
    info: number,
    align: number,
    from: Uint8Array,
    start: number,
    size: number,
  ): number;
  setAddress(section: number, address: bigint): void;
  /** Replaces the contents of a section: a name table is complete only when all sections have been added. */
  setContents(section: number, bytes: Uint8Array): void;
  /** The file in parts, which are ranges of the contents if possible. Throws RangeError for a file that cannot be written. */
  finish(frame: ElfFrame): readonly Uint8Array[];
}

/** ELF requires alignment in memory only. A variable aligned to a gigabyte must not cost a gigabyte of file. */
export const MAX_FILE_ALIGNMENT = 4096;

/** Words in a section header; indices of its fields. */
const WORDS = SECTION_HEADER_SIZE / 4;
const FIELD = {
  name: 0,
  type: 1,
  flags: 2,
  address: 4,
  offset: 6,
  size: 8,
  link: 10,
  info: 11,
  align: 12,
  entsize: 14,
} as const;

const NOTHING = new Uint8Array(0);

/** The sections, from index 0, the null section. */
interface SectionList {
  count: number;
  headers: Uint32Array<ArrayBuffer>;
  /** Start of each section's contents, and the index of their array in `sources`. */
  starts: Float64Array;
  sourceOf: Int32Array;
  readonly sources: Uint8Array[];
}

/** `expected`: the probable number of sections; more are allowed. */
export function createElfFileWriter(expected: number): ElfFileWriter {
  const capacity = Math.max(2, expected);
  const list: SectionList = {
    count: 1,
    headers: new Uint32Array(WORDS * capacity),
    starts: new Float64Array(capacity),
    sourceOf: new Int32Array(capacity),
    sources: [NOTHING],
  };
  return {
    add(nameOffset, kind, info, align, from, start, size) {
      const section = list.count;
      if (section === list.starts.length) grow(list);
      const { headers } = list;
      const at = WORDS * section;
      headers[at + FIELD.name] = nameOffset;
      headers[at + FIELD.type] = kind.type;
      headers[at + FIELD.flags] = kind.flags;
      putLong(headers, at + FIELD.size, size);
      headers[at + FIELD.link] = kind.link;
      headers[at + FIELD.info] = info;
      putLong(headers, at + FIELD.align, align);
      putLong(headers, at + FIELD.entsize, kind.entsize);
      list.starts[section] = start;
      list.sourceOf[section] = sourceIndex(list, from);
      return list.count++;
    },
    setAddress(section, address) {
      new DataView(list.headers.buffer).setBigUint64(4 * (WORDS * section + FIELD.address), address, true);
    },
    setContents(section, bytes) {
      list.sourceOf[section] = list.sources.push(bytes) - 1;
      list.starts[section] = 0;
      putLong(list.headers, WORDS * section + FIELD.size, bytes.length);
    },
    finish: (frame) => fileParts(list, frame),
  };
}

/** Neighbouring sections often have the same source. */
const sourceIndex = ({ sources }: SectionList, from: Uint8Array): number =>
  sources[sources.length - 1] === from ? sources.length - 1 : sources.push(from) - 1;

function grow(list: SectionList): void {
  const { headers, starts, sourceOf } = list;
  list.headers = new Uint32Array(2 * headers.length);
  list.headers.set(headers);
  list.starts = new Float64Array(2 * starts.length);
  list.starts.set(starts);
  list.sourceOf = new Int32Array(2 * sourceOf.length);
  list.sourceOf.set(sourceOf);
}

function fileParts(list: SectionList, frame: ElfFrame): readonly Uint8Array[] {
  const { count, headers } = list;
  const { sectionNameTable = 1, segments = [] } = frame;
  if (sectionNameTable >= count) throw new RangeError(`section name table ${sectionNameTable}: there are ${count - 1}`);
  const shoff = alignUp(placeSections(list), 8);
  const phoff = segments.length === 0 ? 0 : shoff + SECTION_HEADER_SIZE * count;
  putNullSection(headers, count, sectionNameTable, segments.length);
  return [
    fileHeader(frame, count, shoff, phoff),
    ...sectionParts(list, shoff),
    new Uint8Array(headers.buffer, 0, SECTION_HEADER_SIZE * count),
    ...(segments.length === 0 ? [] : [segmentTable(list, segments, phoff)]),
  ];
}

const isInFile = ({ starts }: SectionList, section: number): boolean => starts[section] !== NO_BYTES;
const offsetOf = ({ headers }: SectionList, section: number): number => longAt(headers, WORDS * section + FIELD.offset);
const sizeOf = ({ headers }: SectionList, section: number): number => longAt(headers, WORDS * section + FIELD.size);

/** Assigns file offsets to the sections. Returns the end of the last one. */
function placeSections(list: SectionList): number {
  const { headers, count } = list;
  let end = ELF_HEADER_SIZE;
  for (let section = 1, at = WORDS; section < count; section++, at += WORDS) {
    // Sections without bytes are aligned too and shift the following sections, as in NVIDIA's files.
    end = alignUp(end, Math.min(longAt(headers, at + FIELD.align), MAX_FILE_ALIGNMENT));
    putLong(headers, at + FIELD.offset, end);
    if (isInFile(list, section)) end += longAt(headers, at + FIELD.size);
  }
  return end;
}

/** Section 0 contains the counts that do not fit the file header's 16-bit fields. */
function putNullSection(headers: Uint32Array, sections: number, nameTable: number, segments: number): void {
  putLong(headers, FIELD.size, sections >= SHN.LORESERVE ? sections : 0);
  headers[FIELD.link] = nameTable >= SHN.LORESERVE ? nameTable : 0;
  headers[FIELD.info] = segments >= 0xffff ? segments : 0;
}

function fileHeader(frame: ElfFrame, count: number, shoff: number, phoff: number): Uint8Array {
  const { entry = 0n, version = 1, sectionNameTable = 1, segments = [] } = frame;
  const writer = new ByteWriter(ELF_HEADER_SIZE);
  writeHeader(writer, {
    osabi: frame.osabi,
    abiVersion: frame.abiVersion,
    type: frame.type,
    machine: frame.machine,
    version,
    entry,
    flags: frame.flags,
    phoff,
    shoff,
    phentsize: PROGRAM_HEADER_SIZE,
    phnum: Math.min(segments.length, 0xffff),
    shentsize: SECTION_HEADER_SIZE,
    shnum: count >= SHN.LORESERVE ? 0 : count,
    shstrndx: sectionNameTable >= SHN.LORESERVE ? SHN.XINDEX : sectionNameTable,
  });
  return writer.finish();
}

/**
 * The bytes of the sections up to the file offset `end`. Consecutive sections are one part if one source contains them at the
 * same distances, with zeros between them.
 */
function sectionParts(list: SectionList, end: number): readonly Uint8Array[] {
  const { count, sources, sourceOf, starts } = list;
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
    const size = sizeOf(list, section);
    if (size === 0 || !isInFile(list, section)) continue;
    const start = starts[section]!;
    const offset = offsetOf(list, section);
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

/** Whether `start` to `end` is a short range of zeros; false if `end` is before `start`. */
function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  if (end < start || end - start >= MAX_FILE_ALIGNMENT) return false;
  let at = start;
  for (; at + 4 <= end; at += 4)
    if ((bytes[at]! | bytes[at + 1]! | bytes[at + 2]! | bytes[at + 3]!) !== 0) return false;
  for (; at < end; at++) if (bytes[at] !== 0) return false;
  return true;
}

function segmentTable(list: SectionList, segments: readonly ElfSegmentSpec[], phoff: number): Uint8Array {
  const bytes = PROGRAM_HEADER_SIZE * segments.length;
  const writer = new ByteWriter(bytes);
  for (const { type, flags, align = 8, covers } of segments) {
    const extent =
      covers.kind === "program-headers"
        ? { offset: phoff, fileSize: bytes, memorySize: bytes }
        : extentOf(list, covers.first, covers.last);
    writeSegment(writer, { type, flags, virtualAddress: 0n, physicalAddress: 0n, align, ...extent });
  }
  return writer.finish();
}

/** The file range and memory size of a run of sections, both ends included. */
function extentOf(list: SectionList, first: number, last: number) {
  if (first < 1 || last < first || last >= list.count)
    throw new RangeError(`a segment over sections ${first} to ${last}: there are ${list.count - 1}`);
  const offset = offsetOf(list, first);
  const fileSize = offsetOf(list, last) + (isInFile(list, last) ? sizeOf(list, last) : 0) - offset;
  let memorySize = fileSize;
  for (let section = first; section <= last; section++)
    if (!isInFile(list, section)) memorySize += sizeOf(list, section);
  return { offset, fileSize, memorySize };
}

function alignUp(at: number, alignment: number): number {
  return alignment <= 1 ? at : Math.ceil(at / alignment) * alignment;
}
