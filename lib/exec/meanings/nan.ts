// Bits of NaN results that depend on the operands' bits: PTX ISA 9.0 section 9.7.3, "NaN payloads are supported for
// double-precision instructions". The text leaves open which of several NaN operands is the result: an H200 has an order for each
// operation (testdata/hardware/h200/scalar). It makes the NaN quiet and keeps sign and payload; a NaN made of numbers is
// canonical. Conversions to and from f64 keep what fits of a payload. f32 and halves "return an unspecified NaN": the canonical
// one.

import { F32_NAN_BITS } from "../../base/num/bits.js";
import type { SmallFloat } from "../../base/num/small-float.js";
import type { Scalar, ScalarFunction, View, WordMoves } from "../machine/lanes.js";
import { scalar } from "./meaning.js";

/** The bit of an f64's upper word that makes a NaN quiet. */
export const QUIET_HIGH = 0x00080000;
const QUIET = 0x00400000;
const SIGN = -0x80000000;

export const isNaN64 = (low: number, high: number): boolean => {
  const magnitude = high & 0x7fffffff;
  return magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && low !== 0);
};

/** The NaN of f64 operands: that of the first operand that is one, in this order. */
function firstNaN(order: readonly number[] | undefined): WordMoves["fn"] {
  return (w, d, ...operands) => {
    const ordered = order === undefined ? operands : order.map((i) => operands[i]!);
    const at = ordered.find((operand) => isNaN64(w[operand]!, w[operand + 1]!));
    const [low, high] = at === undefined ? [0, -QUIET_HIGH] : [w[at]!, w[at + 1]! | QUIET_HIGH];
    w[d!] = low;
    w[d! + 1] = high;
  };
}

/** The NaN of an f32, as an f64. */
const widened: WordMoves["fn"] = (w, d, a) => {
  const bits = w[a!]! | QUIET;
  w[d!] = bits << 29;
  w[d! + 1] = (bits & SIGN) | 0x7ff00000 | ((bits & 0x7fffff) >> 3);
};

/** The NaN of an f32 with .ftz, as an f64: flushing is an operation of f32, which makes the NaN canonical. */
const widenedCanonical: WordMoves["fn"] = (w, d) => {
  w[d!] = F32_NAN_BITS << 29;
  w[d! + 1] = 0x7ff00000 | ((F32_NAN_BITS & 0x7fffff) >> 3);
};

/** The NaN of an f16 or bf16, as an f64. */
const widenedFrom =
  ({ mantissaBits }: SmallFloat): WordMoves["fn"] =>
  (w, d, a) => {
    const bits = w[a!]!;
    const payload = (bits & (2 ** mantissaBits - 1)) << (20 - mantissaBits);
    w[d!] = 0;
    w[d! + 1] = ((bits << 16) & SIGN) | 0x7ff00000 | QUIET_HIGH | payload;
  };

/** The NaN of an f64, as an f32. */
const narrowed: WordMoves["fn"] = (w, d, a) => {
  const [low, high] = [w[a!]!, w[a! + 1]!];
  w[d!] = (high & SIGN) | 0x7fc00000 | ((high & 0x7ffff) << 3) | (low >>> 29);
};

/** The NaN of an f64, given by its upper word, as an f16 or bf16. */
export function narrowedTo({ mantissaBits, signBit, infinityBits }: SmallFloat, high: number): number {
  const quiet = 2 ** (mantissaBits - 1);
  return (high < 0 ? signBit : 0) | infinityBits | quiet | ((high & 0xfffff) >> (20 - mantissaBits));
}

/** An operation on f64 values. `order` lists the operands by the precedence of their NaNs; if absent, it is that of the text. */
export const scalar64 = (arity: number, fn: ScalarFunction, order?: readonly number[]): Scalar => ({
  ...scalar("f64", new Array<View>(arity).fill("f64"), fn),
  nan: firstNaN(order),
});

/** The source of a conversion: an f32, with .ftz or without, an f64, or bits of a small format. */
export type FloatOrigin = "f32" | "f32.ftz" | "f64" | SmallFloat;

/** A conversion to f32 or f64. */
export function floatConversion(to: "f32" | "f64", from: FloatOrigin, fn: (x: number) => number): Scalar {
  const view: View = typeof from === "object" ? "u16" : from === "f64" ? "f64" : "f32";
  const plain = scalar(to, [view], fn);
  if (to === "f32") return from === "f64" ? { ...plain, nan: narrowed } : plain;
  if (from === "f64") return scalar64(1, fn);
  return { ...plain, nan: typeof from === "object" ? widenedFrom(from) : from === "f32" ? widened : widenedCanonical };
}
