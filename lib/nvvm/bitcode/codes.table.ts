// Numbers of LLVM's bitcode ("LLVM Bitcode File Format"; llvm/Bitcode/LLVMBitCodes.h of LLVM 3.5 to 20): blocks, records, and
// words that records encode as numbers.

import type { BinaryOpcode, CastOpcode, Ordering } from "../ir/instruction.js";
import { flag } from "../ir/instruction.js";
import type { Linkage } from "../ir/global.js";

export const blockId = {
  module: 8,
  attributeLists: 9,
  attributeGroups: 10,
  constants: 11,
  function: 12,
  identification: 13,
  symbols: 14,
  metadata: 15,
  attachments: 16,
  types: 17,
  bundleTags: 21,
  metadataKinds: 22,
  strings: 23,
  syncScopes: 26,
} as const;

export const moduleCode = {
  version: 1,
  triple: 2,
  dataLayout: 3,
  assembly: 4,
  section: 5,
  variable: 7,
  function: 8,
  aliasOld: 9,
  collector: 11,
  alias: 14,
  sourceFilename: 16,
  ifunc: 18,
} as const;

export const typeCode = {
  count: 1,
  void: 2,
  float: 3,
  double: 4,
  label: 5,
  opaque: 6,
  integer: 7,
  pointer: 8,
  functionOld: 9,
  half: 10,
  array: 11,
  vector: 12,
  x86Fp80: 13,
  fp128: 14,
  ppcFp128: 15,
  metadata: 16,
  x86Mmx: 17,
  struct: 18,
  structName: 19,
  structNamed: 20,
  function: 21,
  token: 22,
  bfloat: 23,
  x86Amx: 24,
  opaquePointer: 25,
  target: 26,
} as const;

export const constantCode = {
  type: 1,
  null: 2,
  undef: 3,
  integer: 4,
  wideInteger: 5,
  float: 6,
  aggregate: 7,
  string: 8,
  cString: 9,
  binary: 10,
  cast: 11,
  elementPointer: 12,
  select: 13,
  extractElement: 14,
  insertElement: 15,
  shuffle: 16,
  compare: 17,
  assembly1: 18,
  shuffleTyped: 19,
  elementPointerInbounds: 20,
  blockAddress: 21,
  data: 22,
  assembly2: 23,
  elementPointerRangeIndex: 24,
  unary: 25,
  poison: 26,
  localEquivalent: 27,
  assembly3: 28,
  noCfi: 29,
  assembly: 30,
  elementPointerRange: 31,
  elementPointerFlags: 32,
} as const;

export const functionCode = {
  declareBlocks: 1,
  binary: 2,
  cast: 3,
  elementPointerOld: 4,
  select: 5,
  extractElement: 6,
  insertElement: 7,
  shuffle: 8,
  compare: 9,
  return: 10,
  branch: 11,
  switch: 12,
  invoke: 13,
  unreachable: 15,
  phi: 16,
  alloca: 19,
  load: 20,
  vaArg: 23,
  storeOld: 24,
  extractValue: 26,
  insertValue: 27,
  compareFlags: 28,
  vectorSelect: 29,
  elementPointerInboundsOld: 30,
  indirectBranch: 31,
  placeAgain: 33,
  call: 34,
  place: 35,
  fence: 36,
  compareExchangeOld: 37,
  atomicOld: 38,
  resume: 39,
  landingPadOld: 40,
  loadAtomic: 41,
  storeAtomicOld: 42,
  elementPointer: 43,
  store: 44,
  storeAtomic: 45,
  compareExchange: 46,
  landingPad: 47,
  cleanupReturn: 48,
  catchReturn: 49,
  catchPad: 50,
  cleanupPad: 51,
  catchSwitch: 52,
  bundle: 55,
  unary: 56,
  callBranch: 57,
  freeze: 58,
  atomic: 59,
  blockAddressUsers: 60,
  /** Records of debug variables of LLVM 19, 61 to 65. */
  debugRecordFirst: 61,
  debugRecordLast: 65,
} as const;

export const symbolCode = { value: 1, block: 2, function: 3 } as const;

export const integerBinary: readonly BinaryOpcode[] =
  ["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"]; // prettier-ignore

/** The same numbers over floats. */
export const floatBinary: readonly (BinaryOpcode | undefined)[] =
  ["fadd", "fsub", "fmul", undefined, "fdiv", undefined, "frem"]; // prettier-ignore

export const casts: readonly CastOpcode[] = [
  "trunc", "zext", "sext", "fptoui", "fptosi", "uitofp", "sitofp", "fptrunc", "fpext", "ptrtoint", "inttoptr", "bitcast",
  "addrspacecast",
]; // prettier-ignore

export const floatPredicates: readonly string[] = [
  "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true",
]; // prettier-ignore

export const FIRST_INTEGER_PREDICATE = 32;
export const integerPredicates: readonly string[] =
  ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]; // prettier-ignore

export const atomicOperations: readonly string[] = [
  "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin",
  "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat", "fmaximum", "fminimum",
]; // prettier-ignore

/** Number 0 is "not atomic". */
export const orderings: readonly (Ordering | undefined)[] =
  [undefined, "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"]; // prettier-ignore

/** LLVM's numbers of all versions: 1, 4, 10, 11 are before 3.6, 13 to 15 before 3.5. */
export const linkages: readonly Linkage[] = [
  "external", "weak", "appending", "internal", "linkonce", "dllimport", "dllexport", "extern_weak", "common", "private",
  "weak_odr", "linkonce_odr", "available_externally", "linker_private", "linker_private_weak", "linkonce_odr", "weak",
  "weak_odr", "linkonce", "linkonce_odr",
]; // prettier-ignore

export const visibilities = ["default", "hidden", "protected"] as const;

/** Others are written as `cc N`. */
export const conventions: ReadonlyMap<number, string> = new Map([
  [0, "ccc"],
  [8, "fastcc"],
  [9, "coldcc"],
  [10, "ghccc"],
  [13, "anyregcc"],
  [14, "preserve_mostcc"],
  [15, "preserve_allcc"],
  [16, "swiftcc"],
  [18, "tailcc"],
  [71, "ptx_kernel"],
  [72, "ptx_device"],
  [75, "spir_func"],
  [76, "spir_kernel"],
  [80, "x86_vectorcallcc"],
  [91, "amdgpu_kernel"],
]);

/** Bits of a record's fast-math number; the first is `fast` before LLVM 6. */
export const fastMath: readonly number[] = [
  flag.nnan | flag.ninf | flag.nsz | flag.arcp | flag.contract | flag.afn | flag.reassoc,
  flag.nnan,
  flag.ninf,
  flag.nsz,
  flag.arcp,
  flag.contract,
  flag.afn,
  flag.reassoc,
];

/** Bits of the flags of getelementptr. */
export const elementPointerFlags: readonly number[] = [flag.inbounds, flag.nusw, flag.nuw];

const wraps: readonly number[] = [flag.nuw, flag.nsw];
/** Bits of the flags of integer operations and casts. */
export const integerFlags: Readonly<Record<string, readonly number[]>> = {
  add: wraps,
  sub: wraps,
  mul: wraps,
  shl: wraps,
  trunc: wraps,
  udiv: [flag.exact],
  sdiv: [flag.exact],
  lshr: [flag.exact],
  ashr: [flag.exact],
  or: [flag.disjoint],
  zext: [flag.nneg],
  uitofp: [flag.nneg],
  icmp: [flag.samesign],
};

/** Converts the bits of `number` to bits of `flag`. */
export const flagsOf = (number: number, bits: readonly number[] | undefined): number =>
  (bits ?? []).reduce((flags, bit, i) => ((number >>> i) & 1 ? flags | bit : flags), 0);
