// The numbers of PE and COFF that are shown by name: Microsoft, "PE Format".
import { constantsOf, type NamedValue } from "../bytes/named.js";

/** Machine */
export const PE_MACHINES = [
  { value: 0, name: "IMAGE_FILE_MACHINE_UNKNOWN", doc: "Any machine" },
  { value: 0x14c, name: "IMAGE_FILE_MACHINE_I386", doc: "Intel 80386" },
  { value: 0x1c4, name: "IMAGE_FILE_MACHINE_ARMNT", doc: "32-bit Arm" },
  { value: 0x8664, name: "IMAGE_FILE_MACHINE_AMD64", doc: "AMD x86-64" },
  { value: 0xaa64, name: "IMAGE_FILE_MACHINE_ARM64", doc: "64-bit Arm" },
] as const satisfies readonly NamedValue[];

/** Characteristics of a file */
export const PE_FILE_FLAGS = [
  { value: 0x2, name: "IMAGE_FILE_EXECUTABLE_IMAGE", doc: "Linked" },
  { value: 0x2000, name: "IMAGE_FILE_DLL", doc: "Library" },
] as const satisfies readonly NamedValue[];
export const PE_FILE = constantsOf(PE_FILE_FLAGS, "IMAGE_FILE_");

/** Characteristics of a section */
export const PE_SECTION_FLAGS = [
  { value: 0x20, name: "IMAGE_SCN_CNT_CODE", doc: "Code" },
  { value: 0x40, name: "IMAGE_SCN_CNT_INITIALIZED_DATA", doc: "Data" },
  { value: 0x80, name: "IMAGE_SCN_CNT_UNINITIALIZED_DATA", doc: "Zeros, without bytes in the file" },
  { value: 0x200, name: "IMAGE_SCN_LNK_INFO", doc: "Comments and other information" },
  { value: 0x800, name: "IMAGE_SCN_LNK_REMOVE", doc: "Not part of the image" },
  { value: 0x1000, name: "IMAGE_SCN_LNK_COMDAT", doc: "COMDAT" },
  { value: 0x0100_0000, name: "IMAGE_SCN_LNK_NRELOC_OVFL", doc: "More than 65,534 relocations" },
  { value: 0x0200_0000, name: "IMAGE_SCN_MEM_DISCARDABLE", doc: "Not needed once loaded" },
  { value: 0x2000_0000, name: "IMAGE_SCN_MEM_EXECUTE", doc: "Executable" },
  { value: 0x4000_0000, name: "IMAGE_SCN_MEM_READ", doc: "Readable" },
  { value: 0x8000_0000, name: "IMAGE_SCN_MEM_WRITE", doc: "Writable" },
] as const satisfies readonly NamedValue[];
export const PE_SECTION = constantsOf(PE_SECTION_FLAGS, "IMAGE_SCN_");
