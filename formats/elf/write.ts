// Writes an ELF64 little-endian file from its parts. The order in the file is NVIDIA's: file header, sections in index
// order, section headers, program headers at the very end. Output is a function of the spec alone.
// A spec that cannot be written is a defect of the caller and throws RangeError.
import { ByteWriter } from "../bytes/writer.js";
import { SHN } from "./constants.table.js";
import { ELF_HEADER_SIZE, writeHeader } from "./header.js";
import { NULL_SECTION, SECTION_HEADER_SIZE, writeSectionHeader, type WrittenSection } from "./section.js";
import { PROGRAM_HEADER_SIZE, writeSegment, type ElfSegment } from "./segment.js";
import { stringTable, stringTableBuilder, type StringTableBuilder } from "./strings.js";

/** What a section is made of. */
export type SectionContents =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** A size in memory without bytes in the file. */
  | { readonly kind: "no-bytes"; readonly size: number }
  /** The names of all sections: this is the section name table, and the writer fills it. */
  | { readonly kind: "section-names" };

export interface ElfSectionSpec {
  readonly name: string;
  readonly type: number;
  readonly flags?: number;
  readonly address?: bigint;
  readonly link?: number;
  readonly info?: number;
  readonly addralign?: number;
  readonly entsize?: number;
  readonly contents: SectionContents;
}

/** What a segment covers: a run of sections by index, both ends included, or the program header table itself. */
export type SegmentCover =
  { readonly kind: "sections"; readonly first: number; readonly last: number } | { readonly kind: "program-headers" };

export interface ElfSegmentSpec {
  readonly type: number;
  readonly flags: number;
  readonly align?: number;
  readonly covers: SegmentCover;
}

export interface ElfSpec {
  readonly type: number;
  readonly machine: number;
  readonly osabi: number;
  readonly abiVersion: number;
  readonly flags: number;
  readonly entry?: bigint;
  readonly version?: number;
  /** Index of the section name table; 1 unless said, as in every cubin. */
  readonly sectionNameTable?: number;
  /** Sections from index 1 on: `sections[0]` is section 1. The null section is added. */
  readonly sections: readonly ElfSectionSpec[];
  readonly segments?: readonly ElfSegmentSpec[];
}

interface Placed {
  readonly header: WrittenSection;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** ELF asks for alignment in memory only. A variable aligned to a gigabyte must not cost a gigabyte of file. */
const MAX_FILE_ALIGNMENT = 4096;

/** `builder`: memory for the names of sections, where many files are written. */
export function writeElf(spec: ElfSpec, builder: StringTableBuilder = stringTableBuilder()): Uint8Array {
  const nameTable = spec.sectionNameTable ?? 1;
  const segments = spec.segments ?? [];
  const count = spec.sections.length + 1;
  const placed = placeSections(spec, nameTable, builder);
  let end = ELF_HEADER_SIZE;
  for (const { header, bytes } of placed) end = Math.max(end, header.offset + bytes.length);
  const shoff = alignUp(end, 8);
  const phoff = segments.length === 0 ? 0 : shoff + count * SECTION_HEADER_SIZE;
  const zeroth: WrittenSection = {
    ...NULL_SECTION,
    size: count >= SHN.LORESERVE ? count : 0,
    link: nameTable >= SHN.LORESERVE ? nameTable : 0,
    info: segments.length >= 0xffff ? segments.length : 0,
  };

  const writer = new ByteWriter(shoff + count * SECTION_HEADER_SIZE + segments.length * PROGRAM_HEADER_SIZE);
  writeHeader(writer, {
    osabi: spec.osabi,
    abiVersion: spec.abiVersion,
    type: spec.type,
    machine: spec.machine,
    version: spec.version ?? 1,
    entry: spec.entry ?? 0n,
    flags: spec.flags,
    phoff,
    shoff,
    phentsize: PROGRAM_HEADER_SIZE,
    phnum: Math.min(segments.length, 0xffff),
    shentsize: SECTION_HEADER_SIZE,
    shnum: count >= SHN.LORESERVE ? 0 : count,
    shstrndx: nameTable >= SHN.LORESERVE ? SHN.XINDEX : nameTable,
  });
  for (const { header, bytes } of placed) {
    if (bytes.length === 0) continue;
    writer.zeros(header.offset - writer.length);
    writer.put(bytes);
  }
  writer.zeros(shoff - writer.length);
  writeSectionHeader(writer, zeroth);
  for (const { header } of placed) writeSectionHeader(writer, header);
  for (const segment of segments) writeSegment(writer, placeSegment(segment, placed, phoff, segments.length));
  return writer.finish();
}

function placeSections(spec: ElfSpec, nameTable: number, builder: StringTableBuilder): readonly Placed[] {
  const names = sectionNames(spec, nameTable, builder);
  let at = ELF_HEADER_SIZE;
  return spec.sections.map((section, i) => {
    const bytes = contentBytes(section.contents, names.bytes);
    // Sections without bytes are aligned too and move what follows, as in NVIDIA's files.
    const offset = alignUp(at, Math.min(section.addralign ?? 1, MAX_FILE_ALIGNMENT));
    at = offset + bytes.length;
    const header: WrittenSection = {
      nameOffset: names.offsets[i]!,
      type: section.type,
      flags: section.flags ?? 0,
      address: section.address ?? 0,
      offset,
      size: section.contents.kind === "no-bytes" ? section.contents.size : bytes.length,
      link: section.link ?? 0,
      info: section.info ?? 0,
      addralign: section.addralign ?? 1,
      entsize: section.entsize ?? 0,
    };
    return { header, bytes };
  });
}

function contentBytes(contents: SectionContents, names: Uint8Array): Uint8Array {
  switch (contents.kind) {
    case "bytes":
      return contents.bytes;
    case "no-bytes":
      return NOTHING;
    case "section-names":
      return names;
  }
}

/** Where each section's name stands: in the table that is made here, or in one that was given whole. */
function sectionNames(
  spec: ElfSpec,
  nameTable: number,
  builder: StringTableBuilder,
): { readonly bytes: Uint8Array; readonly offsets: number[] } {
  const contents = spec.sections[nameTable - 1]?.contents;
  if (contents?.kind === "section-names") {
    builder.clear();
    const offsets = spec.sections.map((section) => builder.add(section.name));
    return { bytes: builder.bytes(), offsets };
  }
  if (contents?.kind !== "bytes") throw new RangeError(`section ${nameTable} holds no section names`);
  const offsets = offsetsIn(contents.bytes);
  return {
    bytes: contents.bytes,
    offsets: spec.sections.map(({ name }) => {
      const offset = offsets.get(name);
      if (offset === undefined) throw new RangeError(`the section name table given lacks ${JSON.stringify(name)}`);
      return offset;
    }),
  };
}

function offsetsIn(bytes: Uint8Array): ReadonlyMap<string, number> {
  const strings = stringTable(bytes);
  const offsets = new Map<string, number>();
  for (let at = 0, length; (length = strings.lengthAt(at)) !== undefined; at += length + 1) {
    const text = strings.at(at)!;
    if (!offsets.has(text)) offsets.set(text, at);
  }
  return offsets;
}

function placeSegment(spec: ElfSegmentSpec, placed: readonly Placed[], phoff: number, count: number): ElfSegment {
  const { offset, fileSize, memorySize } = extent(spec.covers, placed, phoff, count);
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

function extent(cover: SegmentCover, placed: readonly Placed[], phoff: number, count: number) {
  if (cover.kind === "program-headers") {
    const size = count * PROGRAM_HEADER_SIZE;
    return { offset: phoff, fileSize: size, memorySize: size };
  }
  const covered = placed.slice(cover.first - 1, cover.last);
  const [first, last] = [covered[0], covered.at(-1)];
  if (first === undefined || last === undefined || covered.length !== cover.last - cover.first + 1)
    throw new RangeError(`a segment over sections ${cover.first} to ${cover.last}: there are ${placed.length}`);
  const fileSize = last.header.offset + last.bytes.length - first.header.offset;
  const withoutBytes = covered.reduce((sum, { header, bytes }) => sum + header.size - bytes.length, 0);
  return { offset: first.header.offset, fileSize, memorySize: fileSize + withoutBytes };
}

function alignUp(at: number, alignment: number): number {
  return alignment <= 1 ? at : Math.ceil(at / alignment) * alignment;
}
