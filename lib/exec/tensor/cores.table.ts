// What tensor cores of different chips compute, as parameters of one function (step.ts). The row of sm_90 was recorded on an
// H200 (testdata/hardware/h200/tensor: every word of 148 instructions agrees). Kernels run with it, whatever their target.
// The other rows are the parameters of MMA-Sim (Xie, Wang, Yang, Yang, arXiv 2511.10909) and have not been recorded.

export interface Accumulation {
  /** Bits below the largest exponent of the terms that are kept of each term; what lies below is cut, toward zero. */
  readonly alignmentBits: number;
  /**
   * Fraction bits of an f32 result, which is rounded toward zero; those below are 0. An f16 result is rounded to nearest even, to
   * 10 fraction bits.
   */
  readonly f32FractionBits: number;
}

export interface TensorCore {
  readonly architecture: string;
  readonly origin: "recorded" | "published";
  /** Bytes of a row of A whose products one step adds up: a longer K is several steps, each of which rounds the accumulator. */
  readonly stepBytes: number;
  /** f16, bf16, tf32. */
  readonly half: Accumulation;
  /** e4m3 and e5m2 where they are the core's own types; absent where nothing is known or the chip has none. */
  readonly fp8?: Accumulation;
}

const exactF32 = (alignmentBits: number): Accumulation => ({ alignmentBits, f32FractionBits: 23 });
const shortFp8: Accumulation = { alignmentBits: 13, f32FractionBits: 13 };

export const tensorCores = {
  sm_70: { architecture: "sm_70", origin: "published", stepBytes: 8, half: exactF32(23) },
  sm_75: { architecture: "sm_75", origin: "published", stepBytes: 16, half: exactF32(24) },
  sm_80: { architecture: "sm_80", origin: "published", stepBytes: 16, half: exactF32(24) },
  sm_89: { architecture: "sm_89", origin: "published", stepBytes: 16, half: exactF32(24), fp8: shortFp8 },
  sm_90: { architecture: "sm_90", origin: "recorded", stepBytes: 32, half: exactF32(25), fp8: shortFp8 },
  sm_100: { architecture: "sm_100", origin: "published", stepBytes: 32, half: exactF32(25), fp8: exactF32(25) },
} satisfies Readonly<Record<string, TensorCore>>;

/** The core that kernels run with. */
export const CORE: TensorCore & { readonly fp8: Accumulation } = tensorCores.sm_90;
