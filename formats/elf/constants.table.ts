// The numbers of the ELF file format, as tables. Generic rows: System V ABI, "Object Files". CUDA rows: what NVIDIA's tools write
// under EM_CUDA, each seen in output of ptxas and nvlink 13.0; names are from public headers and tables, and numbers without a
// public name stay numbers. Processor-specific ranges have a meaning only together with e_machine: call `sectionTypeName(machine,
// type)`.
import { constantsOf, namesOf, type NamedValue } from "../bytes/named.js";

/** e_type */
export const FILE_TYPES = [
  { value: 0, name: "ET_NONE", doc: "No file type" },
  { value: 1, name: "ET_REL", doc: "Relocatable object" },
  { value: 2, name: "ET_EXEC", doc: "Executable image" },
  { value: 3, name: "ET_DYN", doc: "Shared object" },
  { value: 4, name: "ET_CORE", doc: "Core dump" },
] as const satisfies readonly NamedValue[];
export const ET = constantsOf(FILE_TYPES, "ET_");

/** e_machine: the machines of files that ptxkit meets, among them host objects that contain fatbins. */
export const MACHINES = [
  { value: 0, name: "EM_NONE", doc: "No machine" },
  { value: 3, name: "EM_386", doc: "Intel 80386" },
  { value: 20, name: "EM_PPC", doc: "PowerPC" },
  { value: 21, name: "EM_PPC64", doc: "64-bit PowerPC" },
  { value: 40, name: "EM_ARM", doc: "32-bit Arm" },
  { value: 62, name: "EM_X86_64", doc: "AMD x86-64" },
  { value: 183, name: "EM_AARCH64", doc: "64-bit Arm" },
  { value: 190, name: "EM_CUDA", doc: "NVIDIA CUDA" },
  { value: 224, name: "EM_AMDGPU", doc: "AMD GPU" },
  { value: 243, name: "EM_RISCV", doc: "RISC-V" },
] as const satisfies readonly NamedValue[];
export const EM = constantsOf(MACHINES, "EM_");

/** EI_OSABI */
export const OS_ABIS = [
  { value: 0, name: "ELFOSABI_NONE", doc: "System V" },
  { value: 3, name: "ELFOSABI_GNU", doc: "GNU extensions" },
  { value: 0x33, name: "ELFOSABI_CUDA", doc: "NVIDIA CUDA up to 12.x, before sm_100 (EI_ABIVERSION 7)" },
  { value: 0x41, name: "ELFOSABI_CUDA_V2", doc: "NVIDIA CUDA 13 (EI_ABIVERSION 8)" },
] as const satisfies readonly NamedValue[];
export const ELFOSABI = constantsOf(OS_ABIS, "ELFOSABI_");

/** sh_type, below the processor-specific range. */
export const SECTION_TYPES = [
  { value: 0, name: "SHT_NULL", doc: "Unused header" },
  { value: 1, name: "SHT_PROGBITS", doc: "Bytes whose meaning the program gives" },
  { value: 2, name: "SHT_SYMTAB", doc: "Symbol table" },
  { value: 3, name: "SHT_STRTAB", doc: "String table" },
  { value: 4, name: "SHT_RELA", doc: "Relocations with addends" },
  { value: 5, name: "SHT_HASH", doc: "Symbol hash table" },
  { value: 6, name: "SHT_DYNAMIC", doc: "Dynamic linking information" },
  { value: 7, name: "SHT_NOTE", doc: "Notes" },
  { value: 8, name: "SHT_NOBITS", doc: "Zeros, without bytes in the file" },
  { value: 9, name: "SHT_REL", doc: "Relocations whose addends are in place" },
  { value: 10, name: "SHT_SHLIB", doc: "Reserved" },
  { value: 11, name: "SHT_DYNSYM", doc: "Symbols for dynamic linking" },
  { value: 14, name: "SHT_INIT_ARRAY", doc: "Pointers to initialisers" },
  { value: 15, name: "SHT_FINI_ARRAY", doc: "Pointers to finalisers" },
  { value: 16, name: "SHT_PREINIT_ARRAY", doc: "Pointers to early initialisers" },
  { value: 17, name: "SHT_GROUP", doc: "Section group" },
  { value: 18, name: "SHT_SYMTAB_SHNDX", doc: "Section indices that do not fit st_shndx" },
  { value: 0x6fff_fff6, name: "SHT_GNU_HASH", doc: "GNU symbol hash table" },
  { value: 0x6fff_fffd, name: "SHT_GNU_verdef", doc: "GNU version definitions" },
  { value: 0x6fff_fffe, name: "SHT_GNU_verneed", doc: "GNU version needs" },
  { value: 0x6fff_ffff, name: "SHT_GNU_versym", doc: "GNU version of each symbol" },
] as const satisfies readonly NamedValue[];
export const SHT = constantsOf(SECTION_TYPES, "SHT_");

/** sh_type in files of EM_CUDA. Bank N of constant memory has the type SHT_CUDA_CONSTANT_B0 + N. */
export const CUDA_SECTION_TYPES = [
  { value: 0x7000_0000, name: "SHT_CUDA_INFO", doc: ".nv.info: attributes of the module or of one function" },
  { value: 0x7000_0001, name: "SHT_CUDA_CALLGRAPH", doc: ".nv.callgraph: pairs of symbols" },
  { value: 0x7000_0002, name: "SHT_CUDA_PROTOTYPE", doc: ".nv.prototype: symbols and the strings of their types" },
  { value: 0x7000_0003, name: "SHT_CUDA_RESOLVED_RELA", doc: "Relocations that nvlink has already applied" },
  { value: 0x7000_0007, name: "SHT_CUDA_GLOBAL", doc: ".nv.global of an object: zeros, without bytes in the file" },
  { value: 0x7000_0008, name: "SHT_CUDA_GLOBAL_INIT", doc: ".nv.global.init of an object" },
  { value: 0x7000_000a, name: "SHT_CUDA_SHARED", doc: "Shared memory of an object, without bytes in the file" },
  { value: 0x7000_000b, name: "SHT_CUDA_RELOCINFO", doc: ".nv.rel.action" },
  { value: 0x7000_0015, name: "SHT_CUDA_SHARED_RESERVED", doc: ".nv.shared.reserved.0, sm_90 and later" },
  { value: 0x7000_0016, name: "SHT_CUDA_CAPMERC", doc: ".nv.capmerc.text.*, sm_100 and later" },
  { value: 0x7000_0064, name: "SHT_CUDA_CONSTANT_B0", doc: "Constant bank 0: kernel parameters" },
  { value: 0x7000_0065, name: "SHT_CUDA_CONSTANT_B1", doc: "Constant bank 1" },
  { value: 0x7000_0066, name: "SHT_CUDA_CONSTANT_B2", doc: "Constant bank 2" },
  { value: 0x7000_0067, name: "SHT_CUDA_CONSTANT_B3", doc: "Constant bank 3: .const variables" },
  { value: 0x7000_0068, name: "SHT_CUDA_CONSTANT_B4", doc: "Constant bank 4: addresses" },
  { value: 0x7000_007c, name: "SHT_CUDA_MERC_CONSTANT", doc: ".nv.merc.nv.constant.user, sm_100 and later" },
  { value: 0x7000_0082, name: "SHT_CUDA_MERC_RELA", doc: ".nv.merc.rela.*, sm_100 and later" },
  { value: 0x7000_0083, name: "SHT_CUDA_MERC_INFO", doc: ".nv.merc.nv.info*, sm_100 and later" },
  { value: 0x7000_0085, name: "SHT_CUDA_MERC_SYMTAB", doc: ".nv.merc.symtab, sm_100 and later" },
  { value: 0x7000_0086, name: "SHT_CUDA_COMPAT", doc: ".nv.compat, sm_90 and later" },
  { value: 0x7000_0088, name: "SHT_CUDA_MERC_RESOLVED_RELA", doc: ".nv.merc.nv.resolvedrela.*, sm_100 and later" },
] as const satisfies readonly NamedValue[];
export const SHT_CUDA = constantsOf(CUDA_SECTION_TYPES, "SHT_CUDA_");

/** sh_flags */
export const SECTION_FLAGS = [
  { value: 0x1, name: "SHF_WRITE", doc: "Writable" },
  { value: 0x2, name: "SHF_ALLOC", doc: "Takes memory when loaded" },
  { value: 0x4, name: "SHF_EXECINSTR", doc: "Holds instructions" },
  { value: 0x10, name: "SHF_MERGE", doc: "Equal entries may be merged" },
  { value: 0x20, name: "SHF_STRINGS", doc: "Entries are NUL-terminated strings" },
  { value: 0x40, name: "SHF_INFO_LINK", doc: "sh_info is a section index" },
  { value: 0x80, name: "SHF_LINK_ORDER", doc: "Keeps the order of the section in sh_link" },
  { value: 0x100, name: "SHF_OS_NONCONFORMING", doc: "Needs processing that the system defines" },
  { value: 0x200, name: "SHF_GROUP", doc: "Member of a section group" },
  { value: 0x400, name: "SHF_TLS", doc: "Thread-local storage" },
  { value: 0x800, name: "SHF_COMPRESSED", doc: "Compressed bytes" },
  { value: 0x100_0000, name: "SHF_CUDA_CUINFO", doc: "On .note.nv.cuinfo (name ours)" },
  { value: 0x200_0000, name: "SHF_CUDA_TKINFO", doc: "On .note.nv.tkinfo (name ours)" },
  { value: 0x1000_0000, name: "SHF_CUDA_MERC", doc: "On the second copy of metadata of sm_100 and later (name ours)" },
] as const satisfies readonly NamedValue[];
export const SHF = constantsOf(SECTION_FLAGS, "SHF_");

/** p_type */
export const SEGMENT_TYPES = [
  { value: 0, name: "PT_NULL", doc: "Unused" },
  { value: 1, name: "PT_LOAD", doc: "Loaded into memory" },
  { value: 2, name: "PT_DYNAMIC", doc: "Dynamic linking information" },
  { value: 3, name: "PT_INTERP", doc: "Path of the program interpreter" },
  { value: 4, name: "PT_NOTE", doc: "Notes" },
  { value: 6, name: "PT_PHDR", doc: "The program header table itself" },
  { value: 7, name: "PT_TLS", doc: "Thread-local storage template" },
  { value: 0x6474_e550, name: "PT_GNU_EH_FRAME", doc: "Exception tables" },
  { value: 0x6474_e551, name: "PT_GNU_STACK", doc: "Stack permissions" },
  { value: 0x6474_e552, name: "PT_GNU_RELRO", doc: "Read-only after relocation" },
] as const satisfies readonly NamedValue[];
export const PT = constantsOf(SEGMENT_TYPES, "PT_");

/** p_flags */
export const SEGMENT_FLAGS = [
  { value: 1, name: "PF_X", doc: "Executable" },
  { value: 2, name: "PF_W", doc: "Writable" },
  { value: 4, name: "PF_R", doc: "Readable" },
] as const satisfies readonly NamedValue[];
export const PF = constantsOf(SEGMENT_FLAGS, "PF_");

/** The low four bits of st_info. Types 10 to 13 mean this under EM_CUDA only (10 is STT_GNU_IFUNC elsewhere). */
export const SYMBOL_TYPES = [
  { value: 0, name: "STT_NOTYPE", doc: "No type" },
  { value: 1, name: "STT_OBJECT", doc: "Variable (under EM_CUDA: of an image)" },
  { value: 2, name: "STT_FUNC", doc: "Function or kernel" },
  { value: 3, name: "STT_SECTION", doc: "Section" },
  { value: 4, name: "STT_FILE", doc: "Source file" },
  { value: 5, name: "STT_COMMON", doc: "Common block" },
  { value: 6, name: "STT_TLS", doc: "Thread-local variable" },
  { value: 10, name: "STT_CUDA_TEXTURE", doc: "Texture reference" },
  { value: 11, name: "STT_CUDA_SAMPLER", doc: "Sampler reference" },
  { value: 12, name: "STT_CUDA_SURFACE", doc: "Surface reference" },
  { value: 13, name: "STT_CUDA_OBJECT", doc: "Variable of a relocatable object; st_other says its space" },
] as const satisfies readonly NamedValue[];
export const STT = constantsOf(SYMBOL_TYPES, "STT_");

/** The high four bits of st_info. */
export const SYMBOL_BINDINGS = [
  { value: 0, name: "STB_LOCAL", doc: "Seen in its own object only" },
  { value: 1, name: "STB_GLOBAL", doc: "Seen everywhere" },
  { value: 2, name: "STB_WEAK", doc: "Gives way to a global definition" },
] as const satisfies readonly NamedValue[];
export const STB = constantsOf(SYMBOL_BINDINGS, "STB_");

/** The low two bits of st_other. */
export const SYMBOL_VISIBILITIES = [
  { value: 0, name: "STV_DEFAULT", doc: "As the binding says" },
  { value: 1, name: "STV_INTERNAL", doc: "Hidden, and never called from outside" },
  { value: 2, name: "STV_HIDDEN", doc: "Not seen outside its component" },
  { value: 3, name: "STV_PROTECTED", doc: "Seen, but not to be replaced" },
] as const satisfies readonly NamedValue[];
export const STV = constantsOf(SYMBOL_VISIBILITIES, "STV_");

/** The other bits of st_other under EM_CUDA. Bit 0x10 is "entry" on functions; on variables it goes with .unified. */
export const SYMBOL_OTHER_BITS = [
  { value: 0x04, name: "STO_CUDA_MANAGED", doc: ".managed variable" },
  { value: 0x10, name: "STO_CUDA_ENTRY", doc: "Kernel; on a variable (with GLOBAL): .unified" },
  { value: 0x20, name: "STO_CUDA_GLOBAL", doc: "Variable in global memory" },
  { value: 0x40, name: "STO_CUDA_SHARED", doc: "Variable in shared memory" },
  { value: 0x80, name: "STO_CUDA_CONSTANT", doc: "Variable in constant memory" },
] as const satisfies readonly NamedValue[];
export const STO_CUDA = constantsOf(SYMBOL_OTHER_BITS, "STO_CUDA_");

/** st_shndx values that are not section indices. All values between LORESERVE and XINDEX are reserved. */
export const SPECIAL_SECTIONS = [
  { value: 0, name: "SHN_UNDEF", doc: "Undefined" },
  { value: 0xff00, name: "SHN_LORESERVE", doc: "First reserved value" },
  { value: 0xfff1, name: "SHN_ABS", doc: "A value that no relocation moves" },
  { value: 0xfff2, name: "SHN_COMMON", doc: "Common: st_value is the alignment" },
  { value: 0xffff, name: "SHN_XINDEX", doc: "The index is in the SHT_SYMTAB_SHNDX section" },
] as const satisfies readonly NamedValue[];
export const SHN = constantsOf(SPECIAL_SECTIONS, "SHN_");

const genericSectionTypeName = namesOf(SECTION_TYPES);
const cudaSectionTypeName = namesOf(SECTION_TYPES, CUDA_SECTION_TYPES);

export const fileTypeName = namesOf(FILE_TYPES);
export const machineName = namesOf(MACHINES);
export const osAbiName = namesOf(OS_ABIS);
export const segmentTypeName = namesOf(SEGMENT_TYPES);
export const symbolTypeName = namesOf(SYMBOL_TYPES);
export const symbolBindingName = namesOf(SYMBOL_BINDINGS);
export const symbolVisibilityName = namesOf(SYMBOL_VISIBILITIES);

export function sectionTypeName(machine: number, type: number): string | undefined {
  return machine === EM.CUDA ? cudaSectionTypeName(type) : genericSectionTypeName(type);
}

/** Whether a section of this type occupies sh_size bytes of the file; otherwise sh_size is only a size in memory. */
export function hasFileBytes(machine: number, type: number): boolean {
  if (type === SHT.NULL || type === SHT.NOBITS) return false;
  return (
    machine !== EM.CUDA || (type !== SHT_CUDA.GLOBAL && type !== SHT_CUDA.SHARED && type !== SHT_CUDA.SHARED_RESERVED)
  );
}
