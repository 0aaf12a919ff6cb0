// The numbers of a fatbin's entries, each found by making the entry with fatbinary or nvcc 13.0 and changing one option.
import { bitNames, constantsOf, namesOf, type NamedValue } from "../bytes/named.js";

const ENTRY_KINDS = [
  { value: 1, name: "ptx", doc: "PTX text, ended by zero bytes" },
  { value: 2, name: "cubin", doc: "machine code (SASS) in an ELF file" },
  { value: 8, name: "lto-ir", doc: "intermediate code of nvcc -dlto" },
] as const satisfies readonly NamedValue[];
export const ENTRY_KIND = constantsOf(ENTRY_KINDS, "");
export const entryKindName = namesOf(ENTRY_KINDS);

const ENTRY_FLAGS = [
  { value: 0x1, name: "64bit", doc: "addresses of 64 bits" },
  { value: 0x2, name: "debug", doc: "fatbinary -g" },
  { value: 0x10, name: "linux", doc: "for a Linux host" },
  { value: 0x2000, name: "lz4", doc: "the payload is an LZ4 block" },
  { value: 0x8000, name: "zstd", doc: "the payload is a Zstandard frame" },
  {
    value: 0x1_0000,
    name: "scrambled",
    doc: "on compressed LTO-IR: the payload is not a Zstandard frame, whatever 0x8000 says",
  },
  { value: 0x10_0000, name: "arch-specific", doc: "for this architecture only: sm_90a" },
  { value: 0x20_0000, name: "family-specific", doc: "for this architecture's family: sm_100f" },
  { value: 0x100_0000, name: "capmerc", doc: "on all cubins of sm_100 and later" },
] as const satisfies readonly NamedValue[];
export const ENTRY_FLAG = constantsOf(ENTRY_FLAGS, "");

/** Whether only NVIDIA's tools can decompress the payload of an entry with these flags. */
export function isScrambled({ flags }: { readonly flags: number }): boolean {
  return Math.floor(flags / ENTRY_FLAG.scrambled) % 2 === 1;
}

export function entryFlagNames(flags: number): readonly string[] {
  return bitNames(ENTRY_FLAGS, flags);
}
