// rcp and rsqrt .approx of f64 (PTX ISA 9.0 sections 9.7.3.14, 9.7.3.16 and 9.7.3.17) as functions of generated code, equal to
// those of ../../../base/num/approx.ts bit for bit.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";
import { rcpFtz, rsqrtNormal } from "./functions.js";
import { pushConstant, type UnitCode } from "./interpolate.js";

/** Pushes the upper 20 bits of the fractions at the place of an f32's fraction. */
const pushFraction = (unit: UnitCode, high: Local): CodeWriter => {
  unit.code.get(high).i32(3).op("i32x4.shl");
  return pushConstant(unit, "fraction").op("v128.and");
};

/** Replaces the results of special inputs in their lanes: infinity for zeros, the unit's NaN for NaN. */
function putOthers(unit: UnitCode, high: Local, result: Local): void {
  const { code } = unit;
  code.get(high);
  pushConstant(unit, "doubleExponent").op("v128.and").words(0).op("i32x4.eq");
  pushConstant(unit, "doubleExponent").op("v128.and").get(result).op("i32x4.max_s").get(high);
  pushConstant(unit, "sign").op("v128.and", "v128.or").set(result);
}

/** Pushes ones for lanes whose upper word is that of a NaN. */
function pushIsNaN(unit: UnitCode, high: Local): void {
  unit.code.get(high);
  pushConstant(unit, "magnitude").op("v128.and");
  pushConstant(unit, "doubleExponent").op("i32x4.gt_s");
}

const pushNaN = (unit: UnitCode, high: Local): CodeWriter => {
  pushConstant(unit, "magnitude").get(high);
  return unit.code;
};

/** rcp.approx.ftz.f64 of four upper words. */
export function rcpHigh(at: number): CodeWriter {
  const code = new CodeWriter(["v128"], ["v128"]);
  const unit = { code, at };
  const high = 0;
  const { single, result } = code.named("v128", ["single", "result"]);
  pushFraction(unit, high);
  pushConstant(unit, "one").op("v128.or").set(single);
  rcpFtz(unit, single);
  code.i32(3).op("i32x4.shr_u");
  pushConstant(unit, "rcpHighBias").op("i32x4.add").get(high);
  pushConstant(unit, "doubleExponent").op("v128.and", "i32x4.sub").tee(result).get(result);
  pushConstant(unit, "lastSubnormalHigh").op("i32x4.gt_s", "v128.and").set(result);
  putOthers(unit, high, result);
  pushNaN(unit, result);
  pushIsNaN(unit, high);
  return code.op("v128.bitselect");
}

/** Pushes the upper words of the unit's rsqrt for positive normal numbers. */
function pushRsqrtHigh(unit: UnitCode, high: Local): void {
  const { code } = unit;
  const single = code.local("v128");
  // Odd exponent fields are even exponents.
  pushConstant(unit, "two").get(high).i32(20).op("i32x4.shr_u").i32(31).op("i32x4.shl").i32(8).op("i32x4.shr_u");
  code.op("i32x4.sub");
  pushFraction(unit, high).op("v128.or").set(single);
  rsqrtNormal(unit, single);
  code.i32(3).op("i32x4.shr_u");
  pushConstant(unit, "rsqrtHighBias").op("i32x4.add").get(high);
  pushConstant(unit, "leastNormalHigh").op("i32x4.add").i32(1).op("i32x4.shr_u");
  pushConstant(unit, "doubleExponent").op("v128.and", "i32x4.sub");
}

/** rsqrt.approx.ftz.f64 of four upper words. */
export function rsqrtHigh(at: number): CodeWriter {
  const code = new CodeWriter(["v128"], ["v128"]);
  const unit = { code, at };
  const high = 0;
  const { result } = code.named("v128", ["result"]);
  pushRsqrtHigh(unit, high);
  code.get(high);
  pushConstant(unit, "doubleExponent").op("i32x4.eq", "v128.andnot").set(result);
  // NaN for NaN and for negative numbers; zeros follow.
  pushNaN(unit, result).get(high);
  code.i32(31).op("i32x4.shr_s");
  pushIsNaN(unit, high);
  code.op("v128.or", "v128.bitselect").set(result);
  const isZero = code.local("v128");
  code.get(high);
  pushConstant(unit, "doubleExponent").op("v128.and").words(0).op("i32x4.eq").set(isZero);
  code.get(high);
  pushConstant(unit, "sign").op("v128.and");
  pushConstant(unit, "doubleExponent").op("v128.or").get(result).get(isZero).op("v128.bitselect");
  return code;
}

/** Vectors of `rsqrtDouble`: two doubles each, except `high` with upper words. */
const doubleVectors = ["x", "y", "error", "high", "result", "isSubnormal", "isOther"] as const;

type DoubleLocals = Readonly<Record<(typeof doubleVectors)[number] | "any", Local>>;

/** rsqrt.approx.f64 of two doubles, where the host's multiply-add rounds once. */
export function rsqrtDouble(at: number): CodeWriter {
  const code = new CodeWriter(["v128"], ["v128"]);
  const unit = { code, at };
  const argument = 0;
  const vectors = code.named("v128", doubleVectors);
  const locals = { ...vectors, any: code.local("i32") };
  const { high, result, isSubnormal, any } = locals;
  scaleSubnormals(unit, argument, locals);
  code.get(locals.x).get(locals.x).shuffleWords([1, 3, 1, 3]).set(high);
  pushRsqrtHigh(unit, high);
  code.set(high).words(0).get(high).shuffleWords([0, 4, 0, 5]).set(locals.y);
  refineRsqrt(unit, locals);
  code.get(any).if();
  code.get(result);
  pushConstant(unit, "two27").op("f64x2.mul").get(result).get(isSubnormal).op("v128.bitselect").set(result);
  putSpecialDoubles(unit, argument, result);
  return code.op("end").get(result);
}

/** Sets `any` if a number is not positive and normal; positive subnormal ones are multiplied by 2^54. */
function scaleSubnormals(unit: UnitCode, argument: Local, { x, isSubnormal, isOther, any }: DoubleLocals): void {
  const { code } = unit;
  code.get(argument).set(x);
  code.get(argument);
  pushConstant(unit, "leastDouble").op("f64x2.lt").get(argument);
  pushConstant(unit, "infiniteDouble").op("f64x2.lt", "v128.not", "v128.or").tee(isOther);
  code.op("v128.any_true").tee(any).if();
  code.get(argument).words(0).op("f64x2.gt").get(isOther).op("v128.and").get(argument);
  pushConstant(unit, "leastDouble").op("f64x2.lt", "v128.and").set(isSubnormal);
  code.get(x);
  pushConstant(unit, "two54").op("f64x2.mul").get(x).get(isSubnormal).op("v128.bitselect").set(x).op("end");
}

/** One step: y + (0.5 + 0.375 e) y e, where e = 1 - x y^2. */
function refineRsqrt(unit: UnitCode, { x, y, error, result }: DoubleLocals): void {
  const { code } = unit;
  code.get(x).get(y).get(y).op("f64x2.mul", "f64x2.neg");
  pushConstant(unit, "oneDouble").op("f64x2.relaxed_madd").tee(error);
  pushConstant(unit, "threeEighths");
  pushConstant(unit, "halfDouble").op("f64x2.relaxed_madd");
  code.get(y).get(error).op("f64x2.mul").get(y).op("f64x2.relaxed_madd").set(result);
}

/** Special results: 0 for infinity, NaN for negative numbers, infinity with the sign of a zero, and a quiet NaN for NaN. */
function putSpecialDoubles(unit: UnitCode, argument: Local, result: Local): void {
  const { code } = unit;
  const put = (push: () => void, pushWhere: () => void): void => {
    push();
    code.get(result);
    pushWhere();
    code.op("v128.bitselect").set(result);
  };
  const pushWith = (bits: "infiniteDouble" | "quietBit"): void => {
    code.get(argument);
    pushConstant(unit, bits).op("v128.or");
  };
  put(
    () => code.words(0),
    () => {
      code.get(argument);
      pushConstant(unit, "infiniteDouble").op("f64x2.eq");
    },
  );
  put(
    () => pushConstant(unit, "doubleNaN"),
    () => code.get(argument).words(0).op("f64x2.lt"),
  );
  put(
    () => pushWith("infiniteDouble"),
    () => code.get(argument).words(0).op("f64x2.eq"),
  );
  put(
    () => pushWith("quietBit"),
    () => code.get(argument).get(argument).op("f64x2.ne"),
  );
}
