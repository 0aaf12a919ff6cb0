// Section headers (System V ABI, "Sections"), ELF64 little endian: reader and writer side by side.
// One binary-parser call reads the whole table (`readUntil: "eof"` over exactly the table's bytes): a call per record is
// several times slower. Sizes are checked before it is called.
import { Parser } from "binary-parser/dist/binary_parser.js";
import { malformed } from "../bytes/malformed.js";
import { safeNumber } from "../bytes/reader.js";
import type { ByteWriter } from "../bytes/writer.js";

/** Bytes of the record. */
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
  /** sh_size in bytes: in the file, or in memory only where the type has no file bytes */
  readonly size: number;
  /** sh_link, mostly a section index */
  readonly link: number;
  /** sh_info. For .text.* of a cubin: symbol index, and up to sm_89 the register count in the top byte. */
  readonly info: number;
  /** sh_addralign in bytes: 0 or a power of two */
  readonly addralign: number;
  /** sh_entsize in bytes, 0 when entries have no fixed size */
  readonly entsize: number;
}

interface SectionRecord {
  readonly nameOffset: number;
  readonly type: number;
  readonly flags: bigint;
  readonly address: bigint;
  readonly offset: bigint;
  readonly size: bigint;
  readonly link: number;
  readonly info: number;
  readonly addralign: bigint;
  readonly entsize: bigint;
}

const record = new Parser()
  .endianness("little")
  .uint32("nameOffset")
  .uint32("type")
  .uint64("flags")
  .uint64("address")
  .uint64("offset")
  .uint64("size")
  .uint32("link")
  .uint32("info")
  .uint64("addralign")
  .uint64("entsize");

const table = new Parser().array("records", { type: record, readUntil: "eof" });

/** Inside a decoder: the `count` section headers at `offset` of the file. The caller has checked that they fit. */
export function readSectionHeaders(bytes: Uint8Array, offset: number, count: number): readonly SectionHeader[] {
  const whole = table.parse(bytes.subarray(offset, offset + count * SECTION_HEADER_SIZE)) as {
    readonly records: readonly SectionRecord[];
  };
  return whole.records.map((raw, index) => {
    const at = offset + index * SECTION_HEADER_SIZE;
    const what = `section ${index}`;
    if ((raw.addralign & (raw.addralign - 1n)) !== 0n && raw.addralign !== 0n)
      malformed("out-of-range", at + 48, `${what}: alignment ${raw.addralign} is not a power of two`);
    return {
      ...raw,
      flags: safeNumber(raw.flags, at + 8, `${what}: sh_flags`),
      offset: safeNumber(raw.offset, at + 24, `${what}: sh_offset`),
      size: safeNumber(raw.size, at + 32, `${what}: sh_size`),
      addralign: safeNumber(raw.addralign, at + 48, `${what}: sh_addralign`),
      entsize: safeNumber(raw.entsize, at + 56, `${what}: sh_entsize`),
    };
  });
}

export function writeSectionHeader(writer: ByteWriter, header: SectionHeader): void {
  writer.u32(header.nameOffset);
  writer.u32(header.type);
  writer.u64(header.flags);
  writer.u64(header.address);
  writer.u64(header.offset);
  writer.u64(header.size);
  writer.u32(header.link);
  writer.u32(header.info);
  writer.u64(header.addralign);
  writer.u64(header.entsize);
}
