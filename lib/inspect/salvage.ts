// Reads as much as possible of an ELF file that readElf rejects: the file header, and every section header inside the file. A
// section outside the file stays in the list without bytes; unreadable names are empty. Only inspection of damaged files uses
// this: the linker and the engines never do.

import { decoding } from "../../formats/bytes/malformed.js";
import { hasFileBytes, type ElfFile, type ElfSection } from "../../formats/elf/index.js";
import { headerOf } from "../../formats/elf/file.js";
import { readHeader, type RawHeader } from "../../formats/elf/header.js";
import {
  NULL_SECTION,
  readSectionHeaders,
  SECTION_HEADER_SIZE,
  type SectionHeader,
} from "../../formats/elf/section.js";
import { stringTable } from "../../formats/elf/strings.js";

/** Sections may overlap; the sum of their sizes is limited to this many times the file's size. */
const MAX_OVERLAP = 4;
/** Longer section names are omitted. */
const MAX_NAME = 1024;

/** The readable part of the file; undefined if its header is unreadable. */
export function salvageElf(bytes: Uint8Array): ElfFile | undefined {
  const header = decoding(() => readHeader(bytes));
  if (!header.ok) return undefined;
  const raw = header.value;
  return {
    bytes,
    header: headerOf(raw, raw.shstrndx),
    sections: nameSections(bytes, raw, sectionHeaders(bytes, raw)),
    segments: [],
  };
}

/** The section headers inside the file, read one by one, so that an invalid value in one affects only that section. */
function sectionHeaders(
  bytes: Uint8Array,
  { shoff, shentsize, shnum }: RawHeader,
): readonly (SectionHeader | undefined)[] {
  if (shoff === 0 || shentsize !== SECTION_HEADER_SIZE || shoff > bytes.length) return [];
  const count = Math.min(shnum, Math.floor((bytes.length - shoff) / SECTION_HEADER_SIZE));
  return Array.from({ length: count }, (_, index) => {
    const one = decoding(() => readSectionHeaders(bytes, shoff + index * SECTION_HEADER_SIZE, 1));
    return one.ok ? one.value[0] : undefined;
  });
}

function nameSections(
  bytes: Uint8Array,
  raw: RawHeader,
  headers: readonly (SectionHeader | undefined)[],
): readonly ElfSection[] {
  const none = bytes.subarray(0, 0);
  let left = MAX_OVERLAP * bytes.length;
  const data = headers.map((section) => {
    if (section === undefined || !hasFileBytes(raw.machine, section.type)) return none;
    const { offset, size } = section;
    if (offset > bytes.length || size > bytes.length - offset || size > left) return none;
    left -= size;
    return bytes.subarray(offset, offset + size);
  });
  const names = stringTable(data[raw.shstrndx] ?? none);
  const nameAt = (offset: number): string =>
    offset !== 0 && (names.lengthAt(offset) ?? MAX_NAME) < MAX_NAME ? (names.at(offset) ?? "") : "";
  return headers.map((section, index) => ({
    ...(section ?? NULL_SECTION),
    index,
    name: nameAt(section?.nameOffset ?? 0),
    headerOffset: raw.shoff + index * SECTION_HEADER_SIZE,
    data: data[index]!,
  }));
}
