// The .approx and .full instructions (PTX ISA 9.7.3.8 div, 9.7.3.13 rcp, 9.7.3.14 rcp.approx.ftz.f64, 9.7.3.15 sqrt,
// 9.7.3.16 rsqrt, 9.7.3.17 rsqrt.approx.ftz.f64, 9.7.3.18 sin, 9.7.3.19 cos, 9.7.3.20 lg2, 9.7.3.21 ex2, 9.7.3.22 tanh,
// 9.7.4.9 and 9.7.4.10 for halves).
//
// PTX bounds their errors only. Here each is the f32 nearest to the true value (but for the rare argument whose value
// lies within 1e-12 of a midpoint): inside every bound, the same on every machine and run, and of no GPU in particular.
// sin and cos, for which PTX gives no bound outside +-100 pi, stay as accurate for all arguments.
// .ftz is flushF32 around these: rsqrt.approx.ftz of a negative subnormal is -Infinity, without .ftz NaN.

import { f64FromWords, f64HighWord, f64LowWord } from "./bits.js";
import { exp2, log2, sinPlusQuadrants, tanh } from "./elementary.js";
import { type Unary } from "./rounding.js";
import { smallDecoder, smallEncoder, type SmallFloat } from "./small-float.js";

const fround = Math.fround;

export const rcpApproxF32 = (x: number): number => fround(1 / x);
export const sqrtApproxF32 = (x: number): number => fround(Math.sqrt(x));
export const rsqrtApproxF32 = (x: number): number => fround(1 / Math.sqrt(x));
export const ex2ApproxF32 = (x: number): number => fround(exp2(x));
export const cosApproxF32 = (x: number): number => fround(sinPlusQuadrants(x, 1));

/** sin and tanh return arguments that are zero or subnormal, with their sign. */
export const sinApproxF32 = (x: number): number => (Math.abs(x) < 2 ** -126 ? x : fround(sinPlusQuadrants(x, 0)));
export const tanhApproxF32 = (x: number): number => (Math.abs(x) < 2 ** -126 ? x : fround(tanh(x)));

export function lg2ApproxF32(x: number): number {
  if (x > 0) return x === Infinity ? x : fround(log2(x));
  return x === 0 ? -Infinity : NaN;
}

/**
 * div.approx: a * (1/b), each rounded. For 2^126 < |b| < 2^128 the reciprocal counts as zero: a zero with the sign of
 * the quotient, or NaN if a is infinite. A subnormal b, for which PTX says nothing, divides exactly.
 */
export function divApproxF32(a: number, b: number): number {
  const size = Math.abs(b);
  if (size < 2 ** -126) return fround(a / b);
  const reciprocal = 1 / b;
  return fround(a * (size > 2 ** 126 ? reciprocal * 0 : fround(reciprocal)));
}

/** div.full: at most 2 ulp off; the nearest is at most 0.5 off. */
export const divFullF32 = (a: number, b: number): number => fround(a / b);

function onSmall(operation: Unary): (format: SmallFloat) => Unary {
  return (format) => {
    const decode = smallDecoder(format);
    const encode = smallEncoder(format, "rn");
    return (bits) => encode(operation(decode(bits)));
  };
}

/** ex2.approx and tanh.approx of f16 and bf16, bits to bits (.ftz: flushSmall around it). */
export const ex2ApproxSmall = onSmall(exp2);
export const tanhApproxSmall = onSmall(tanh);

/** rsqrt.approx.f64. */
export const rsqrtApproxF64 = (x: number): number => 1 / Math.sqrt(x);

const HIGH_NAN = 0x7fffffff;
const HIGH_INFINITY = 0x7ff00000;

// The forms that see and make only the upper word of an f64 (the lower word of the result is zero), flushing subnormals.
function onHighWord(operation: Unary): Unary {
  return (high) => {
    const magnitude = high & 0x7fffffff;
    if (magnitude > HIGH_INFINITY) return HIGH_NAN;
    const flushed = magnitude < 0x00100000 ? high & 0x80000000 : high;
    const result = operation(f64FromWords(flushed, 0));
    if (result !== result) return HIGH_NAN;
    const rounded = (f64HighWord(result) + (f64LowWord(result) >>> 31)) | 0;
    return (rounded & 0x7fffffff) < 0x00100000 ? rounded & 0x80000000 : rounded;
  };
}

/** rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: bits 63..32 in, bits 63..32 out (int32); bits 31..0 of d are zero. */
export const rcpApproxF64High = onHighWord((x) => 1 / x);
export const rsqrtApproxF64High = onHighWord((x) => 1 / Math.sqrt(x));
