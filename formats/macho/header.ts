// The records of Mach-O (Apple, <mach-o/loader.h>, <mach-o/fat.h>): headers, load commands, sections. Declared for binary-parser;
// each is read from bytes of exactly its size, which file.ts has checked. Universal headers are big endian, the rest little.
import { Parser } from "binary-parser/dist/binary_parser.js";
import { safeNumber } from "../bytes/reader.js";

/** Size of each record in bytes. */
export const MACH_HEADER_SIZE = 32;
export const FAT_HEADER_SIZE = 8;
export const FAT_ARCH_SIZE = 20;
export const FAT_ARCH_64_SIZE = 32;
export const LOAD_COMMAND_SIZE = 8;
export const SEGMENT_SIZE = 72;
export const MACH_SECTION_SIZE = 80;

export interface MachHeader {
  readonly cpuType: number;
  readonly fileType: number;
  readonly commandCount: number;
  /** Bytes of all load commands. */
  readonly commandSize: number;
}

/** The file of one architecture in a universal file. */
export interface FatArch {
  readonly cpuType: number;
  readonly offset: number;
  readonly size: number;
}

export interface RawMachSection {
  readonly section: string;
  readonly segment: string;
  readonly address: bigint;
  readonly size: number;
  /** Bytes from the start of the architecture's file. */
  readonly offset: number;
  readonly flags: number;
}

const header = new Parser()
  .endianness("little")
  .seek(4)
  .uint32("cpuType")
  .seek(4)
  .uint32("fileType")
  .uint32("commandCount")
  .uint32("commandSize");

const arch = new Parser().endianness("big").uint32("cpuType").seek(4).uint32("offset").uint32("size");
const arch64 = new Parser().endianness("big").uint32("cpuType").seek(4).uint64("offset").uint64("size");
const fat = new Parser().endianness("big").seek(4).uint32("count");
const command = new Parser().endianness("little").uint32("command").uint32("size");
const segment = new Parser().endianness("little").seek(64).uint32("sectionCount");

const section = new Parser()
  .endianness("little")
  .string("section", { length: 16, stripNull: true })
  .string("segment", { length: 16, stripNull: true })
  .uint64("address")
  .uint64("size")
  .uint32("offset")
  .seek(12)
  .uint32("flags");

export const parseMachHeader = (bytes: Uint8Array): MachHeader => header.parse(bytes) as MachHeader;
export const parseFatCount = (bytes: Uint8Array): number => (fat.parse(bytes) as { readonly count: number }).count;

/** `at`: offset of the record in the file. */
export function parseFatArch(bytes: Uint8Array, isWide: boolean, at: number): FatArch {
  const raw = (isWide ? arch64 : arch).parse(bytes) as Record<keyof FatArch, number | bigint>;
  return {
    cpuType: Number(raw.cpuType),
    offset: safeNumber(BigInt(raw.offset), at + 8, "offset of a machine's file"),
    size: safeNumber(BigInt(raw.size), at + (isWide ? 16 : 12), "size of a machine's file"),
  };
}

export const parseCommand = (bytes: Uint8Array): { readonly command: number; readonly size: number } =>
  command.parse(bytes) as { readonly command: number; readonly size: number };

export const parseSectionCount = (bytes: Uint8Array): number =>
  (segment.parse(bytes) as { readonly sectionCount: number }).sectionCount;

/** `at`: offset of the record in the file. */
export function parseMachSection(bytes: Uint8Array, at: number): RawMachSection {
  const raw = section.parse(bytes) as Omit<RawMachSection, "size"> & { readonly size: bigint };
  return { ...raw, size: safeNumber(raw.size, at + 40, "size of a section") };
}
