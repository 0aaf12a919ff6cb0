// Section headers (System V ABI, "Sections"), ELF64 little endian; file-writer.ts writes them. The reader uses a DataView,
// because a link of a thousand objects reads 56,000 headers; binary-parser, which reads the program headers, creates a bigint for
// every 64-bit field.
import { malformed } from "../bytes/malformed.js";
import { safeNumber } from "../bytes/reader.js";

/** Size of the record in bytes. */
export const SECTION_HEADER_SIZE = 64;

export interface SectionHeader {
  /** Offset in bytes of the name in the section name table. */
  readonly nameOffset: number;
  /** sh_type; see SECTION_TYPES and, under EM_CUDA, CUDA_SECTION_TYPES */
  readonly type: number;
  /** sh_flags; see SECTION_FLAGS */
  readonly flags: number;
  /** sh_addr, a virtual address (0 in every cubin); bigint because host executables use all 64 bits. */
  readonly address: bigint;
  /** sh_offset: bytes from the start of the file */
  readonly offset: number;
  /** sh_size in bytes: in the file, or only in memory if the type has no file bytes */
  readonly size: number;
  /** sh_link, mostly a section index */
  readonly link: number;
  /** sh_info. For .text.* of a cubin: symbol index, and up to sm_89 the register count in the top byte. */
  readonly info: number;
  /** sh_addralign in bytes: 0 or a power of two */
  readonly addralign: number;
  /** sh_entsize in bytes; 0 if entries have no fixed size */
  readonly entsize: number;
}

/** The header of section 0, and the replacement for one that cannot be read. */
export const NULL_SECTION: SectionHeader = {
  nameOffset: 0,
  type: 0,
  flags: 0,
  address: 0n,
  offset: 0,
  size: 0,
  link: 0,
  info: 0,
  addralign: 0,
  entsize: 0,
};

/** Inside a decoder: the `count` section headers at `offset` of the file. The caller has checked that they fit. */
export function readSectionHeaders(bytes: Uint8Array, offset: number, count: number): readonly SectionHeader[] {
  const table = new DataView(bytes.buffer, bytes.byteOffset + offset, count * SECTION_HEADER_SIZE);
  const headers: SectionHeader[] = [];
  for (let index = 0; index < count; index++) headers.push(readSectionHeader(table, index, offset));
  return headers;
}

/** `base`: offset of the table in the file, for errors. */
function readSectionHeader(table: DataView, index: number, base: number): SectionHeader {
  const start = index * SECTION_HEADER_SIZE;
  if (!isPowerOfTwo(table.getUint32(start + 48, true), table.getUint32(start + 52, true)))
    malformed(
      "out-of-range",
      base + start + 48,
      `section ${index}: alignment ${table.getBigUint64(start + 48, true)} is not a power of two`,
    );
  return {
    nameOffset: table.getUint32(start, true),
    type: table.getUint32(start + 4, true),
    flags: size64(table, index, 8, base, "sh_flags"),
    address: table.getBigUint64(start + 16, true),
    offset: size64(table, index, 24, base, "sh_offset"),
    size: size64(table, index, 32, base, "sh_size"),
    link: table.getUint32(start + 40, true),
    info: table.getUint32(start + 44, true),
    addralign: size64(table, index, 48, base, "sh_addralign"),
    entsize: size64(table, index, 56, base, "sh_entsize"),
  };
}

/** The 64-bit field `at` bytes from the start of header `index`. */
function size64(table: DataView, index: number, at: number, base: number, field: string): number {
  const offset = index * SECTION_HEADER_SIZE + at;
  if (table.getUint32(offset + 4, true) === 0) return table.getUint32(offset, true);
  return safeNumber(table.getBigUint64(offset, true), base + offset, `section ${index}: ${field}`);
}

/** Whether the 64 bits of two words have at most one bit set. */
function isPowerOfTwo(low: number, high: number): boolean {
  return (low === 0 || high === 0) && (low & (low - 1)) === 0 && (high & (high - 1)) === 0;
}
