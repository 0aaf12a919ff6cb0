// What differs between GPU generations in the container: one row per range of SM numbers.
// Seen in output of ptxas and nvlink 13.0.88 for each of sm_75 to sm_121.

export interface TargetFacts {
  /** First SM number that the row is for; it ends where the next begins. */
  readonly since: number;
  /** Bytes from the start of constant bank 0 to the first kernel parameter. */
  readonly parameterBase: number;
  /** The same when the parameters take more than 4096 bytes in all. */
  readonly largeParameterBase: number;
  /** Bytes of each kernel's shared memory that the system keeps for itself; addresses of variables still begin at 0. */
  readonly reservedSharedBytes: number;
  /** Whether a zero addend is written as a REL record; otherwise every relocation is RELA. */
  readonly writesRel: boolean;
  /** Whether the top byte of a .text section's sh_info is the register count. */
  readonly registersInTextInfo: boolean;
  /** Whether there is a .nv.compat section. */
  readonly hasCompat: boolean;
}

export const TARGETS: readonly TargetFacts[] = [
  {
    since: 75,
    parameterBase: 0x160,
    largeParameterBase: 0x1a80,
    reservedSharedBytes: 0,
    writesRel: true,
    registersInTextInfo: true,
    hasCompat: false,
  },
  {
    since: 90,
    parameterBase: 0x210,
    largeParameterBase: 0x210,
    reservedSharedBytes: 0x400,
    writesRel: false,
    registersInTextInfo: false,
    hasCompat: true,
  },
  {
    since: 100,
    parameterBase: 0x380,
    largeParameterBase: 0x380,
    reservedSharedBytes: 0x400,
    writesRel: false,
    registersInTextInfo: false,
    hasCompat: true,
  },
];

/** Parameters of this many bytes in all make a "large" kernel. */
export const LARGE_PARAMETERS = 4096;
/** Most bytes of parameters that a kernel may have. */
export const MAX_PARAMETER_BYTES = 0x7ffc;
/** Bytes of constant bank 3, per file and again for the linked image. */
export const MAX_CONSTANT_BYTES = 0x10000;
/** Bytes of shared memory that a kernel may declare statically. */
export const MAX_STATIC_SHARED_BYTES = 0xc000;

/** The facts for an SM number; one older than the table has the facts of its first row. */
export function targetFacts(sm: number): TargetFacts {
  return TARGETS.findLast((row) => row.since <= sm) ?? TARGETS[0]!;
}
