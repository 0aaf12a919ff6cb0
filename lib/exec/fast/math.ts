// ex2, lg2, sin, cos and tanh of four f32 (PTX ISA 9.0 sections 9.7.3.18 to 9.7.3.22), each a function of generated code. They
// are those of ../../base/num/elementary.ts, operation by operation in doubles, two lanes at a time, so that every bit is the same;
// what is special of f32 arguments is that of approx.ts.

import { CodeWriter, type Local } from "../../../formats/wasm/index.js";
import { f64ToBits } from "../../base/num/bits.js";
import {
  ATANH,
  COS,
  EXP,
  HALF_PI_HIGH,
  HALF_PI_LOW,
  LN_2,
  SIN,
  SQRT_2,
  TWO_LOG2_E,
  TWO_OVER_LN_2,
  TWO_OVER_PI,
} from "../../base/num/elementary.js";
import { IMPORTED } from "./helpers.js";
import { forSetLanes } from "./set-lanes.js";

const ONE = 0x3ff0_0000_0000_0000n;
const INFINITY = 0x7f800000;
const NAN = 0x7fc00000;
/** 2^-126: smaller magnitudes are zeros and subnormals. */
const LEAST_NORMAL = 0x00800000;

const both = (code: CodeWriter, value: number): CodeWriter => code.longs(f64ToBits(value));

/** Pushes c[0] + z (c[1] + z (c[2] + ...)). */
function pushPolynomial(code: CodeWriter, coefficients: readonly number[], z: Local): void {
  both(code, coefficients.at(-1)!);
  for (const c of coefficients.slice(0, -1).reverse()) {
    code.get(z).op("f64x2.mul");
    both(code, c).op("f64x2.add");
  }
}

/** A function of four f32 from one of two doubles, which finds them on the stack. */
export function onDoubles(code: CodeWriter, argument: Local, compute: () => void): void {
  const low = code.local("v128");
  code.get(argument).op("f64x2.promote_low_f32x4");
  compute();
  code.op("f32x4.demote_f64x2_zero").set(low);
  code.get(argument).get(argument).shuffleWords([2, 3, 2, 3]).op("f64x2.promote_low_f32x4");
  compute();
  code.op("f32x4.demote_f64x2_zero").set(argument);
  code.get(low).get(argument).shuffleWords([0, 1, 4, 5]);
}

/** From two doubles on the stack to 2^x. Beyond 1000 all is infinite or zero to whoever rounds it. */
export function exponential(code: CodeWriter): () => void {
  const [x, whole, z] = [code.local("v128"), code.local("v128"), code.local("v128")];
  return () => {
    both(code, -1000).op("f64x2.max");
    both(code, 1000).op("f64x2.min").tee(x);
    both(code, 0.5).op("f64x2.add", "f64x2.floor").set(whole);
    code.get(x).get(whole).op("f64x2.sub");
    both(code, LN_2).op("f64x2.mul").set(z);
    pushPolynomial(code, EXP, z);
    code.get(whole).op("i32x4.trunc_sat_f64x2_s_zero", "i64x2.extend_low_i32x4_s");
    code.longs(1023n).op("i64x2.add").i32(52).op("i64x2.shl", "f64x2.mul");
  };
}

const unary = (): CodeWriter => new CodeWriter(["v128"], ["v128"]);

export function ex2(): CodeWriter {
  const code = unary();
  onDoubles(code, 0, exponential(code));
  return code;
}

export function lg2(): CodeWriter {
  const code = unary();
  const { argument, x, floor, m, s, z, isUpper } = code.named("v128", [
    "argument",
    "x",
    "floor",
    "m",
    "s",
    "z",
    "isUpper",
  ]);
  code.get(0).set(argument);
  onDoubles(code, 0, () => {
    code.tee(x).i32(52).op("i64x2.shr_u");
    // The exponent's field behind the point of 2^52.
    both(code, 2 ** 52).op("v128.or");
    both(code, 2 ** 52 + 1023)
      .op("f64x2.sub")
      .set(floor);
    code.get(x).longs(0x000f_ffff_ffff_ffffn).op("v128.and").longs(ONE).op("v128.or").tee(m);
    both(code, SQRT_2).op("f64x2.gt").set(isUpper);
    code.get(m);
    both(code, 0.5).op("f64x2.mul").get(m).get(isUpper).op("v128.bitselect").set(m);
    code.get(floor).longs(ONE).get(isUpper).op("v128.and", "f64x2.add");
    code.get(m).longs(ONE).op("f64x2.sub").get(m).longs(ONE).op("f64x2.add", "f64x2.div").tee(s);
    both(code, TWO_OVER_LN_2).op("f64x2.mul");
    code.get(s).get(s).op("f64x2.mul").set(z);
    pushPolynomial(code, ATANH, z);
    code.op("f64x2.mul", "f64x2.add");
  });
  code.set(x);
  // Of what is no positive number: infinity stays, zero is less than any, the rest has none.
  code.words(INFINITY).get(x).get(argument).words(INFINITY).op("i32x4.eq", "v128.bitselect");
  code
    .words(INFINITY | -0x80000000)
    .words(NAN)
    .get(argument)
    .words(0)
    .op("f32x4.eq", "v128.bitselect");
  code.get(argument).words(0).op("f32x4.gt", "v128.bitselect");
  return code;
}

/** sin(x + quadrants * pi/2); the host is asked for those of large arguments. */
function sine(quadrants: 0 | 1): CodeWriter {
  const code = unary();
  const { argument, x, count, r, z, quadrant, result } = code.named("v128", [
    "argument",
    "x",
    "count",
    "r",
    "z",
    "quadrant",
    "result",
  ]);
  const lanes = code.local("i32");
  code.get(0).set(argument);
  onDoubles(code, 0, () => {
    code.tee(x);
    both(code, TWO_OVER_PI).op("f64x2.mul");
    both(code, 0.5).op("f64x2.add", "f64x2.floor").set(count);
    code.get(x).get(count);
    both(code, HALF_PI_HIGH).op("f64x2.mul", "f64x2.sub").get(count);
    both(code, HALF_PI_LOW).op("f64x2.mul", "f64x2.sub").tee(r).get(r).op("f64x2.mul").set(z);
    code.get(count).op("i32x4.trunc_sat_f64x2_s_zero", "i64x2.extend_low_i32x4_s");
    if (quadrants === 1) code.longs(1n).op("i64x2.add");
    code.set(quadrant);
    pushPolynomial(code, COS, z);
    code.get(r);
    pushPolynomial(code, SIN, z);
    code.op("f64x2.mul");
    code.get(quadrant).longs(1n).op("v128.and").longs(1n).op("i64x2.eq", "v128.bitselect");
    code.get(quadrant).longs(2n).op("v128.and").i32(62).op("i64x2.shl", "v128.xor");
  });
  code.set(result);
  if (quadrants === 0) {
    code.get(argument).get(result).get(argument).op("f32x4.abs").words(LEAST_NORMAL);
    code.op("f32x4.lt", "v128.bitselect").set(result);
  }
  // 2^20 and more, infinity, NaN.
  code.get(argument).op("f32x4.abs").words(0x49800000).op("f32x4.lt", "v128.not", "i32x4.bitmask").tee(lanes).if();
  forSetLanes(code, lanes, (lane) => {
    code
      .get(result)
      .get(argument)
      .lane("f32x4.extract_lane", lane)
      .op("f64.promote_f32")
      .i32(quadrants)
      .call(IMPORTED.sine);
    code.op("f32.demote_f64").lane("f32x4.replace_lane", lane).set(result);
  });
  return code.op("end").get(result);
}

export const sin = (): CodeWriter => sine(0);
export const cos = (): CodeWriter => sine(1);

/** From two doubles on the stack to their hyperbolic tangents. */
export function tangent(code: CodeWriter): () => void {
  const [x, size, result] = [code.local("v128"), code.local("v128"), code.local("v128")];
  const power = exponential(code);
  return () => {
    code.tee(x).op("f64x2.abs").tee(size);
    both(code, TWO_LOG2_E).op("f64x2.mul");
    power();
    code.longs(ONE).op("f64x2.add").set(result);
    code.longs(ONE);
    both(code, 2).get(result);
    // Of the argument's sign.
    code
      .op("f64x2.div", "f64x2.sub")
      .get(x)
      .longs(-(2n ** 63n))
      .op("v128.and", "v128.or")
      .set(result);
    code.get(x).longs(ONE).get(x).get(x).op("f64x2.mul");
    both(code, 3).op("f64x2.div", "f64x2.sub", "f64x2.mul").get(result).get(size);
    both(code, 2 ** -12).op("f64x2.lt", "v128.bitselect");
  };
}

export function tanh(): CodeWriter {
  const code = unary();
  const [argument, result] = [code.local("v128"), code.local("v128")];
  code.get(0).set(argument);
  onDoubles(code, 0, tangent(code));
  code.set(result);
  code.get(argument).get(result).get(argument).op("f32x4.abs").words(LEAST_NORMAL).op("f32x4.lt", "v128.bitselect");
  return code;
}
