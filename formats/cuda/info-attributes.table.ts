// The attributes of .nv.info (EIATTR_*): number, name, shape of the payload. Numbers and shapes of rows whose shape is not
// "bytes" were seen in output of ptxas and nvlink 13.0.88; other names are from CuAssembler's table (MIT licence). An attribute
// without a row is kept with its raw bytes.
import { constantsOf, type NamedValue } from "../bytes/named.js";

/** The encoding of a record's payload: none, one byte, two bytes, or counted bytes. */
export const INFO_FORMATS = [
  { value: 1, name: "EIFMT_NVAL", doc: "No value" },
  { value: 2, name: "EIFMT_BVAL", doc: "One byte" },
  { value: 3, name: "EIFMT_HVAL", doc: "Two bytes" },
  { value: 4, name: "EIFMT_SVAL", doc: "A length in two bytes, and that many bytes" },
] as const satisfies readonly NamedValue[];
export const EIFMT = constantsOf(INFO_FORMATS, "EIFMT_");

/** The contents of a payload; see info-payload.ts for each. */
export type InfoShape =
  | "flag"
  | "number"
  | "dimensions"
  | "symbol-value"
  | "symbols"
  | "offsets"
  | "parameter-bank"
  | "parameter"
  | "parameter-v2"
  | "bytes";

export interface InfoAttribute extends NamedValue {
  readonly shape: InfoShape;
  /** Why ptxkit, which does not compile PTX to machine code, does not write the attribute; absent if PTX determines its value. */
  readonly unwritten?: string;
}

const MACHINE = "describes machine instructions, which the file does not contain";
const REGISTERS = "registers are allocated when PTX is compiled";
const STACK = "the compiler may move `.local` arrays to registers, and registers to the stack";
const WORKAROUND = "processor errata affect machine code only";

export const INFO_ATTRIBUTES = [
  {
    value: 0x03,
    name: "EIATTR_JUMPTABLE_RELOCS",
    shape: "bytes",
    doc: "Relocations of jump tables",
    unwritten: MACHINE,
  },
  { value: 0x04, name: "EIATTR_CTAIDZ_USED", shape: "flag", doc: "Reads %ctaid.z" },
  { value: 0x05, name: "EIATTR_MAX_THREADS", shape: "dimensions", doc: ".maxntid: most threads per block" },
  { value: 0x09, name: "EIATTR_SAMPLER_INIT", shape: "symbol-value", doc: "Sampler symbol, packed initial state" },
  { value: 0x0a, name: "EIATTR_PARAM_CBANK", shape: "parameter-bank", doc: "Offset of the parameters in bank 0" },
  { value: 0x0f, name: "EIATTR_EXTERNS", shape: "symbols", doc: "Undefined functions called" },
  { value: 0x10, name: "EIATTR_REQNTID", shape: "dimensions", doc: ".reqntid: threads per block" },
  {
    value: 0x11,
    name: "EIATTR_FRAME_SIZE",
    shape: "symbol-value",
    doc: "Function, bytes of its stack frame",
    unwritten: STACK,
  },
  { value: 0x12, name: "EIATTR_MIN_STACK_SIZE", shape: "symbol-value", doc: "Kernel, bytes of its deepest stack" },
  { value: 0x13, name: "EIATTR_SAMPLER_FORCE_UNNORMALIZED", shape: "symbol-value", doc: "Sampler symbol, 0 or 1" },
  {
    value: 0x15,
    name: "EIATTR_BINDLESS_TEXTURE_BANK",
    shape: "number",
    doc: "A texture by its handle",
    unwritten: MACHINE,
  },
  {
    value: 0x16,
    name: "EIATTR_BINDLESS_SURFACE_BANK",
    shape: "number",
    doc: "A surface by its handle",
    unwritten: MACHINE,
  },
  { value: 0x17, name: "EIATTR_KPARAM_INFO", shape: "parameter", doc: "One parameter of a kernel" },
  { value: 0x19, name: "EIATTR_CBANK_PARAM_SIZE", shape: "number", doc: "Bytes of parameters" },
  { value: 0x1b, name: "EIATTR_MAXREG_COUNT", shape: "number", doc: ".maxnreg, 0xff when not said" },
  {
    value: 0x1c,
    name: "EIATTR_EXIT_INSTR_OFFSETS",
    shape: "offsets",
    doc: "Instructions that end a thread",
    unwritten: MACHINE,
  },
  {
    value: 0x1d,
    name: "EIATTR_S2RCTAID_INSTR_OFFSETS",
    shape: "offsets",
    doc: "Instructions that read %ctaid",
    unwritten: MACHINE,
  },
  {
    value: 0x1e,
    name: "EIATTR_CRS_STACK_SIZE",
    shape: "number",
    doc: "Bytes of the call-return stack; 2^32 - 1 unknown",
  },
  {
    value: 0x22,
    name: "EIATTR_ISTYPEP_USED",
    shape: "flag",
    doc: "Has istypep instructions",
    unwritten: "readers derive it from the encoded functions",
  },
  {
    value: 0x23,
    name: "EIATTR_MAX_STACK_SIZE",
    shape: "symbol-value",
    doc: "Function, bytes of its stack",
    unwritten: STACK,
  },
  {
    value: 0x25,
    name: "EIATTR_LD_CACHEMOD_INSTR_OFFSETS",
    shape: "offsets",
    doc: "Loads with a cache operator",
    unwritten: MACHINE,
  },
  {
    value: 0x27,
    name: "EIATTR_ATOM_SYS_INSTR_OFFSETS",
    shape: "offsets",
    doc: "Atomics of system scope",
    unwritten: MACHINE,
  },
  {
    value: 0x28,
    name: "EIATTR_COOP_GROUP_INSTR_OFFSETS",
    shape: "offsets",
    doc: "Instructions across lanes",
    unwritten: MACHINE,
  },
  {
    value: 0x29,
    name: "EIATTR_COOP_GROUP_MASK_REGIDS",
    shape: "bytes",
    doc: "Registers that hold lane masks",
    unwritten: REGISTERS,
  },
  { value: 0x2a, name: "EIATTR_SW1850030_WAR", shape: "flag", doc: "Workaround", unwritten: WORKAROUND },
  { value: 0x2b, name: "EIATTR_WMMA_USED", shape: "flag", doc: "Uses matrix instructions" },
  {
    value: 0x2d,
    name: "EIATTR_ATOMF16_EMUL_INSTR_OFFSETS",
    shape: "bytes",
    doc: "Atomics on 16 bits, made of others",
    unwritten: MACHINE,
  },
  {
    value: 0x2e,
    name: "EIATTR_ATOM16_EMUL_INSTR_REG_MAP",
    shape: "bytes",
    doc: "Those instructions, and registers",
    unwritten: REGISTERS,
  },
  {
    value: 0x2f,
    name: "EIATTR_REGCOUNT",
    shape: "symbol-value",
    doc: "Function, registers it uses",
    unwritten: REGISTERS,
  },
  { value: 0x30, name: "EIATTR_SW2393858_WAR", shape: "flag", doc: "Workaround", unwritten: WORKAROUND },
  {
    value: 0x31,
    name: "EIATTR_INT_WARP_WIDE_INSTR_OFFSETS",
    shape: "offsets",
    doc: "Warp-wide instructions",
    unwritten: MACHINE,
  },
  {
    value: 0x34,
    name: "EIATTR_INDIRECT_BRANCH_TARGETS",
    shape: "bytes",
    doc: "Targets of indirect branches",
    unwritten: MACHINE,
  },
  { value: 0x35, name: "EIATTR_SW2861232_WAR", shape: "flag", doc: "Workaround", unwritten: WORKAROUND },
  { value: 0x36, name: "EIATTR_SW_WAR", shape: "number", doc: "Bits of workarounds", unwritten: WORKAROUND },
  {
    value: 0x37,
    name: "EIATTR_CUDA_API_VERSION",
    shape: "number",
    doc: "10 x major + minor: 130 is CUDA 13.0",
    unwritten: "the file is not made by CUDA; `.note.nv.cuinfo` names the toolkit whose format is used",
  },
  {
    value: 0x38,
    name: "EIATTR_NUM_MBARRIERS",
    shape: "number",
    doc: "Instructions on mbarriers, seen on sm_90 and later",
    unwritten: MACHINE,
  },
  {
    value: 0x39,
    name: "EIATTR_MBARRIER_INSTR_OFFSETS",
    shape: "bytes",
    doc: "Those instructions, and their barriers",
    unwritten: MACHINE,
  },
  { value: 0x3d, name: "EIATTR_CTA_PER_CLUSTER", shape: "dimensions", doc: ".reqnctapercluster" },
  { value: 0x3e, name: "EIATTR_EXPLICIT_CLUSTER", shape: "flag", doc: ".explicitcluster" },
  { value: 0x3f, name: "EIATTR_MAX_CLUSTER_RANK", shape: "number", doc: ".maxclusterrank" },
  { value: 0x45, name: "EIATTR_KPARAM_INFO_V2", shape: "parameter-v2", doc: "One parameter of a large kernel" },
  { value: 0x4a, name: "EIATTR_VRC_CTA_INIT_COUNT", shape: "number", doc: "sm_100 and later", unwritten: MACHINE },
  { value: 0x4c, name: "EIATTR_NUM_BARRIERS", shape: "number", doc: "Highest barrier + 1; 16 when computed" },
  { value: 0x4d, name: "EIATTR_TEXMODE_INDEPENDENT", shape: "flag", doc: ".target texmode_independent" },
  { value: 0x50, name: "EIATTR_SPARSE_MMA_MASK", shape: "number", doc: "sm_90 and later", unwritten: MACHINE },
  { value: 0x5b, name: "EIATTR_BLOCKS_ARE_CLUSTERS", shape: "flag", doc: ".blocksareclusters (name ours)" },
  { value: 0x5f, name: "EIATTR_MERCURY_ISA_VERSION", shape: "number", doc: "0x0101 from sm_90 on", unwritten: MACHINE },
] as const satisfies readonly InfoAttribute[];
export const EIATTR = constantsOf(INFO_ATTRIBUTES, "EIATTR_");

const attributes = new Map<number, InfoAttribute>(INFO_ATTRIBUTES.map((row) => [row.value, row]));

export function infoAttribute(attribute: number): InfoAttribute | undefined {
  return attributes.get(attribute);
}

/** Attributes of .nv.compat, which consists of the same records. Only 9 is understood; the others are constant bytes. */
export const COMPAT_ATTRIBUTES = [
  { value: 9, name: "architecture-specific", doc: "1 for sm_NNa targets, 0 for others and sm_NNf (name ours)" },
] as const satisfies readonly NamedValue[];
