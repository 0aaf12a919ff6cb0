// The approximations of f32 (PTX ISA 9.0 sections 9.7.3.8 to 9.7.3.22) on four lanes, each a function of generated code. They
// equal those of ../../../base/num/approx.ts bit for bit, except that a NaN may have any bits. Each works on a local and pushes
// its result.
//
// Arguments that need a special case (subnormal, negative, infinite) are rare: one test finds whether one of the four does.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";
import {
  interpolate,
  interpolateTanh,
  pushConstant,
  pushCutOff,
  pushIndex,
  pushOffset,
  type UnitCode,
} from "./interpolate.js";

/** Pushes the result for `argument`, which it may change. */
export type Approximation = (unit: UnitCode, argument: Local) => void;

/** Code for the case that a lane is affected. `begin` takes a mask of lanes from the stack; `again` repeats its test. */
function ifAny({ code }: UnitCode): { readonly begin: () => void; readonly again: () => void } {
  const any = code.local("i32");
  return {
    begin: () => void code.op("v128.any_true").tee(any).if(),
    again: () => void code.get(any).if(),
  };
}

/** Replaces the value on the stack by all ones where `local` is NaN. */
const orNaN = (code: CodeWriter, local: Local): CodeWriter => code.get(local).get(local).op("f32x4.ne", "v128.or");

const pushSmall = (unit: UnitCode, argument: Local): void => {
  unit.code.get(argument);
  pushConstant(unit, "magnitude").op("v128.and");
  pushConstant(unit, "leastNormal").op("i32x4.lt_s");
};

/** Replaces `local` by the value that `push` pushes, in the lanes of `where`. */
function replace(code: CodeWriter, local: Local, push: () => void, where: Local): void {
  push();
  code.get(local).get(where).op("v128.bitselect").set(local);
}

// ------------------------------------------------------------------------------------------------------------- reciprocal

/** MUFU.RCP. */
export const rcpFtz: Approximation = (unit, argument) => {
  const { code } = unit;
  const { x, exponent, result } = code.named("v128", ["x", "exponent", "result"]);
  code.get(argument).i32(16).op("i32x4.shl").i32(15).op("i32x4.shr_u").set(x);
  code.get(argument).i32(12).op("i32x4.shr_u");
  pushConstant(unit, "index7").op("v128.and");
  const { upper } = interpolate(unit, "rcp", x);
  // S is in (2^39, 2^40]: its upper bits without the leading one, less 2^23.
  pushConstant(unit, "rcpBias").get(upper).i32(8).op("i32x4.shr_s", "i32x4.add").get(argument);
  pushConstant(unit, "exponent").op("v128.and").tee(exponent).op("i32x4.sub").tee(result).get(result);
  pushConstant(unit, "lastSubnormal").op("i32x4.gt_s", "v128.and");
  // Zeros give infinity.
  code.get(exponent).words(0).op("i32x4.eq");
  pushConstant(unit, "exponent").op("v128.and", "i32x4.max_s").get(argument);
  pushConstant(unit, "sign").op("v128.and", "v128.or");
  orNaN(code, argument);
};

/** Pushes ones for operands of the reciprocal outside 2^-126 .. 2^126. */
export function pushOutOfRange(unit: UnitCode, argument: Local): void {
  unit.code.get(argument);
  pushConstant(unit, "magnitude").op("v128.and");
  pushConstant(unit, "fromNormal").op("i32x4.add");
  pushConstant(unit, "lastModerate").op("i32x4.gt_s");
}

/** Pushes the powers of two that scale such operands into that range; 1 for the others. */
export function pushScale(unit: UnitCode, argument: Local, isImmoderate: Local, scalesLarge: boolean): void {
  const { code } = unit;
  const isSmall = code.local("v128");
  pushSmall(unit, argument);
  code.set(isSmall);
  pushConstant(unit, "twoTo24");
  pushConstant(unit, scalesLarge ? "twoToMinus2" : "one");
  code.get(isSmall).op("v128.bitselect");
  pushConstant(unit, "one").get(isImmoderate).op("v128.bitselect");
}

export const multiply = (code: CodeWriter, local: Local, by: Local): CodeWriter =>
  code.get(local).get(by).op("f32x4.mul").set(local);

const rcp: Approximation = (unit, argument) => {
  const { code } = unit;
  const { isImmoderate, scale, result } = code.named("v128", ["isImmoderate", "scale", "result"]);
  const some = ifAny(unit);
  pushOutOfRange(unit, argument);
  code.tee(isImmoderate);
  some.begin();
  pushScale(unit, argument, isImmoderate, true);
  code.set(scale);
  multiply(code, argument, scale).op("end");
  rcpFtz(unit, argument);
  code.set(result);
  some.again();
  multiply(code, result, scale).op("end").get(result);
};

// ------------------------------------------------------------------------------------------------------------------ roots

/** Pushes ones for numbers that are not positive and normal. */
function pushAbnormal(unit: UnitCode, argument: Local): void {
  unit.code.get(argument);
  pushConstant(unit, "fromNormal").op("i32x4.add");
  pushConstant(unit, "lastNormal").op("i32x4.gt_s");
}

/** Results for +Infinity and zeros. NaN and negative numbers give NaN. */
interface Others {
  /** Pushes the results for +Infinity, and for zeros. */
  readonly ofInfinity: () => void;
  readonly ofZero: () => void;
}

/** Sets the lanes of `result` whose argument is not positive and normal. */
function putOthers(unit: UnitCode, argument: Local, result: Local, { ofInfinity, ofZero }: Others): void {
  const { code } = unit;
  const where = code.local("v128");
  code.get(argument);
  pushConstant(unit, "exponent").op("i32x4.eq").set(where);
  replace(code, result, ofInfinity, where);
  // Negative, or NaN.
  code.get(argument).i32(31).op("i32x4.shr_s").get(result).op("v128.or");
  orNaN(code, argument).set(result);
  pushSmall(unit, argument);
  code.set(where);
  replace(code, result, ofZero, where);
}

/**
 * Extends an operation on positive normal numbers to all. Given `after`, subnormal ones are multiplied by 2^24 before, and
 * `after` pushes their result; without it, for .ftz, they count as zeros.
 */
function ofPositive(
  compute: Approximation,
  others: (unit: UnitCode, argument: Local) => Others,
  after: ((unit: UnitCode, result: Local) => void) | undefined,
): Approximation {
  return (unit, argument) => {
    const { code } = unit;
    const { isSmall, result } = code.named("v128", ["isSmall", "result"]);
    const some = ifAny(unit);
    pushAbnormal(unit, argument);
    some.begin();
    if (after !== undefined) {
      pushSmall(unit, argument);
      code.set(isSmall);
      replace(code, argument, () => pushConstant(unit, "twoTo24").get(argument).op("f32x4.mul"), isSmall);
    }
    code.op("end");
    compute(unit, argument);
    code.set(result);
    some.again();
    putOthers(unit, argument, result, others(unit, argument));
    if (after !== undefined) replace(code, result, () => after(unit, result), isSmall);
    code.op("end").get(result);
  };
}

/** Pushes the offsets of segments, which the exponent field's lowest bit and the fraction's upper six choose. */
function pushRootIndex(unit: UnitCode, argument: Local): void {
  unit.code.get(argument).i32(13).op("i32x4.shr_u");
  pushConstant(unit, "index7").op("v128.and");
}

/** Pushes half of the exponent, rounded up, in the exponent field. */
function pushHalfExponent(unit: UnitCode, argument: Local): void {
  unit.code.get(argument);
  pushConstant(unit, "leastNormal").op("i32x4.add").i32(1).op("i32x4.shr_u");
  pushConstant(unit, "exponent").op("v128.and");
}

export const rsqrtNormal: Approximation = (unit, argument) => {
  const { code } = unit;
  const x = code.local("v128");
  pushOffset(code, argument);
  code.set(x);
  pushRootIndex(unit, argument);
  // Powers of four have exact results, which exceed the table's by less than 2^16.
  const { upper } = interpolate(unit, "rsqrt", x, () => {
    code.get(argument);
    pushConstant(unit, "powersOfFour").op("v128.and");
    pushConstant(unit, "leastNormal").op("i32x4.eq").i32(16).op("i32x4.shr_u");
  });
  pushConstant(unit, "rsqrtBias").get(upper).i32(8).op("i32x4.shr_s", "i32x4.add");
  pushHalfExponent(unit, argument);
  code.op("i32x4.sub");
};

const sqrtNormal: Approximation = (unit, argument) => {
  const { code } = unit;
  const x = code.local("v128");
  pushOffset(code, argument);
  code.set(x);
  pushRootIndex(unit, argument);
  const { upper } = interpolate(unit, "sqrt", x);
  code.get(upper).i32(9).op("i32x4.shr_u");
  pushConstant(unit, "sqrtBias").op("i32x4.add");
  pushHalfExponent(unit, argument);
  code.op("i32x4.add");
};

const pushSign = (unit: UnitCode, argument: Local): CodeWriter => {
  unit.code.get(argument);
  return pushConstant(unit, "sign").op("v128.and");
};

const ofRsqrt = (unit: UnitCode, argument: Local): Others => ({
  ofInfinity: () => unit.code.words(0),
  ofZero: () => {
    pushSign(unit, argument);
    pushConstant(unit, "exponent").op("v128.or");
  },
});
const ofSqrt = (unit: UnitCode, argument: Local): Others => ({
  ofInfinity: () => pushConstant(unit, "exponent"),
  ofZero: () => pushSign(unit, argument),
});

const rsqrtFtz = ofPositive(rsqrtNormal, ofRsqrt, undefined);
const rsqrt = ofPositive(rsqrtNormal, ofRsqrt, (unit, result) => {
  unit.code.get(result);
  pushConstant(unit, "twoTo12").op("f32x4.mul");
});
const sqrtFtz = ofPositive(sqrtNormal, ofSqrt, undefined);
const sqrt = ofPositive(sqrtNormal, ofSqrt, (unit, result) => {
  unit.code.get(result);
  pushConstant(unit, "twoToMinus12").op("f32x4.mul");
});

// ------------------------------------------------------------------------------------------------- exponential, logarithm

/** MUFU.EX2. */
export const ex2Ftz: Approximation = (unit, argument) => {
  const { code } = unit;
  const { fixed, x, result } = code.named("v128", ["fixed", "x", "result"]);
  // In units of 2^-23, truncated; the ones' complement for negative values that are not whole.
  code.get(argument);
  pushConstant(unit, "ex2Unit").op("f32x4.mul", "i32x4.trunc_sat_f32x4_s").tee(fixed).i32(31).op("i32x4.shr_s");
  code.get(fixed).i32(9).op("i32x4.shl").words(0).op("i32x4.eq", "v128.andnot").get(fixed).op("i32x4.add");
  // Results are infinite from 2^128 on.
  pushConstant(unit, "ex2Most").op("i32x4.min_s").set(fixed);
  pushOffset(code, fixed);
  code.set(x);
  pushIndex(unit, fixed);
  const { upper } = interpolate(unit, "ex2", x);
  code.get(fixed).i32(23).op("i32x4.shr_s").i32(23).op("i32x4.shl").get(upper).i32(9).op("i32x4.shr_u", "i32x4.add");
  pushConstant(unit, "ex2Bias").op("i32x4.add").tee(result).get(result);
  pushConstant(unit, "lastSubnormal").op("i32x4.gt_s", "v128.and");
  orNaN(code, argument);
};

const ex2: Approximation = (unit, argument) => {
  const { code } = unit;
  const { isLow, result } = code.named("v128", ["isLow", "result"]);
  const some = ifAny(unit);
  code.get(argument);
  pushConstant(unit, "minus126").op("f32x4.lt").tee(isLow);
  some.begin();
  replace(code, argument, () => pushConstant(unit, "half").get(argument).op("f32x4.mul"), isLow);
  code.op("end");
  ex2Ftz(unit, argument);
  code.set(result);
  some.again();
  replace(code, result, () => code.get(result).get(result).op("f32x4.mul"), isLow);
  code.op("end").get(result);
};

const lg2Normal: Approximation = (unit, argument) => {
  const { code } = unit;
  const { x, high, low } = code.named("v128", ["x", "high", "low"]);
  pushOffset(code, argument);
  code.set(x);
  pushIndex(unit, argument);
  const { upper, lower } = interpolate(unit, "lg2", x);
  // A double: 1.5 * 2^16 and the exponent above 36 bits of S.
  code.get(upper).i32(6).op("i32x4.shl").get(lower);
  pushConstant(unit, "byte").op("v128.and").i32(2).op("i32x4.shr_u", "v128.or").set(low);
  code.get(upper).i32(26).op("i32x4.shr_u").get(argument).i32(23).op("i32x4.shr_u").i32(4).op("i32x4.shl", "i32x4.add");
  pushConstant(unit, "lg2High").op("i32x4.add").set(high);
  // The ones' complement of a negative value: one unit less.
  const difference = code.local("v128");
  pushCutOff(unit, high, low, "lg2Base", () => {
    code.tee(difference).words(0).op("f64x2.lt");
    pushConstant(unit, "lg2Unit").op("v128.and").get(difference).op("f64x2.add");
  });
  code.get(argument);
  pushConstant(unit, "one").op("i32x4.eq", "v128.andnot");
};

const ofLg2 = (unit: UnitCode): Others => ({
  ofInfinity: () => pushConstant(unit, "exponent"),
  ofZero: () => pushConstant(unit, "minusInfinity"),
});

const lg2Ftz = ofPositive(lg2Normal, ofLg2, undefined);
const lg2 = ofPositive(lg2Normal, ofLg2, (unit, result) => {
  unit.code.get(result);
  pushConstant(unit, "minus24").op("f32x4.add");
});

// ---------------------------------------------------------------------------------------------------- sine, cosine, tanh

/** Pushes S truncated to 24 bits, as f32 values, through doubles that contain S below `base`. */
function pushFixed(unit: UnitCode, { upper, lower }: ReturnType<typeof interpolate>, base: "two15" | "two13"): void {
  const { code } = unit;
  const { high, low } = code.named("v128", ["high", "low"]);
  code.get(upper).i32(8).op("i32x4.shl").get(lower);
  pushConstant(unit, "byte").op("v128.and", "v128.or").set(low);
  code.get(upper).i32(24).op("i32x4.shr_u");
  pushConstant(unit, `${base}High`).op("v128.or").set(high);
  pushCutOff(unit, high, low, base);
}

/** sin of the argument plus `quarters` quarter turns. */
const sine =
  (quarters: 0 | 1): Approximation =>
  (unit, argument) => {
    const { code } = unit;
    const { size, fixed, fraction, x } = code.named("v128", ["size", "fixed", "fraction", "x"]);
    // In units of 2^-25 turns, modulo 2^32: first truncated to 24 bits, then to a whole number.
    code.get(argument).op("f32x4.abs").set(size);
    for (const half of [0, 1]) {
      code.get(size);
      if (half === 1) code.get(size).shuffleWords([2, 3, 2, 3]);
      code.op("f64x2.promote_low_f32x4");
      pushConstant(unit, "turns").op("f64x2.mul");
      pushConstant(unit, "single").op("v128.and");
      pushConstant(unit, "wholeTurns").op("f64x2.pmin", "f64x2.floor");
      pushConstant(unit, "two52").op("f64x2.add");
    }
    code.shuffleWords([0, 2, 4, 6]);
    if (quarters === 1) pushConstant(unit, "turn4").op("i32x4.add");
    code.tee(fixed).i32(8).op("i32x4.shl").i32(31).op("i32x4.shr_s").get(fixed).op("v128.xor").set(fraction);
    pushOffset(code, fraction);
    code.set(x);
    pushIndex(unit, fraction);
    pushFixed(unit, interpolate(unit, "sin", x), "two15");
    code.get(fixed).i32(7).op("i32x4.shl");
    if (quarters === 0) code.get(argument).op("v128.xor");
    pushConstant(unit, "sign").op("v128.and", "v128.or");
    // Infinity and NaN minus themselves are NaN.
    code.get(argument).get(argument).op("f32x4.sub").set(size);
    orNaN(code, size);
  };

const sin = sine(0);
const cos = sine(1);

/** MUFU.TANH. */
export const tanh: Approximation = (unit, argument) => {
  const { code } = unit;
  const { size, fraction } = code.named("v128", ["size", "fraction"]);
  code.get(argument);
  pushConstant(unit, "fraction").op("v128.and").set(fraction).get(argument);
  pushConstant(unit, "magnitude").op("v128.and").tee(size).i32(19).op("i32x4.shr_u");
  pushConstant(unit, "tanhFirst").op("i32x4.sub").words(0).op("i32x4.max_s");
  pushConstant(unit, "tanhLast").op("i32x4.min_s").i32(4).op("i32x4.shl");
  pushFixed(unit, interpolateTanh(unit, fraction), "two13");
  pushSign(unit, argument).op("v128.or").set(fraction);
  code.get(argument).get(fraction);
  pushConstant(unit, "tanhLeast").get(size).op("i32x4.gt_s", "v128.bitselect");
  orNaN(code, argument);
};

// --------------------------------------------------------------------------------------------------------------- functions

export const approximations = {
  rcp,
  "rcp.ftz": rcpFtz,
  rsqrt,
  "rsqrt.ftz": rsqrtFtz,
  sqrt,
  "sqrt.ftz": sqrtFtz,
  ex2,
  "ex2.ftz": ex2Ftz,
  lg2,
  "lg2.ftz": lg2Ftz,
  sin,
  cos,
  tanh,
} as const satisfies Readonly<Record<string, Approximation>>;

export type ApproximationName = keyof typeof approximations;

/** Builds the function of four f32. */
export function approximationFunction(approximation: Approximation, at: number): CodeWriter {
  const code = new CodeWriter(["v128"], ["v128"]);
  approximation({ code, at }, 0);
  return code;
}
