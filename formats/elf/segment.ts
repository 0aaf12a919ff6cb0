// Program headers (System V ABI, "Program Header"), ELF64 little endian: reader and writer. As with the file header,
// binary-parser reads exactly the table's bytes.
import { Parser } from "binary-parser/dist/binary_parser.js";
import { safeNumber } from "../bytes/reader.js";
import type { ByteWriter } from "../bytes/writer.js";

/** Size of the record in bytes. */
export const PROGRAM_HEADER_SIZE = 56;

export interface ElfSegment {
  /** p_type; see SEGMENT_TYPES */
  readonly type: number;
  /** p_flags; see SEGMENT_FLAGS */
  readonly flags: number;
  /** Bytes from the start of the file. The segment may reach beyond the file: check before slicing. */
  readonly offset: number;
  readonly virtualAddress: bigint;
  readonly physicalAddress: bigint;
  /** Bytes in the file. */
  readonly fileSize: number;
  /** Bytes in memory. In a cubin this is no layout, because shared memory is included. */
  readonly memorySize: number;
  readonly align: number;
}

interface SegmentRecord {
  readonly type: number;
  readonly flags: number;
  readonly offset: bigint;
  readonly virtualAddress: bigint;
  readonly physicalAddress: bigint;
  readonly fileSize: bigint;
  readonly memorySize: bigint;
  readonly align: bigint;
}

const record = new Parser()
  .endianness("little")
  .uint32("type")
  .uint32("flags")
  .uint64("offset")
  .uint64("virtualAddress")
  .uint64("physicalAddress")
  .uint64("fileSize")
  .uint64("memorySize")
  .uint64("align");

const table = new Parser().array("records", { type: record, readUntil: "eof" });

/** Inside a decoder: the `count` program headers at `offset` of the file. The caller has checked that they fit. */
export function readSegments(bytes: Uint8Array, offset: number, count: number): readonly ElfSegment[] {
  const whole = table.parse(bytes.subarray(offset, offset + count * PROGRAM_HEADER_SIZE)) as {
    readonly records: readonly SegmentRecord[];
  };
  return whole.records.map((raw, index) => {
    const at = offset + index * PROGRAM_HEADER_SIZE;
    const what = `program header ${index}`;
    return {
      ...raw,
      offset: safeNumber(raw.offset, at + 8, `${what}: p_offset`),
      fileSize: safeNumber(raw.fileSize, at + 32, `${what}: p_filesz`),
      memorySize: safeNumber(raw.memorySize, at + 40, `${what}: p_memsz`),
      align: safeNumber(raw.align, at + 48, `${what}: p_align`),
    };
  });
}

export function writeSegment(writer: ByteWriter, segment: ElfSegment): void {
  writer.u32(segment.type);
  writer.u32(segment.flags);
  writer.u64(segment.offset);
  writer.u64(segment.virtualAddress);
  writer.u64(segment.physicalAddress);
  writer.u64(segment.fileSize);
  writer.u64(segment.memorySize);
  writer.u64(segment.align);
}
