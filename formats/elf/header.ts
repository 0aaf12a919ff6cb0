// The ELF file header (System V ABI, "ELF Header"), ELF64 little endian: reader and writer. The record is declared for
// binary-parser; its u64 fields arrive as bigint and are narrowed with a check. The identification bytes are checked by hand
// first, because binary-parser's errors have no offsets.
import { Parser } from "binary-parser/dist/binary_parser.js";
import { malformed } from "../bytes/malformed.js";
import { safeNumber } from "../bytes/reader.js";
import type { ByteWriter } from "../bytes/writer.js";

/** Size of the record in bytes. */
export const ELF_HEADER_SIZE = 64;

/** The record as stored in the file; extended numbering (counts in section header 0) is not resolved here. */
export interface RawHeader {
  readonly osabi: number;
  readonly abiVersion: number;
  /** e_type; see FILE_TYPES */
  readonly type: number;
  /** e_machine; see MACHINES */
  readonly machine: number;
  readonly version: number;
  /** Address where execution starts; bigint because host executables use all 64 bits. */
  readonly entry: bigint;
  /** e_flags; under EM_CUDA see formats/cuda */
  readonly flags: number;
  /** File offset in bytes of the program headers; 0 if there are none. */
  readonly phoff: number;
  /** File offset in bytes of the section headers; 0 if there are none. */
  readonly shoff: number;
  readonly phentsize: number;
  readonly phnum: number;
  readonly shentsize: number;
  readonly shnum: number;
  readonly shstrndx: number;
}

interface HeaderRecord extends Omit<RawHeader, "phoff" | "shoff"> {
  readonly phoff: bigint;
  readonly shoff: bigint;
}

const record = new Parser()
  .endianness("little")
  .seek(7)
  .uint8("osabi")
  .uint8("abiVersion")
  .seek(7)
  .uint16("type")
  .uint16("machine")
  .uint32("version")
  .uint64("entry")
  .uint64("phoff")
  .uint64("shoff")
  .uint32("flags")
  .uint16("ehsize")
  .uint16("phentsize")
  .uint16("phnum")
  .uint16("shentsize")
  .uint16("shnum")
  .uint16("shstrndx");

const MAGIC = [0x7f, 0x45, 0x4c, 0x46];
const CLASSES: Readonly<Record<number, string>> = { 1: "ELF32" };
const ENCODINGS: Readonly<Record<number, string>> = { 2: "big-endian" };

/** Whether the bytes begin with the ELF magic, of any class and byte order. */
export function looksLikeElf(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/** Inside a decoder: the header at the start of `bytes`. */
export function readHeader(bytes: Uint8Array): RawHeader {
  if (!looksLikeElf(bytes)) malformed("bad-magic", 0, "not an ELF file: the first four bytes are not 7f 45 4c 46");
  if (bytes.length < ELF_HEADER_SIZE)
    malformed(
      "truncated",
      bytes.length,
      `truncated ELF file: the header has ${ELF_HEADER_SIZE} bytes, the file ${bytes.length}`,
    );
  const [elfClass, encoding, identVersion] = [bytes[4]!, bytes[5]!, bytes[6]!];
  if (elfClass !== 2) refuse(4, CLASSES[elfClass], `EI_CLASS ${elfClass}`, "only ELF64 is read");
  if (encoding !== 1) refuse(5, ENCODINGS[encoding], `EI_DATA ${encoding}`, "only little-endian files are read");
  if (identVersion !== 1) malformed("unsupported", 6, `EI_VERSION ${identVersion}: only version 1 is known`);
  const raw = record.parse(bytes.subarray(0, ELF_HEADER_SIZE)) as HeaderRecord;
  return {
    ...raw,
    phoff: safeNumber(raw.phoff, 32, "e_phoff"),
    shoff: safeNumber(raw.shoff, 40, "e_shoff"),
  };
}

function refuse(offset: number, known: string | undefined, number: string, what: string): never {
  malformed(known === undefined ? "malformed" : "unsupported", offset, `${known ?? number} file: ${what}`);
}

export function writeHeader(writer: ByteWriter, header: RawHeader): void {
  for (const byte of MAGIC) writer.u8(byte);
  for (const byte of [2, 1, 1, header.osabi, header.abiVersion]) writer.u8(byte);
  writer.zeros(7);
  writer.u16(header.type);
  writer.u16(header.machine);
  writer.u32(header.version);
  writer.u64(header.entry);
  writer.u64(header.phoff);
  writer.u64(header.shoff);
  writer.u32(header.flags);
  writer.u16(ELF_HEADER_SIZE);
  writer.u16(header.phentsize);
  writer.u16(header.phnum);
  writer.u16(header.shentsize);
  writer.u16(header.shnum);
  writer.u16(header.shstrndx);
}
