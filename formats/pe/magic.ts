// Detects Windows files by their first bytes. Separate from the reader, because every command detects formats and few read these.

import { hasMagic, magicBytes } from "../bytes/magic.js";

const DOS_MAGIC = magicBytes("MZ");
const PE_MAGIC = magicBytes("PE\0\0");
/** Offset of e_lfanew, the field of the DOS header with the offset of the PE header. */
const PE_OFFSET_AT = 0x3c;
/** Bytes of the COFF file header. */
const COFF_HEADER_SIZE = 20;

/** IMAGE_FILE_MACHINE_* of objects that are recognised without a magic: x86-64, Arm64, 80386. */
const OBJECT_MACHINES = [magicBytes("\x64\x86"), magicBytes("\x64\xaa"), magicBytes("\x4c\x01")];

/** ANON_OBJECT_HEADER_BIGOBJ: its first words, and the class ID at byte 12. */
const BIG_MAGIC = magicBytes("\0\0\xff\xff");
const BIG_CLASS = magicBytes("\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8");
const BIG_CLASS_AT = 12;

/** Limit of the DOS stub in bytes. In text files and DOS programs, the field contains arbitrary bytes. */
const MAX_STUB_BYTES = 2 ** 16;

/** Whether it is an executable or DLL of Windows, even if truncated before its PE header; a DOS program is not. */
export function looksLikePe(bytes: Uint8Array): boolean {
  if (!hasMagic(bytes, DOS_MAGIC) || bytes.length < PE_OFFSET_AT + 4) return false;
  const offset = peOffset(bytes);
  return hasMagic(bytes, PE_MAGIC, offset) || (offset + PE_MAGIC.length > bytes.length && offset < MAX_STUB_BYTES);
}

/** File offset of "PE\0\0". The caller has checked the DOS header. */
export function peOffset(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(PE_OFFSET_AT, true);
}

/** Whether it is an object with more than 65,279 sections, or compiled with /bigobj. */
export function looksLikeBigCoff(bytes: Uint8Array): boolean {
  return hasMagic(bytes, BIG_MAGIC) && hasMagic(bytes, BIG_CLASS, BIG_CLASS_AT);
}

/** Whether it is a COFF object. These have no magic: a known machine and the absence of an optional header decide. */
export function looksLikeCoff(bytes: Uint8Array): boolean {
  if (looksLikeBigCoff(bytes)) return true;
  if (bytes.length < COFF_HEADER_SIZE || !OBJECT_MACHINES.some((machine) => hasMagic(bytes, machine))) return false;
  return bytes[16] === 0 && bytes[17] === 0;
}
