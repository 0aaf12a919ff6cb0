// Differences between GPU generations in the container: one row per range of SM numbers. Seen in output of ptxas and nvlink
// 13.0.88 for each of sm_75 to sm_121.

export interface TargetFacts {
  /** First SM number of the row; the row ends where the next begins. */
  readonly since: number;
  /** Bytes from the start of constant bank 0 to the first kernel parameter. */
  readonly parameterBase: number;
  /** The same for kernels whose parameters take more than LARGE_PARAMETERS bytes in all. */
  readonly largeParameterBase: number;
  /** Bytes assumed before the first parameter when parameters are aligned. */
  readonly parameterOrigin: number;
  /** The same for kernels whose parameters take more than LARGE_PARAMETERS bytes. */
  readonly largeParameterOrigin: number;
  /** Whether a bank of more than MAX_BANK_BYTES is refused; otherwise the size is truncated to 16 bits. */
  readonly boundsParameterBank: boolean;
  /** Whether a texture, sampler or surface after all other parameters (0 bytes, aligned to 4) extends the parameters' size. */
  readonly endsAtReference: boolean;
  /** Bytes of each kernel's shared memory that the system keeps for itself; addresses of variables still begin at 0. */
  readonly reservedSharedBytes: number;
  /** Whether a zero addend is written as a REL record; otherwise every relocation is RELA. */
  readonly writesRel: boolean;
  /** Whether the top byte of a .text section's sh_info is the register count. */
  readonly registersInTextInfo: boolean;
  /** Whether there is a .nv.compat section. */
  readonly hasCompat: boolean;
  /** Whether the attribute CTAIDZ_USED marks functions that read %ctaid.z. */
  readonly marksBlockZ: boolean;
  /** The space of a `.ptr .const` parameter, as an index of POINTEE_SPACES: const, or global like the address. */
  readonly constPointee: number;
  /** Limits of resident warps and blocks per SM, which determine MAXREG_COUNT. */
  readonly residentWarps: number;
  readonly residentBlocks: number;
}

const TURING: TargetFacts = {
  since: 75,
  parameterBase: 0x160,
  largeParameterBase: 0x1a80,
  parameterOrigin: 0x160,
  largeParameterOrigin: 0,
  boundsParameterBank: true,
  endsAtReference: true,
  reservedSharedBytes: 0,
  writesRel: true,
  registersInTextInfo: true,
  hasCompat: false,
  marksBlockZ: true,
  constPointee: 3,
  residentWarps: 32,
  residentBlocks: 16,
};
const HOPPER: TargetFacts = {
  since: 90,
  parameterBase: 0x210,
  largeParameterBase: 0x210,
  parameterOrigin: 0x210,
  largeParameterOrigin: 0x210,
  boundsParameterBank: false,
  endsAtReference: false,
  reservedSharedBytes: 0x400,
  writesRel: false,
  registersInTextInfo: false,
  hasCompat: true,
  marksBlockZ: false,
  constPointee: 4,
  residentWarps: 64,
  residentBlocks: 32,
};
const BLACKWELL: TargetFacts = {
  ...HOPPER,
  since: 100,
  parameterBase: 0x380,
  largeParameterBase: 0x380,
  parameterOrigin: 0,
  largeParameterOrigin: 0,
};

/** sm_101 is the former name of sm_110. */
export const TARGETS: readonly TargetFacts[] = [
  TURING,
  { ...TURING, since: 80, residentWarps: 64, residentBlocks: 32 },
  { ...TURING, since: 86, residentWarps: 48 },
  { ...TURING, since: 89, residentWarps: 48, residentBlocks: 24 },
  HOPPER,
  BLACKWELL,
  { ...BLACKWELL, since: 101, residentWarps: 48, residentBlocks: 24 },
  { ...BLACKWELL, since: 102 },
  { ...BLACKWELL, since: 110, residentWarps: 48, residentBlocks: 24 },
];

/** Parameters of more bytes than this make a "large" kernel; parameters are aligned as if the first were at 0. */
export const LARGE_PARAMETERS = 0x1100;
/** Limit of a kernel's parameters in bytes. */
export const MAX_PARAMETER_BYTES = 0x7ffc;
/** Bytes of constant bank 0; in it, the alignment of parameters is limited to this. */
export const MAX_BANK_BYTES = 0x10000;
/** Registers of an SM; the limits for a thread, the lower one if .maxnreg requests fewer. */
export const SM_REGISTERS = 0x10000;
export const MAX_REGISTERS = 255;
export const MIN_REGISTERS = 24;
/** Bytes of constant bank 3, per file and again for the linked image. */
export const MAX_CONSTANT_BYTES = 0x10000;
/** Bytes of shared memory that a kernel may declare statically. */
export const MAX_STATIC_SHARED_BYTES = 0xc000;

/** The properties for an SM number; numbers before the table use its first row. */
export function targetFacts(sm: number): TargetFacts {
  return TARGETS.findLast((row) => row.since <= sm) ?? TARGETS[0]!;
}
