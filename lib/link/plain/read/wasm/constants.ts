// Numbers of ELF, of cubins and of `.ptxkit.decl` that the reader of objects compares with. They stand in tables of formats/ and lib/,
// which this compiler cannot read; test/link/plain-reader.test.ts holds these against those, by the names that they are exported by.

export const SHT_NULL: u32 = 0;
export const SHT_PROGBITS: u32 = 1;
export const SHT_SYMTAB: u32 = 2;
export const SHT_STRTAB: u32 = 3;
export const SHT_RELA: u32 = 4;
export const SHT_NOTE: u32 = 7;
export const SHT_NOBITS: u32 = 8;
export const SHT_REL: u32 = 9;
export const SHT_SYMTAB_SHNDX: u32 = 18;
export const SHT_CUDA_INFO: u32 = 0x70000000;
export const SHT_CUDA_CALLGRAPH: u32 = 0x70000001;
export const SHT_CUDA_GLOBAL: u32 = 0x70000007;
export const SHT_CUDA_SHARED: u32 = 0x7000000a;
export const SHT_CUDA_SHARED_RESERVED: u32 = 0x70000015;
export const SHF_EXECINSTR: u32 = 4;
export const SHF_INFO_LINK: u32 = 0x40;
export const SHN_LORESERVE: u32 = 0xff00;
export const SHN_COMMON: u32 = 0xfff2;
export const SHN_XINDEX: u32 = 0xffff;
export const STT_SECTION: u32 = 3;

export const EIATTR_NUM_BARRIERS: u32 = 0x4c;
export const EIATTR_CRS_STACK_SIZE: u32 = 0x1e;
export const EIATTR_CTAIDZ_USED: u32 = 0x04;
export const EIATTR_WMMA_USED: u32 = 0x2b;
export const EIFMT_BVAL: u32 = 2;
export const EIFMT_SVAL: u32 = 4;

export const R_CUDA_64: u32 = 2;

/** Sections at these indices in every file of ours. */
export const NAMES: u32 = 1;
export const STRINGS: u32 = 2;
export const SYMBOLS: u32 = 3;
export const NOTE: u32 = 5;

export const ELF_HEADER_SIZE: u32 = 64;
export const MAX_FILE_ALIGNMENT: u32 = 4096;

export const KIND_VARIABLE: u32 = 0;
export const KIND_FUNCTION: u32 = 1;
export const KIND_REFERENCE: u32 = 2;
export const LINKAGE_COMMON: u32 = 3;
export const LINKAGE_EXTERN: u32 = 4;
export const SPACE_GLOBAL: u32 = 0;
export const SPACE_CONST: u32 = 1;
export const SPACE_SHARED: u32 = 2;
export const INITIALISED: u32 = 2;
export const HAS_SCOPE: u32 = 4;
export const IS_UNIFIED: u32 = 8;
export const IS_ENTRY: u32 = 1;

export const ROLE_TEXT: u32 = 0;
export const ROLE_GLOBAL: u32 = 1;
export const ROLE_CONSTANT: u32 = 3;
export const ROLE_MODULE_SHARED: u32 = 4;
export const ROLE_SHARED: u32 = 5;

export const FACT_BLOCK_Z: u32 = 0x100;
export const FACT_MATRICES: u32 = 0x200;
/** Beside those, while a file is read: attributes say something of it. */
export const IS_TOLD: u32 = 0x8000;

/** In place of a section: that of a `.common` variable. */
export const COMMON: i32 = -2;

/** "PTXd" */
export const MAGIC: u32 = 0x64585450;
