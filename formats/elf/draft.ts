// An ELF64 little-endian file on its way: sections are added in the order of the file, and what each holds is written when it is
// known, into memory that serves for the next file again. The order in the file is NVIDIA's: file header, sections in index
// order, section headers, program headers at the very end. The bytes are a function of what was added alone.
import { ByteWriter } from "../bytes/writer.js";
import { SHN } from "./constants.table.js";
import { ELF_HEADER_SIZE, writeHeader } from "./header.js";
import { HEADER_WORDS, NULL_SECTION, putSectionHeader, SECTION_HEADER_SIZE } from "./section.js";
import { PROGRAM_HEADER_SIZE, writeSegment, type ElfSegment } from "./segment.js";
import { stringTableBuilder, type StringTableBuilder } from "./strings.js";

/** The header fields that sections of one kind share. */
export interface SectionKind {
  /** sh_type */
  readonly type: number;
  /** sh_flags */
  readonly flags: number;
  /** sh_addralign in bytes */
  readonly addralign: number;
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
  /** Index of the section name table; 1 unless said, as in every cubin. */
  readonly sectionNameTable?: number;
  readonly segments?: readonly ElfSegmentSpec[];
}

export interface ElfDraft {
  /** Begins another file. */
  clear(): void;
  /** Adds a section that holds nothing yet. Returns its index, from 1 on. */
  add(name: string, kind: SectionKind, link?: number, info?: number, address?: bigint): number;
  /** Where the contents of a section are written; they end where those of the next begin. */
  fill(section: number): ByteWriter;
  /** Makes bytes that exist the contents of a section; they must not change before the file is finished. */
  take(section: number, bytes: Uint8Array): void;
  /** Of a section without bytes in the file: its size in memory. */
  setSize(section: number, size: number): void;
  /** The file. The section name table is filled here. Throws RangeError for what cannot be written. */
  finish(frame: ElfFrame): Uint8Array;
  /** The same in parts, each made when it is asked for, of a draft that does not change meanwhile. */
  parts(frame: ElfFrame): Iterable<Uint8Array>;
}

/** A section; bytes of the file but for `size`, which may be of memory. */
interface Section {
  readonly nameOffset: number;
  readonly kind: SectionKind;
  readonly link: number;
  readonly info: number;
  readonly address: bigint | number;
  /** Where its contents are: of `given`, or of what was written. */
  given: Uint8Array | undefined;
  start: number;
  fileSize: number;
  size: number;
  offset: number;
}

/** ELF asks for alignment in memory only. A variable aligned to a gigabyte must not cost a gigabyte of file. */
export const MAX_FILE_ALIGNMENT = 4096;

export function createElfDraft(names: StringTableBuilder = stringTableBuilder()): ElfDraft {
  const contents = new ByteWriter(1 << 13);
  const sections: Section[] = [];
  let open: Section | undefined;
  const at = (section: number): Section => {
    const found = sections[section - 1];
    if (found === undefined) throw new RangeError(`section ${section}: there are ${sections.length}`);
    return found;
  };
  const close = (): void => {
    if (open !== undefined) open.size = open.fileSize = contents.length - open.start;
    open = undefined;
  };
  const take = (section: number, bytes: Uint8Array): void => {
    const taking = at(section);
    taking.given = bytes;
    taking.size = taking.fileSize = bytes.length;
  };
  const complete = ({ sectionNameTable: nameTable = 1, segments = [], ...frame }: ElfFrame): Plan => {
    close();
    take(nameTable, names.bytes());
    const count = sections.length + 1;
    const shoff = alignUp(placeSections(sections), 8);
    const phoff = segments.length === 0 ? 0 : shoff + count * SECTION_HEADER_SIZE;
    return { frame, nameTable, segments, sections, contents, count, shoff, phoff };
  };
  return {
    clear() {
      names.clear();
      contents.clear();
      sections.length = 0;
      open = undefined;
    },
    add(name, kind, link = 0, info = 0, address) {
      return sections.push({
        nameOffset: names.add(name),
        kind,
        link,
        info,
        address: address ?? 0,
        given: undefined,
        start: 0,
        fileSize: 0,
        size: 0,
        offset: 0,
      });
    },
    fill(section) {
      close();
      open = at(section);
      open.start = contents.length;
      return contents;
    },
    take,
    setSize: (section, size) => void (at(section).size = size),
    finish: (frame) => joined(complete(frame)),
    parts: (frame) => partsOf(complete(frame)),
  };
}

/** A file of which everything has its place. */
interface Plan {
  readonly frame: ElfFrame;
  readonly nameTable: number;
  readonly segments: readonly ElfSegmentSpec[];
  readonly sections: readonly Section[];
  /** Their contents so far. */
  readonly contents: ByteWriter;
  /** Of sections, with the null section. */
  readonly count: number;
  readonly shoff: number;
  readonly phoff: number;
}

function joined(plan: Plan): Uint8Array {
  const { shoff, count, segments } = plan;
  const bytes = new Uint8Array(shoff + count * SECTION_HEADER_SIZE + segments.length * PROGRAM_HEADER_SIZE);
  let at = 0;
  for (const part of partsOf(plan)) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const ZEROS = new Uint8Array(MAX_FILE_ALIGNMENT);

function* partsOf(plan: Plan): Generator<Uint8Array, void, undefined> {
  const { sections, contents, segments, shoff } = plan;
  yield fileHeader(plan);
  let end = ELF_HEADER_SIZE;
  for (let i = 0; i < sections.length; i++) {
    const { offset, given, start, fileSize } = sections[i]!;
    if (fileSize === 0) continue;
    if (offset > end) yield ZEROS.subarray(0, offset - end);
    yield given ?? contents.view(start, start + fileSize);
    end = offset + fileSize;
  }
  if (shoff > end) yield ZEROS.subarray(0, shoff - end);
  yield sectionHeaders(plan);
  if (segments.length > 0) yield segmentTable(plan);
}

function fileHeader({ frame, nameTable, segments, count, shoff, phoff }: Plan): Uint8Array {
  const header = new ByteWriter(ELF_HEADER_SIZE);
  writeHeader(header, {
    osabi: frame.osabi,
    abiVersion: frame.abiVersion,
    type: frame.type,
    machine: frame.machine,
    version: frame.version ?? 1,
    entry: frame.entry ?? 0n,
    flags: frame.flags,
    phoff,
    shoff,
    phentsize: PROGRAM_HEADER_SIZE,
    phnum: Math.min(segments.length, 0xffff),
    shentsize: SECTION_HEADER_SIZE,
    shnum: count >= SHN.LORESERVE ? 0 : count,
    shstrndx: nameTable >= SHN.LORESERVE ? SHN.XINDEX : nameTable,
  });
  return header.finish();
}

function sectionHeaders({ sections, segments, nameTable, count }: Plan): Uint8Array {
  const headers = new Uint32Array(count * HEADER_WORDS);
  if (Math.max(count, nameTable, segments.length) >= SHN.LORESERVE)
    putNullSection(headers, count, nameTable, segments.length);
  putHeaders(headers, sections);
  return new Uint8Array(headers.buffer);
}

/** Section 0 holds the counts that do not fit the file header's 16-bit fields. */
function putNullSection(headers: Uint32Array, sections: number, nameTable: number, segments: number): void {
  putSectionHeader(headers, 0, {
    ...NULL_SECTION,
    size: sections >= SHN.LORESERVE ? sections : 0,
    link: nameTable >= SHN.LORESERVE ? nameTable : 0,
    info: segments >= 0xffff ? segments : 0,
  });
}

function putHeaders(headers: Uint32Array, sections: readonly Section[]): void {
  for (let i = 0; i < sections.length; i++) {
    const { nameOffset, kind, address, offset, size, link, info } = sections[i]!;
    const { type, flags, addralign, entsize } = kind;
    const header = { nameOffset, type, flags, address, offset, size, link, info, addralign, entsize };
    putSectionHeader(headers, i + 1, header);
  }
}

function segmentTable({ segments, sections, phoff }: Plan): Uint8Array {
  const writer = new ByteWriter(segments.length * PROGRAM_HEADER_SIZE);
  for (const segment of segments) writeSegment(writer, placeSegment(segment, sections, phoff, segments.length));
  return writer.finish();
}

/** Gives each section its offset. Returns where the last one ends. */
function placeSections(sections: readonly Section[]): number {
  let at = ELF_HEADER_SIZE;
  for (let i = 0; i < sections.length; i++) {
    const section = sections[i]!;
    // Sections without bytes are aligned too and move what follows, as in NVIDIA's files.
    section.offset = alignUp(at, Math.min(section.kind.addralign, MAX_FILE_ALIGNMENT));
    at = section.offset + section.fileSize;
  }
  return at;
}

function placeSegment(spec: ElfSegmentSpec, sections: readonly Section[], phoff: number, count: number): ElfSegment {
  const { offset, fileSize, memorySize } = extent(spec.covers, sections, phoff, count);
  return {
    type: spec.type,
    flags: spec.flags,
    offset,
    virtualAddress: 0n,
    physicalAddress: 0n,
    fileSize,
    memorySize,
    align: spec.align ?? 8,
  };
}

function extent(cover: SegmentCover, sections: readonly Section[], phoff: number, count: number) {
  if (cover.kind === "program-headers") {
    const size = count * PROGRAM_HEADER_SIZE;
    return { offset: phoff, fileSize: size, memorySize: size };
  }
  const covered = sections.slice(cover.first - 1, cover.last);
  const [first, last] = [covered[0], covered.at(-1)];
  if (first === undefined || last === undefined || covered.length !== cover.last - cover.first + 1)
    throw new RangeError(`a segment over sections ${cover.first} to ${cover.last}: there are ${sections.length}`);
  const fileSize = last.offset + last.fileSize - first.offset;
  const withoutBytes = covered.reduce((sum, section) => sum + section.size - section.fileSize, 0);
  return { offset: first.offset, fileSize, memorySize: fileSize + withoutBytes };
}

function alignUp(at: number, alignment: number): number {
  return alignment <= 1 ? at : Math.ceil(at / alignment) * alignment;
}
