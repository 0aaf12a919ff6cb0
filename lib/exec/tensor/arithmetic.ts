// Selects the arithmetic that a matrix instruction has on sm_90, by its types: PTX ISA 9.0 sections 9.7.14 and 9.7.15 leave it
// open. Some shapes have no instruction of their own on that chip, and are computed as ptxas expands them.

import { f32FromBits } from "../../base/num/bits.js";
import type { RoundingMode } from "../../base/num/rounding.js";
import { CORE, tensorCores } from "./cores.table.js";
import {
  byBits,
  byFusedF32,
  byFusedF64,
  byHalves,
  byIntegers,
  bySteps,
  type Extent,
  type MatrixTypes,
  type Multiply,
  type Signs,
} from "./multiply.js";
import { numberFormats } from "./number.js";

/** The properties of an instruction besides its types. */
export interface Operation {
  /**
   * The instruction: they differ in 8-bit floats and in wmma's steps. "blackwell": tcgen05.mma and the .kind forms of mma, which
   * no chip before sm_100 has.
   */
  readonly unit: "mma" | "wmma" | "wgmma" | "blackwell";
  readonly saturates: boolean;
  readonly rounding: RoundingMode;
  readonly bits: "xor" | "and";
  readonly signs?: Signs;
  /** mma.m8n8k4: the shape that only sm_70 had. */
  readonly isQuarter: boolean;
}

/** Products in a step of wmma with tf32, which is two mma of k4. */
const WMMA_TF32_STEP = 4;

type Family = (extent: Extent, types: MatrixTypes, operation: Operation) => Multiply;

const steps: Family = (extent, types, { unit, signs, isQuarter }) => {
  if (isQuarter) return byFusedF32(extent, types);
  const part =
    unit === "wmma" && types.a === "tf32" ? WMMA_TF32_STEP : (CORE.stepBytes * 8) / numberFormats[types.a]!.width;
  return bySteps(CORE.half, extent, types, part, signs);
};

const eightBits: Family = (extent, types, operation) => {
  const { unit, signs } = operation;
  if (unit === "blackwell") return narrow(extent, types, operation);
  return unit === "wgmma"
    ? bySteps(CORE.fp8, extent, types, CORE.stepBytes, signs)
    : byHalves(CORE.half, extent, types);
};

/** Floats of 4, 6 and 8 bits, mixed at will. No record of them exists: the parameters are those published for sm_100. */
const narrow: Family = (extent, types, { signs }) =>
  bySteps(tensorCores.sm_100.fp8, extent, types, tensorCores.sm_100.stepBytes, signs);

const integers: Family = (extent, types, { saturates }) => byIntegers(extent, types, saturates);

/** By the type of A. */
const families: Readonly<Record<string, Family>> = {
  f16: steps,
  bf16: steps,
  tf32: steps,
  e4m3: eightBits,
  e5m2: eightBits,
  e3m2: narrow,
  e2m3: narrow,
  e2m1: narrow,
  f64: (extent, _, { rounding }) => byFusedF64(extent, rounding),
  s8: integers,
  u8: integers,
  s4: integers,
  u4: integers,
  b1: (extent, _, { bits }) => byBits(extent, bits),
};

/** Bits of a value in a fragment; elements of b1 are taken 32 at a time. */
export function elementBits(type: string): number {
  const widths: Readonly<Record<string, number>> = { f64: 64, s32: 32, s8: 8, u8: 8, s4: 4, u4: 4, b1: 32 };
  return widths[type] ?? numberFormats[type]!.width;
}

/** Elements along k; an element of b1 has 32 bits of k. */
export const elementsAlong = (k: number, type: string): number => (type === "b1" ? k / 32 : k);

/** The arithmetic of an instruction; undefined for types that no unit of sm_90 multiplies. */
export function arithmeticOf(extent: Extent, types: MatrixTypes, operation: Operation): Multiply | undefined {
  return families[types.a]?.(extent, types, operation);
}

/** wmma .satfinite of floats, until PTX 6.4: infinities become the largest number, NaN becomes +0. */
export const saturateFloat: Readonly<Record<string, (bits: number) => number>> = {
  f16: (bits) => ((bits & 0x7fff) > 0x7c00 ? 0 : (bits & 0x7fff) === 0x7c00 ? bits - 1 : bits),
  f32: (bits) => {
    const magnitude = bits & 0x7fffffff;
    return Number.isNaN(f32FromBits(bits)) ? 0 : magnitude === 0x7f800000 ? bits - 1 : bits;
  },
};
