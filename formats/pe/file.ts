// Reads an executable, DLL or object of Windows (PE, COFF; little endian) into one readonly value: the header, and the sections
// with their bytes. Microsoft, "PE Format". A section that reaches past the end is an error and keeps the existing bytes.
// Rejected: reading the symbols and relocations of all sections; only pointers to fatbins are followed (formats/fatbin).
import { decoding, malformed } from "../bytes/malformed.js";
import type { FormatError, Result } from "../bytes/result.js";
import { PE_FILE, PE_SECTION } from "./constants.table.js";
import {
  BIG_HEADER_SIZE,
  BIG_SYMBOL_SIZE,
  COFF_HEADER_SIZE,
  COFF_RELOCATION_SIZE,
  COFF_SYMBOL_SIZE,
  OPTIONAL_HEADER_SIZE,
  parseBigHeader,
  parseHeader,
  parseImageBase,
  parseRelocation,
  parseSection,
  PE_SECTION_HEADER_SIZE,
  type CoffHeader,
  type CoffRelocation,
  type RawPeSection,
} from "./header.js";
import { looksLikeBigCoff, looksLikeCoff, looksLikePe, peOffset } from "./magic.js";

export interface PeSection extends RawPeSection {
  /** Number of the section from 1, as in symbols. */
  readonly index: number;
  readonly name: string;
  /** File offset of the section's header. */
  readonly headerOffset: number;
  /** The bytes in the file, without the padding that images have. A view: do not write to it. */
  readonly data: Uint8Array;
}

export interface PeFile {
  readonly bytes: Uint8Array;
  readonly header: CoffHeader;
  readonly kind: "object" | "program" | "library";
  /** Whether pointers of an image have 64 bits (PE32+). */
  readonly isWide: boolean;
  /** ImageBase: the address to which sections' virtual addresses are relative; 0 in objects. */
  readonly imageBase: bigint;
  readonly sections: readonly PeSection[];
  /** The parts that could not be read. */
  readonly faults: readonly FormatError[];
}

const OPTIONAL_MAGIC: Readonly<Record<number, "narrow" | "wide">> = { 0x10b: "narrow", 0x20b: "wide" };

/** Limit of how many times sections may cover the file: many that each claim all of it would make every reader endless. */
const MAX_OVERLAP = 16;

/** Reads the headers of a file. Time and memory are linear in the number of sections. */
export function readPe(bytes: Uint8Array): Result<PeFile> {
  return decoding(() => {
    if (looksLikePe(bytes)) return readImage(bytes);
    if (!looksLikeCoff(bytes)) malformed("bad-magic", 0, "neither a PE file nor a COFF object");
    const isBig = looksLikeBigCoff(bytes);
    const size = isBig ? BIG_HEADER_SIZE : COFF_HEADER_SIZE;
    const head = take(bytes, 0, size, "COFF header");
    const header = isBig ? parseBigHeader(head) : parseHeader(head);
    const { sections, faults } = readSections(bytes, header, size, isBig ? BIG_SYMBOL_SIZE : COFF_SYMBOL_SIZE, false);
    return { bytes, header, kind: "object", isWide: true, imageBase: 0n, sections, faults };
  });
}

function readImage(bytes: Uint8Array): PeFile {
  const start = peOffset(bytes) + 4;
  const header = parseHeader(take(bytes, start, COFF_HEADER_SIZE, "PE header"));
  const optional = start + COFF_HEADER_SIZE;
  const needed = Math.max(OPTIONAL_HEADER_SIZE, header.optionalHeaderSize);
  const head = take(bytes, optional, needed, "optional header of the PE file");
  const magic = head[0]! + head[1]! * 256;
  const width = OPTIONAL_MAGIC[magic];
  if (width === undefined)
    malformed("unsupported", optional, `optional header of kind 0x${magic.toString(16)}: PE32 and PE32+ are read`);
  const isWide = width === "wide";
  const table = optional + header.optionalHeaderSize;
  return {
    bytes,
    header,
    kind: (header.characteristics & PE_FILE.DLL) === 0 ? "program" : "library",
    isWide,
    imageBase: parseImageBase(head.subarray(0, OPTIONAL_HEADER_SIZE), isWide),
    ...readSections(bytes, header, table, COFF_SYMBOL_SIZE, true),
  };
}

function readSections(
  bytes: Uint8Array,
  header: CoffHeader,
  table: number,
  symbolSize: number,
  isImage: boolean,
): Pick<PeFile, "sections" | "faults"> {
  const { sectionCount, symbolOffset, symbolCount } = header;
  const faults: FormatError[] = [];
  take(bytes, table, sectionCount * PE_SECTION_HEADER_SIZE, `${sectionCount} section headers`);
  const strings = symbolOffset === 0 ? undefined : symbolOffset + symbolCount * symbolSize;
  let left = MAX_OVERLAP * bytes.length;
  const sections = Array.from({ length: sectionCount }, (_, i): PeSection => {
    const headerOffset = table + i * PE_SECTION_HEADER_SIZE;
    const raw = parseSection(bytes.subarray(headerOffset, headerOffset + PE_SECTION_HEADER_SIZE));
    const name = nameOf(bytes, headerOffset, strings);
    const size = storedSize(raw, isImage);
    const there = Math.max(0, Math.min(size, bytes.length - raw.offset));
    if (there < size)
      faults.push({
        code: "truncated",
        offset: headerOffset + 16,
        what: `section ${i + 1} (${name}): ${size} bytes at ${raw.offset} reach past the end of ${bytes.length} bytes`,
      });
    left -= there;
    if (left < 0)
      malformed("limit", headerOffset, `section ${i + 1}: the sections overlap to ${MAX_OVERLAP} times the file`);
    return { ...raw, index: i + 1, name, headerOffset, data: bytes.subarray(raw.offset, raw.offset + there) };
  });
  return { sections, faults };
}

/** Meaningful bytes in the file: images pad sections to the file alignment. */
function storedSize({ size, offset, virtualSize, characteristics }: RawPeSection, isImage: boolean): number {
  if (offset === 0 || (characteristics & PE_SECTION.CNT_UNINITIALIZED_DATA) !== 0) return 0;
  return isImage && virtualSize !== 0 ? Math.min(size, virtualSize) : size;
}

const utf8 = new TextDecoder();

/** The longest path on any system. It bounds the work on a string table without NUL bytes. */
const MAX_NAME_BYTES = 4096;

/** A name of up to eight bytes, or an offset in the string table: "/5" in decimal digits, "//AAAAAA" in base 64. */
function nameOf(bytes: Uint8Array, at: number, strings: number | undefined): string {
  const short = untilNul(bytes.subarray(at, at + 8));
  const long = /^\/(?:(\d{1,7})|\/([A-Za-z0-9+/]{6}))$/.exec(short);
  if (long === null || strings === undefined) return short;
  const place = strings + (long[1] === undefined ? base64Number(long[2]!) : Number(long[1]));
  return place < bytes.length ? untilNul(bytes.subarray(place, place + MAX_NAME_BYTES)) : short;
}

function untilNul(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const base64Number = (digits: string): number =>
  [...digits].reduce((sum, digit) => 64 * sum + BASE64.indexOf(digit), 0);

/** Inside a decoder: `size` bytes at `offset`. */
function take(bytes: Uint8Array, offset: number, size: number, what: string): Uint8Array {
  if (offset > bytes.length || size > bytes.length - offset)
    malformed("truncated", offset, `${what}: ${size} bytes at ${offset} reach past the end of ${bytes.length} bytes`);
  return bytes.subarray(offset, offset + size);
}

/** The relocations of an object's section; a table that reaches past the file is cut. */
export function coffRelocations({ bytes }: PeFile, section: PeSection): readonly CoffRelocation[] {
  const { relocationOffset, relocationCount } = section;
  const fitting = Math.floor(Math.max(0, bytes.length - relocationOffset) / COFF_RELOCATION_SIZE);
  return Array.from({ length: Math.min(relocationCount, fitting) }, (_, i) => {
    const at = relocationOffset + i * COFF_RELOCATION_SIZE;
    return parseRelocation(bytes.subarray(at, at + COFF_RELOCATION_SIZE));
  });
}

/** File offset at which a symbol of an object is defined; undefined if it is in no section. */
export function coffSymbolOffset(file: PeFile, index: number): number | undefined {
  const isBig = looksLikeBigCoff(file.bytes);
  const at = file.header.symbolOffset + index * (isBig ? BIG_SYMBOL_SIZE : COFF_SYMBOL_SIZE);
  if (index >= file.header.symbolCount || at + COFF_SYMBOL_SIZE > file.bytes.length) return undefined;
  const record = new DataView(file.bytes.buffer, file.bytes.byteOffset + at);
  const number = isBig ? record.getInt32(12, true) : record.getInt16(12, true);
  const section = file.sections[number - 1];
  return section === undefined ? undefined : section.offset + record.getUint32(8, true);
}
