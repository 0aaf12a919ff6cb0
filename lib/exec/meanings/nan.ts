// Bits of NaN results that depend on operands': PTX ISA 9.0 section 9.7.3, "NaN payloads are supported for double-precision
// instructions". Which payload of several it does not say: here that of the first NaN operand, made quiet, as the processors
// do that this runs on. An operation that makes a NaN of numbers gives the canonical one.
// Conversions between f32 and f64 keep what fits of a payload: so ptxas folds them when their operand is a constant.
// f32 instructions "return an unspecified NaN": the canonical one.

import type { Scalar, ScalarFunction, View, WordMoves } from "../lanes.js";
import { scalar } from "./meaning.js";

const QUIET_HIGH = 0x00080000;
const QUIET = 0x00400000;

const isNaN64 = (low: number, high: number): boolean => {
  const magnitude = high & 0x7fffffff;
  return magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && low !== 0);
};

/** Of f64 operands. */
const firstNaN: WordMoves["fn"] = (w, d, ...operands) => {
  const at = operands.find((operand) => isNaN64(w[operand]!, w[operand + 1]!));
  const [low, high] = at === undefined ? [0, -QUIET_HIGH] : [w[at]!, w[at + 1]! | QUIET_HIGH];
  w[d!] = low;
  w[d! + 1] = high;
};

/** Of an f32, as an f64. */
const widened: WordMoves["fn"] = (w, d, a) => {
  const bits = w[a!]! | QUIET;
  w[d!] = bits << 29;
  w[d! + 1] = (bits & -0x80000000) | 0x7ff00000 | ((bits & 0x7fffff) >> 3);
};

/** Of an f64, as an f32. */
const narrowed: WordMoves["fn"] = (w, d, a) => {
  const [low, high] = [w[a!]!, w[a! + 1]!];
  w[d!] = (high & -0x80000000) | 0x7fc00000 | ((high & 0x7ffff) << 3) | (low >>> 29);
};

/** An operation on f64 values. */
export const scalar64 = (arity: number, fn: ScalarFunction): Scalar => ({
  ...scalar("f64", new Array<View>(arity).fill("f64"), fn),
  nan: firstNaN,
});

/** A conversion between f32 and f64, or within one of them. */
export function floatConversion(to: "f32" | "f64", from: "f32" | "f64", fn: (x: number) => number): Scalar {
  if (to === "f64" && from === "f64") return scalar64(1, fn);
  const plain = scalar(to, [from], fn);
  return to === from ? plain : { ...plain, nan: to === "f64" ? widened : narrowed };
}
