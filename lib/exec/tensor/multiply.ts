// Arithmetic of matrix instructions, D = A B + C, as functions of whole logical matrices of element bits. arithmetic.ts selects
// the function of an instruction on sm_90; docs/tensor.md describes each.

import { f32FromBits, f64FromBits, f64ToBits } from "../../base/num/bits.js";
import { fmaF32 } from "../../base/num/f32.js";
import { fmaF64, nanOperandF64 } from "../../base/num/f64.js";
import { f16 } from "../../base/num/half.js";
import type { RoundingMode } from "../../base/num/rounding.js";
import { F16, smallDecoder, smallEncoder } from "../../base/num/small-float.js";
import type { Accumulation } from "./cores.table.js";
import { createFactors, decodeFactors, type NumberFormat, numberFormats } from "./number.js";
import { step, type SumType } from "./step.js";

/** Rows, columns and stored elements along k. */
export interface Extent {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}

/** Names of PTX types. */
export interface MatrixTypes {
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly d: string;
}

/**
 * Writes d. Elements are bits, one in a word, those of 64 bits in two with the low one first: a row by row (m x k), b column by
 * column (n x k), c and d row by row (m x n).
 */
export type Multiply = (a: Int32Array, b: Int32Array, c: Int32Array, d: Int32Array) => void;

/** The sign of all elements of A or B is flipped: wgmma's imm-scale. */
export interface Signs {
  readonly negateA: boolean;
  readonly negateB: boolean;
}

const NO_SIGNS: Signs = { negateA: false, negateB: false };

/** Steps of the tensor core with `part` products each: the accumulator is rounded after every step. */
export function bySteps(
  accumulation: Accumulation,
  { m, n, k }: Extent,
  types: MatrixTypes,
  part: number,
  { negateA, negateB } = NO_SIGNS,
): Multiply {
  const [formatA, formatB] = [numberFormats[types.a]!, numberFormats[types.b]!];
  const factorsA = createFactors(m * k, formatA.float.mantissaBits);
  const factorsB = createFactors(n * k, formatB.float.mantissaBits);
  const [cType, dType] = [types.c, types.d] as [SumType, SumType];
  return (a, b, c, d) => {
    decodeFactors(formatA, a, m * k, negateA, factorsA);
    decodeFactors(formatB, b, n * k, negateB, factorsB);
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        let sum = c[row * n + column]!;
        let sumType = cType;
        for (let from = 0; from < k; from += part) {
          const count = Math.min(part, k - from);
          sum = step(accumulation, factorsA, row * k + from, factorsB, column * k + from, count, sum, sumType, dType);
          sumType = dType;
        }
        d[row * n + column] = sum;
      }
  };
}

/** Converts 8-bit floats to f16 by a table of their bits. It is exact: subnormals of e4m3 are normal in f16. */
function halvesOf({ float }: NumberFormat): Int32Array {
  const [decode, encode] = [smallDecoder(float), smallEncoder(F16, "rn")];
  return Int32Array.from({ length: 256 }, (_, bits) => encode(decode(bits)));
}

const halves: Readonly<Record<string, Int32Array>> = {
  e4m3: halvesOf(numberFormats["e4m3"]!),
  e5m2: halvesOf(numberFormats["e5m2"]!),
};

/**
 * 8-bit floats in mma, which ptxas expands to f16 instructions. The first pairs of every four elements are one step from +0, the
 * second pairs the next; c is added by an ordinary addition.
 */
export function byHalves(accumulation: Accumulation, { m, n, k }: Extent, types: MatrixTypes): Multiply {
  const { float } = numberFormats["f16"]!;
  const [factorsA, factorsB] = [createFactors(m * k, float.mantissaBits), createFactors(n * k, float.mantissaBits)];
  const [bitsA, bitsB] = [new Int32Array(m * k), new Int32Array(n * k)];
  const [halfA, halfB] = [halves[types.a]!, halves[types.b]!];
  const type = types.d as SumType;
  const half = k / 2;
  // Element i of a row goes to the first or the second half of it.
  const place = Int32Array.from({ length: k }, (_, i) => ((i >> 1) & 1) * half + (i >> 2) * 2 + (i & 1));
  const fill = (bits: Int32Array, source: Int32Array, rows: number, table: Int32Array): void => {
    for (let row = 0; row < rows; row++)
      for (let i = 0; i < k; i++) bits[row * k + place[i]!] = table[source[row * k + i]! & 0xff]!;
  };
  const add = type === "f32" ? addF32Bits : f16.add;
  return (a, b, c, d) => {
    fill(bitsA, a, m, halfA);
    fill(bitsB, b, n, halfB);
    decodeFactors(numberFormats["f16"]!, bitsA, m * k, false, factorsA);
    decodeFactors(numberFormats["f16"]!, bitsB, n * k, false, factorsB);
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        let sum = 0;
        for (let from = 0; from < k; from += half)
          sum = step(accumulation, factorsA, row * k + from, factorsB, column * k + from, half, sum, type, type);
        d[row * n + column] = add(c[row * n + column]!, sum);
      }
  };
}

const decodeF16 = smallDecoder(F16);
const encodeF16 = smallEncoder(F16, "rn");
const scratch = new DataView(new ArrayBuffer(4));

/** NaN results have all bits set but the sign. */
function f32Bits(x: number): number {
  if (x !== x) return 0x7fffffff;
  scratch.setFloat32(0, x);
  return scratch.getInt32(0);
}

const addF32Bits = (x: number, y: number): number => f32Bits(f32FromBits(x) + f32FromBits(y));

/** mma.m8n8k4 on f16, which ptxas expands to ordinary f32 instructions. */
export function byFusedF32({ m, n }: Extent, types: MatrixTypes): Multiply {
  const k = 4;
  const fma = fmaF32.rn;
  const addend = types.c === "f32" ? f32FromBits : decodeF16;
  const [x, y] = [new Float64Array(k), new Float64Array(k)];
  const pair = (i: number): number => fma(x[i + 1]!, y[i + 1]!, Math.fround(x[i]! * y[i]!));
  return (a, b, c, d) => {
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        for (let i = 0; i < k; i++) {
          x[i] = decodeF16(a[row * k + i]! & 0xffff);
          y[i] = decodeF16(b[column * k + i]! & 0xffff);
        }
        const sum = addend(c[row * n + column]!);
        if (types.d === "f16") {
          d[row * n + column] = encodeF16(Math.fround(Math.fround(sum + pair(0)) + pair(2)));
          continue;
        }
        let products = 0;
        for (let i = 0; i < k; i++) products = fma(x[i]!, y[i]!, products);
        d[row * n + column] = f32Bits(sum + products);
      }
  };
}

/** f64: fused multiply-adds in the order of k. A NaN is the first one of b, the sum and a, quiet. */
export function byFusedF64({ m, n, k }: Extent, mode: RoundingMode): Multiply {
  const fma = fmaF64[mode];
  return (a, b, c, d) => {
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        let bits = wide(c, row * n + column);
        let sum = f64FromBits(bits);
        for (let i = 0; i < k; i++) {
          const [x, y] = [wide(a, row * k + i), wide(b, column * k + i)];
          const next = fma(f64FromBits(x), f64FromBits(y), sum);
          bits = next === next ? f64ToBits(next) : nanOperandF64(y, bits, x);
          sum = next;
        }
        d[2 * (row * n + column)] = Number(BigInt.asIntN(32, bits));
        d[2 * (row * n + column) + 1] = Number(BigInt.asIntN(32, bits >> 32n));
      }
  };
}

const wide = (words: Int32Array, i: number): bigint =>
  BigInt(words[2 * i]! >>> 0) | (BigInt(words[2 * i + 1]! >>> 0) << 32n);

const integers: Readonly<Record<string, (bits: number) => number>> = {
  s8: (bits) => (bits << 24) >> 24,
  u8: (bits) => bits & 0xff,
  s4: (bits) => (bits << 28) >> 28,
  u4: (bits) => bits & 15,
};

/** The exact sum, modulo 2^32 or, with .satfinite, clamped once at the end. */
export function byIntegers({ m, n, k }: Extent, types: MatrixTypes, saturates: boolean): Multiply {
  const [decodeA, decodeB] = [integers[types.a]!, integers[types.b]!];
  const [x, y] = [new Int32Array(m * k), new Int32Array(n * k)];
  return (a, b, c, d) => {
    for (let i = 0; i < m * k; i++) x[i] = decodeA(a[i]!);
    for (let i = 0; i < n * k; i++) y[i] = decodeB(b[i]!);
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        // At most 128 products below 2^16: the sum of them is an int32, with c a double.
        let products = 0;
        for (let i = 0; i < k; i++) products += x[row * k + i]! * y[column * k + i]!;
        const sum = c[row * n + column]! + products;
        d[row * n + column] = saturates ? Math.min(Math.max(sum, -(2 ** 31)), 2 ** 31 - 1) : sum;
      }
  };
}

/** Counts the bits that are 1 in the exclusive or, or in the and. An element is 32 bits of k. */
export function byBits({ m, n, k }: Extent, operation: "xor" | "and"): Multiply {
  const combine = operation === "xor" ? (x: number, y: number) => x ^ y : (x: number, y: number) => x & y;
  return (a, b, c, d) => {
    for (let row = 0; row < m; row++)
      for (let column = 0; column < n; column++) {
        let sum = c[row * n + column]!;
        for (let i = 0; i < k; i++) sum += countBits(combine(a[row * k + i]!, b[column * k + i]!));
        d[row * n + column] = sum;
      }
  };
}

function countBits(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
