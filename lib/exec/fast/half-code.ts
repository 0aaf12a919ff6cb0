// Half-precision arithmetic on four lanes. f16 and bf16 bits are converted to f32, which represents both exactly; operations are
// done in f32, and results are rounded once, to nearest even. ../../base/num/half.ts does the same on doubles.
// A sum or product rounded to f32 and then to a half is rounded correctly (24 bits are 2 * 11 + 2); a fused multiply-add is not,
// and is rounded to odd first.

import type { CodeWriter } from "../../../formats/wasm/index.js";
import { type Local } from "../../../formats/wasm/index.js";
import { roundToOdd } from "./fma.js";
import { HELPER } from "./helpers.js";

export type HalfName = "f16" | "bf16";

/** Which half of a word. */
export type HalfIndex = 0 | 1;

/** 2^112: converts f16's exponents to f32's. */
const UP = 0x77800000;
const INFINITY = 0x7f800000;
const SIGN = -0x80000000;
const MIN_NORMAL = 0x00800000;
/** 2^-14, the least normal f16, and 2^16, beyond its largest. */
const LEAST = 0x38800000;
const F16_OVERFLOW = 0x47800000;

/** Pushes a half of each word in `bits` as an f32. */
export function pushHalf(code: CodeWriter, name: HalfName, bits: Local, part: HalfIndex, scratch: Local): void {
  code.get(bits);
  if (name === "bf16") {
    if (part === 0) code.i32(16).op("i32x4.shl");
    else code.words(-0x10000).op("v128.and");
    return;
  }
  if (part === 0) code.i32(16).op("i32x4.shl");
  // The sign stays in place; its shifted copies are masked out.
  code.i32(3).op("i32x4.shr_s").words(-0x70002000).op("v128.and").words(UP).op("f32x4.mul").tee(scratch);
  code.get(scratch).op("f32x4.abs").words(F16_OVERFLOW).op("f32x4.ge").words(INFINITY).op("v128.and", "v128.or");
}

/** 2^-14 - 2^-26: smaller values are below 2^-14 once rounded to 11 bits with an unbounded exponent. */
export const BELOW_LEAST = 0x387ff000;

/** Replaces the f32 on the stack by a zero of its sign if it is a subnormal of the format or below `least`. */
export function flushHalf(
  code: CodeWriter,
  name: HalfName,
  scratch: Local,
  least = name === "f16" ? LEAST : MIN_NORMAL,
): void {
  code.tee(scratch).get(scratch).op("f32x4.abs").words(least).op("f32x4.lt").words(0x7fffffff);
  code.op("v128.and", "v128.andnot");
}

/** Rounds the f32 on the stack to a half at its place in a word; the other half is zero. */
export function roundHalf(code: CodeWriter, name: HalfName, part: HalfIndex): void {
  const [value, magnitude, exponent, scale] = [0, 1, 2, 3].map(() => code.local("v128")) as [
    Local,
    Local,
    Local,
    Local,
  ];
  code.set(value);
  if (name === "bf16") {
    code.get(value).get(value).i32(16).op("i32x4.shr_u").words(1).op("v128.and", "i32x4.add").words(0x7fff);
    code.op("i32x4.add");
    if (part === 0) code.i32(16).op("i32x4.shr_u");
    else code.words(-0x10000).op("v128.and");
  } else {
    // Adding a power of two whose last bit has the weight of the result's rounds the magnitude to it.
    code.get(value).op("f32x4.abs").tee(magnitude).words(INFINITY).op("v128.and");
    code.words(LEAST).op("i32x4.max_s").words(F16_OVERFLOW).op("i32x4.min_s").tee(exponent);
    code
      .words(13 << 23)
      .op("i32x4.add")
      .tee(scale)
      .get(magnitude)
      .op("f32x4.add")
      .get(scale)
      .op("i32x4.sub");
    code
      .get(exponent)
      .i32(13)
      .op("i32x4.shr_u", "i32x4.add")
      .words(113 << 10)
      .op("i32x4.sub");
    code.words(0x7c00).op("i32x4.min_s");
    if (part === 1) code.i32(16).op("i32x4.shl");
    code.get(value).words(SIGN).op("v128.and");
    if (part === 0) code.i32(16).op("i32x4.shr_u");
    code.op("v128.or");
  }
  pushHalfNaN(code, part, value);
}

/** Truncates an f32 on the stack to a half at its place in a word; the other half is zero. */
export function cutOffHalf(code: CodeWriter, name: HalfName, part: HalfIndex): void {
  const [value, magnitude] = [code.local("v128"), code.local("v128")];
  const shiftTo = (): void => void code.i32(16).op(part === 0 ? "i32x4.shr_u" : "i32x4.shl");
  code.set(value);
  if (name === "bf16") {
    code.get(value);
    if (part === 0) shiftTo();
    else code.words(-0x10000).op("v128.and");
  } else {
    // Normal numbers by their bits, up to infinity; others in units of 2^-24.
    code
      .get(value)
      .op("f32x4.abs")
      .tee(magnitude)
      .i32(13)
      .op("i32x4.shr_u")
      .words(112 << 10)
      .op("i32x4.sub");
    code.words(0x7c00).op("i32x4.min_s").get(magnitude).words(0x4b800000).op("f32x4.mul", "i32x4.trunc_sat_f32x4_s");
    code.get(magnitude).words(LEAST).op("i32x4.ge_s", "v128.bitselect");
    if (part === 1) shiftTo();
    code.get(value).words(SIGN).op("v128.and");
    if (part === 0) shiftTo();
    code.op("v128.or");
  }
  pushHalfNaN(code, part, value);
}

/** Replaces the half on the stack by NaN where `value` is NaN. */
const pushHalfNaN = (code: CodeWriter, part: HalfIndex, value: Local): CodeWriter =>
  code
    .words(part === 0 ? 0x7fff : 0x7fff0000)
    .get(value)
    .get(value)
    .op("f32x4.eq", "v128.bitselect");

/** Rounds two doubles on the stack to the precision of the format. Values beyond its range stay beyond it. */
function roundDoubles(code: CodeWriter, name: HalfName): void {
  const [value, magnitude, scale] = [0, 1, 2].map(() => code.local("v128")) as [Local, Local, Local];
  const [least, bits] = name === "f16" ? [1023n - 14n, 10n] : [1023n - 126n, 7n];
  code
    .tee(value)
    .op("f64x2.abs")
    .tee(magnitude)
    .longs(0x7ffn << 52n)
    .op("v128.and");
  code
    .longs(least << 52n)
    .op("f64x2.max")
    .longs((1023n + 200n) << 52n)
    .op("f64x2.min");
  code
    .longs((52n - bits) << 52n)
    .op("i64x2.add")
    .tee(scale);
  code.get(magnitude).op("f64x2.add").get(scale).op("f64x2.sub");
  code
    .get(value)
    .longs(-(2n ** 63n))
    .op("v128.and", "v128.or");
}

/** Pushes a * b + c of f16 values as an f32 rounded to odd; the product is exact. */
function pushFusedHalf(code: CodeWriter, [a, b, c]: readonly [Local, Local, Local]): void {
  const [product, sum, part, error] = [0, 1, 2, 3].map(() => code.local("v128")) as [Local, Local, Local, Local];
  code.get(a).get(b).op("f32x4.mul").tee(product).get(c).op("f32x4.add").tee(sum);
  code.get(product).op("f32x4.sub").set(part);
  code.get(product).get(sum).get(part).op("f32x4.sub", "f32x4.sub");
  code.get(c).get(part).op("f32x4.sub", "f32x4.add").set(error);
  code.get(error).get(sum).op("v128.xor").i32(31).op("i32x4.shr_s").words(1).op("v128.or");
  // Ordered: the error of an infinite sum is a NaN, and there is nothing to do.
  code.get(error).words(0).op("f32x4.lt").get(error).words(0).op("f32x4.gt", "v128.or");
  code.get(sum).words(1).op("v128.and").words(0).op("i32x4.eq", "v128.and", "v128.and").get(sum).op("i32x4.add");
}

/**
 * Pushes a * b + c of bf16 values, whose products f32 may not represent. The nearest f32 is right unless it is midway between two
 * bf16; then the result is computed in doubles.
 */
function pushFusedBrain(code: CodeWriter, operands: readonly [Local, Local, Local], isFused: boolean): void {
  const result = code.local("v128");
  for (const local of operands) code.get(local);
  if (isFused) code.op("f32x4.relaxed_madd");
  else code.call(HELPER.fma32);
  code.tee(result).words(0xffff).op("v128.and").words(0x8000).op("i32x4.eq", "v128.any_true").if();
  const { sum, product, addend } = code.named("v128", ["sum", "product", "addend"]);
  const scratch = Array.from({ length: 4 }, () => code.local("v128"));
  const halves = [0, 1].map((half) => {
    const rounded = code.local("v128");
    const promote = (local: Local): void => {
      code.get(local);
      if (half === 1) code.get(local).shuffleWords([2, 3, 2, 3]);
      code.op("f64x2.promote_low_f32x4");
    };
    promote(operands[0]);
    promote(operands[1]);
    code.op("f64x2.mul").tee(product);
    promote(operands[2]);
    code.tee(addend).op("f64x2.add").set(sum);
    roundToOdd(code, sum, product, addend, scratch);
    code.get(sum);
    roundDoubles(code, "bf16");
    code.op("f32x4.demote_f64x2_zero").set(rounded);
    return rounded;
  });
  code.get(halves[0]!).get(halves[1]!).shuffleWords([0, 1, 4, 5]).set(result).op("end").get(result);
}

export function pushFused(
  code: CodeWriter,
  name: HalfName,
  operands: readonly [Local, Local, Local],
  isFused: boolean,
): void {
  if (name === "f16") pushFusedHalf(code, operands);
  else pushFusedBrain(code, operands, isFused);
}
