// An ELF64 little-endian file of any machine as one readonly value: header, sections with their bytes, segments. System V ABI,
// "Object Files", with its extended numbering (section header 0 contains counts that do not fit 16 bits). Accepted because real
// cubins contain them: sections that overlap in the file, section types whose sh_size counts no bytes of the file (hasFileBytes),
// sh_link and sh_info values that are not section indices. Tables inside sections are read on demand (symbol.ts, relocation.ts,
// note.ts). Nothing is copied: `data` are views on the input.
import { decoding, malformed } from "../bytes/malformed.js";
import type { Result } from "../bytes/result.js";
import { hasFileBytes, SHN, SHT } from "./constants.table.js";
import { readHeader, type RawHeader } from "./header.js";
import { readSectionHeaders, SECTION_HEADER_SIZE, type SectionHeader } from "./section.js";
import { PROGRAM_HEADER_SIZE, readSegments, type ElfSegment } from "./segment.js";
import { checkNames, stringTable, type StringTable } from "./strings.js";

export interface ElfHeader {
  readonly osabi: number;
  readonly abiVersion: number;
  readonly type: number;
  readonly machine: number;
  readonly version: number;
  readonly entry: bigint;
  readonly flags: number;
  /** File offsets in bytes; 0 if the table is absent. */
  readonly programHeaderOffset: number;
  readonly sectionHeaderOffset: number;
  /** Index of the section with the section names; 0 if there is none. */
  readonly sectionNameTable: number;
}

/** The header with the raw header's fields by name. The name table's index may come from section 0 instead of e_shstrndx. */
export function headerOf(raw: RawHeader, sectionNameTable: number): ElfHeader {
  const { osabi, abiVersion, type, machine, version, entry, flags } = raw;
  return {
    osabi,
    abiVersion,
    type,
    machine,
    version,
    entry,
    flags,
    programHeaderOffset: raw.phoff,
    sectionHeaderOffset: raw.shoff,
    sectionNameTable,
  };
}

export interface ElfSection extends SectionHeader {
  /** Position in the section header table. */
  readonly index: number;
  readonly name: string;
  /** File offset of the section's header, for messages. */
  readonly headerOffset: number;
  /** The bytes in the file; empty for types without file bytes. A view: do not write to it. */
  readonly data: Uint8Array;
}

export interface ElfFile {
  readonly bytes: Uint8Array;
  readonly header: ElfHeader;
  readonly sections: readonly ElfSection[];
  readonly segments: readonly ElfSegment[];
}

/** Reads the headers of a file. Time and memory are linear in `bytes.length`. */
export function readElf(bytes: Uint8Array): Result<ElfFile> {
  return decoding(() => {
    const raw = readHeader(bytes);
    const zeroth = zerothSection(bytes, raw);
    const sectionCount = raw.shnum === 0 ? (zeroth?.size ?? 0) : raw.shnum;
    const segmentCount = raw.phnum === 0xffff ? (zeroth?.info ?? 0) : raw.phnum;
    const sectionNameTable = raw.shstrndx === SHN.XINDEX ? (zeroth?.link ?? 0) : raw.shstrndx;
    const headers = raw.shoff === 0 ? [] : readSections(bytes, raw, sectionCount);
    if (sectionNameTable !== 0 && sectionNameTable >= headers.length)
      malformed("out-of-range", 62, `e_shstrndx ${sectionNameTable}: there are ${headers.length} sections`);
    const header = headerOf(raw, sectionNameTable);
    const sections = nameSections(bytes, header, headers);
    return { bytes, header, sections, segments: readProgramHeaders(bytes, raw, segmentCount) };
  });
}

/** Section header 0, which contains the counts that do not fit the file header; undefined if there is no section header. */
function zerothSection(bytes: Uint8Array, raw: RawHeader): SectionHeader | undefined {
  const extended = raw.shnum === 0 || raw.phnum === 0xffff || raw.shstrndx === SHN.XINDEX;
  return extended && raw.shoff !== 0 ? readSections(bytes, raw, 1)[0] : undefined;
}

function readSections(bytes: Uint8Array, raw: RawHeader, count: number): readonly SectionHeader[] {
  checkTable(bytes, raw.shoff, raw.shentsize, count, SECTION_HEADER_SIZE, 58, "section headers");
  return readSectionHeaders(bytes, raw.shoff, count);
}

function readProgramHeaders(bytes: Uint8Array, raw: RawHeader, count: number): readonly ElfSegment[] {
  if (raw.phoff === 0 || count === 0) return [];
  checkTable(bytes, raw.phoff, raw.phentsize, count, PROGRAM_HEADER_SIZE, 54, "program headers");
  return readSegments(bytes, raw.phoff, count);
}

function checkTable(
  bytes: Uint8Array,
  offset: number,
  entrySize: number,
  count: number,
  recordSize: number,
  entrySizeOffset: number,
  what: string,
): void {
  if (count > 0 && entrySize !== recordSize)
    malformed("unsupported", entrySizeOffset, `${what} of ${entrySize} bytes each: ${recordSize} are read`);
  if (offset > bytes.length || count > (bytes.length - offset) / recordSize)
    malformed(
      "truncated",
      offset,
      `truncated ELF file: ${count} ${what} at ${offset} extend past the end at ${bytes.length}`,
    );
}

/**
 * Limit of how many times the sections of a file may cover it. Real files cover it twice (on sm_100, sections share bytes).
 * Without a limit, a hundred thousand sections could each claim the whole file, and reading all of them would never end.
 */
const MAX_OVERLAP = 16;

function nameSections(bytes: Uint8Array, header: ElfHeader, headers: readonly SectionHeader[]): readonly ElfSection[] {
  const headerOffset = (index: number) => header.sectionHeaderOffset + index * SECTION_HEADER_SIZE;
  let left = MAX_OVERLAP * bytes.length;
  const data = headers.map((section, index) => {
    if (!hasFileBytes(header.machine, section.type)) return bytes.subarray(0, 0);
    if (section.offset > bytes.length || section.size > bytes.length - section.offset)
      malformed(
        "truncated",
        headerOffset(index),
        `section ${index}: ${section.size} bytes at ${section.offset} reach past the end of ${bytes.length} bytes`,
      );
    left -= section.size;
    if (left < 0)
      malformed(
        "limit",
        headerOffset(index),
        `section ${index}: the sections overlap to ${MAX_OVERLAP} times the file`,
      );
    return bytes.subarray(section.offset, section.offset + section.size);
  });
  const names = stringTable(data[header.sectionNameTable] ?? bytes.subarray(0, 0));
  const nameOffsets = new Uint32Array(headers.length);
  headers.forEach((section, index) => (nameOffsets[index] = section.nameOffset));
  if (header.sectionNameTable !== 0)
    checkNames(names, nameOffsets, headers.length * SECTION_HEADER_SIZE, headerOffset, "section");
  // Copy field by field: spreading `section` took a third of the time of reading a file.
  return headers.map((section, index) => ({
    index,
    name: section.nameOffset === 0 ? "" : (names.at(section.nameOffset) ?? ""),
    nameOffset: section.nameOffset,
    type: section.type,
    flags: section.flags,
    address: section.address,
    offset: section.offset,
    size: section.size,
    link: section.link,
    info: section.info,
    addralign: section.addralign,
    entsize: section.entsize,
    headerOffset: headerOffset(index),
    data: data[index]!,
  }));
}

/** The string table in section `index`, for readers of tables that name it in sh_link. */
export function linkedStrings(file: ElfFile, section: ElfSection): StringTable {
  const strings = file.sections[section.link];
  if (strings === undefined || strings.type !== SHT.STRTAB)
    malformed(
      "out-of-range",
      section.headerOffset + 40,
      `section ${section.index} (${section.name}): sh_link ${section.link} is not a string table`,
    );
  return stringTable(strings.data);
}

/** The string at `offset` of the string table in section `index`. */
export function stringAt(file: ElfFile, index: number, offset: number): Result<string> {
  return decoding(() => {
    const section = file.sections[index];
    if (section === undefined || section.type !== SHT.STRTAB)
      malformed("out-of-range", 0, `section ${index} is not a string table`);
    // Reading one string needs no index of the table.
    const end = offset > section.data.length ? -1 : section.data.indexOf(0, offset);
    if (end < 0) malformed("out-of-range", section.offset, `${section.name}: no string ends after offset ${offset}`);
    return new TextDecoder().decode(section.data.subarray(offset, end));
  });
}

/** The first section with this name. Names are not unique: static functions of two modules share one. */
export function sectionNamed(file: ElfFile, name: string): ElfSection | undefined {
  return file.sections.find((section) => section.name === name);
}
