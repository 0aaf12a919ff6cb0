// Products with block scales, D = (A scaleA) (B scaleB) + C: PTX ISA 9.0 sections 9.7.14.5.13 and 9.7.16.10.7, which leave the
// summation open. No hardware record covers them: the rules are those of MMA-Sim (Xie, Wang, Yang, Yang, arXiv 2511.10909) for
// Blackwell.

import { f32FromBits, powerOfTwo } from "../../base/num/bits.js";
import { tensorCores } from "./cores.table.js";
import type { Extent, MatrixTypes, Signs } from "./multiply.js";
import { createFactors, decodeFactors, numberFormats, scaleDecoders, scaleFactors } from "./number.js";
import { roundSum, step } from "./step.js";

/** Scale factors of a row of A, and equally many of a column of B. */
export interface ScaleShape {
  /** "ue8m0" or "ue4m3". */
  readonly type: string;
  /** Scales per row. Each applies to an equal run of neighbouring elements. */
  readonly count: number;
}

/**
 * Elements are stored as for Multiply. Scales are bits, one per word: those of A row by row, those of B column by column. C and D
 * are f32.
 */
export type ScaledMultiply = (
  a: Int32Array,
  b: Int32Array,
  c: Int32Array,
  d: Int32Array,
  scalesA: Int32Array,
  scalesB: Int32Array,
) => void;

export function scaledArithmetic(
  extent: Extent,
  types: MatrixTypes,
  scales: ScaleShape,
  signs?: Signs,
): ScaledMultiply {
  return types.a === "e2m1.packed" ? byGroups(extent, scales, signs) : byScaledSteps(extent, types, scales, signs);
}

const NO_SIGNS: Signs = { negateA: false, negateB: false };

/** mxf8f6f4: the step of narrow floats, where a product's exponent includes those of the two scales. */
function byScaledSteps(
  { m, n, k }: Extent,
  types: MatrixTypes,
  { type, count }: ScaleShape,
  { negateA, negateB } = NO_SIGNS,
): ScaledMultiply {
  const { fp8, stepBytes } = tensorCores.sm_100;
  const { of, fractionBits } = scaleDecoders[type]!;
  const [formatA, formatB] = [numberFormats[types.a]!, numberFormats[types.b]!];
  const factorsA = createFactors(m * k, formatA.float.mantissaBits + fractionBits);
  const factorsB = createFactors(n * k, formatB.float.mantissaBits + fractionBits);
  const block = k / count;
  return (a, b, c, d, scalesA, scalesB) => {
    decodeFactors(formatA, a, m * k, negateA, factorsA);
    decodeFactors(formatB, b, n * k, negateB, factorsB);
    for (let i = 0; i < m * count; i++) scaleFactors(factorsA, i * block, (i + 1) * block, of(scalesA[i]!));
    for (let i = 0; i < n * count; i++) scaleFactors(factorsB, i * block, (i + 1) * block, of(scalesB[i]!));
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        let sum = c[row * n + column]!;
        for (let from = 0; from < k; from += stepBytes) {
          const part = Math.min(stepBytes, k - from);
          sum = step(fp8, factorsA, row * k + from, factorsB, column * k + from, part, sum, "f32", "f32");
        }
        d[row * n + column] = sum;
      }
  };
}

/** Twice the value of each e2m1 encoding. */
const doubled = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12] as const;

/** Elements whose products are added exactly before they are scaled. */
const GROUP = 16;
/** Bits of a scaled group that are kept below the largest exponent. */
const GROUP_ALIGNMENT = 35;
/** Exponent of a group whose scale is 0, and of C if it is zero or subnormal. */
const ZERO_EXPONENT = -126;
const NAN = 0x7fffffff;

/**
 * mxf4 and mxf4nvf4: sixteen products at a time are added exactly, and the sum is multiplied by the significands of both scales.
 * These terms and C are aligned to the largest exponent (of C, and of each group's scales), cut, added, and rounded once toward
 * zero. Doubles represent the sum exactly: a term is below 2^47, and there are at most seven.
 */
function byGroups({ m, n, k }: Extent, { type, count }: ScaleShape, { negateA, negateB } = NO_SIGNS): ScaledMultiply {
  const { of, fractionBits } = scaleDecoders[type]!;
  const groups = k / GROUP;
  const block = k / count;
  const sign = negateA === negateB ? 1 : -1;
  // Products are in units of 1/4, and the significands of both scales have fraction bits.
  const unit = sign / (4 * powerOfTwo(2 * fractionBits));
  const [sums, exponents] = [new Float64Array(groups), new Float64Array(groups)];
  return (a, b, c, d, scalesA, scalesB) => {
    const [rows, columns] = [Array.from(scalesA, of), Array.from(scalesB, of)];
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        const at = row * n + column;
        const addend = f32FromBits(c[at]!);
        let isNaN = addend !== addend;
        let largest = exponentOfC(c[at]!);
        for (let group = 0; group < groups; group++) {
          let sum = 0;
          for (let i = group * GROUP; i < (group + 1) * GROUP; i++)
            sum += doubled[a[row * k + i]! & 15]! * doubled[b[column * k + i]! & 15]!;
          const which = Math.floor((group * GROUP) / block);
          const [x, y] = [rows[row * count + which]!, columns[column * count + which]!];
          isNaN ||= x.isNaN || y.isNaN;
          const isZero = x.significand === 0 || y.significand === 0;
          sums[group] = sum * x.significand * y.significand * unit;
          exponents[group] = isZero ? ZERO_EXPONENT : x.exponent + y.exponent;
          largest = Math.max(largest, exponents[group]!);
        }
        if (isNaN || !Number.isFinite(addend)) {
          d[at] = isNaN ? NAN : c[at]!;
          continue;
        }
        let total = Math.trunc(addend * powerOfTwo(GROUP_ALIGNMENT - largest));
        for (let group = 0; group < groups; group++) total += cut(sums[group]!, exponents[group]! - largest);
        d[at] = roundSum(total, largest - GROUP_ALIGNMENT, "f32", 23);
      }
  };
}

/** Cuts toward zero at the last place kept; the result is in units of that place. */
const cut = (significand: number, distance: number): number =>
  distance < -100 ? 0 : Math.trunc(significand * powerOfTwo(GROUP_ALIGNMENT + distance));

function exponentOfC(bits: number): number {
  const field = (bits >>> 23) & 0xff;
  return field === 0 ? ZERO_EXPONENT : field - 127;
}
