// The contents that NVIDIA's tools add to ELF files: numbers, names and section formats. The exports for other folders.
export { callGraphLists, readCallGraph, type CallGraph } from "./callgraph.js";
export {
  ABI_VERSION,
  CUINFO_INDEX,
  addressBits,
  currentFlags,
  decodeFlags,
  EF_CUDA,
  encodeFlags,
  OLD_FLAGS,
  type CudaFlags,
} from "./flags.js";
export {
  COMPAT_ATTRIBUTES,
  EIATTR,
  EIFMT,
  INFO_ATTRIBUTES,
  INFO_FORMATS,
  infoAttribute,
  type InfoAttribute,
  type InfoShape,
} from "./info-attributes.table.js";
export {
  decodeInfo,
  POINTEE_SPACES,
  writeInfo,
  type InfoEntry,
  type InfoPayload,
  type KernelParameter,
} from "./info-payload.js";
export { readInfo, type InfoRecord } from "./info.js";
export {
  encodeCudaInfo,
  encodeToolkitInfo,
  NT_NV,
  NVIDIA_NOTE_NAME,
  readCudaInfo,
  readToolkitInfo,
  type CudaInfo,
  type ToolkitInfo,
} from "./notes.js";
export {
  formatPrototype,
  parsePrototype,
  readPrototypes,
  type Prototype,
  type PrototypeEntry,
  type PrototypeType,
} from "./prototype.js";
export {
  ADDRESSES,
  R_CUDA,
  relocationFacts,
  relocationName,
  RELOCATIONS,
  type AddressName,
  type Pointee,
  type RelocationFacts,
} from "./relocations.table.js";
export { knownSection, SECTIONS, type KnownSection, type SectionFacts } from "./sections.table.js";
export {
  LARGE_PARAMETERS,
  MIN_REGISTERS,
  MAX_CONSTANT_BYTES,
  MAX_BANK_BYTES,
  MAX_PARAMETER_BYTES,
  MAX_STATIC_SHARED_BYTES,
  MAX_REGISTERS,
  SM_REGISTERS,
  TARGETS,
  targetFacts,
  type TargetFacts,
} from "./target.table.js";
