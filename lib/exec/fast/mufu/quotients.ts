// div.approx and div.full of four f32 (PTX ISA 9.0 section 9.7.3.8), each a function of generated code: a times the special
// function unit's reciprocal of b, as in ../../../base/num/approx.ts.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";
import { multiply, pushOutOfRange, pushScale, rcpFtz } from "./functions.js";
import { pushConstant, type UnitCode } from "./interpolate.js";

/** Pushes a quotient; it may change the operands. */
type Quotient = (unit: UnitCode, a: Local, b: Local) => void;

/** Both operands are scaled where b is small and, for div.full, where it is large. */
const scaled =
  (scalesLarge: boolean): Quotient =>
  (unit, a, b) => {
    const { code } = unit;
    const { isImmoderate, scale } = code.named("v128", ["isImmoderate", "scale"]);
    pushOutOfRange(unit, b);
    code.tee(isImmoderate).op("v128.any_true").if();
    pushScale(unit, b, isImmoderate, scalesLarge);
    code.set(scale);
    multiply(code, a, scale);
    multiply(code, b, scale).op("end");
    rcpFtz(unit, b);
    code.get(a).op("f32x4.mul");
  };

/** Replaces subnormal numbers in a local by zeros of their sign. */
function flush(unit: UnitCode, value: Local): void {
  const { code } = unit;
  code.get(value).get(value);
  pushConstant(unit, "exponent").op("v128.and").words(0).op("i32x4.eq");
  pushConstant(unit, "magnitude").op("v128.and", "v128.andnot").set(value);
}

/**
 * Leaves a * b, flushed, in `a`. The unit rounds with an unbounded exponent and flushes then. If the host's product rounds up to
 * 2^-126, the unit's may be less, so it is decided in doubles.
 */
function multiplyFtz(unit: UnitCode, a: Local, b: Local): void {
  const { code } = unit;
  const product = code.local("v128");
  flush(unit, a);
  flush(unit, b);
  code.get(a).get(b).op("f32x4.mul").tee(product);
  pushConstant(unit, "magnitude").op("v128.and");
  pushConstant(unit, "leastNormal").op("i32x4.eq", "v128.any_true").if();
  code.get(product);
  for (const half of [0, 1]) {
    for (const operand of [a, b]) {
      code.get(operand);
      if (half === 1) code.get(operand).shuffleWords([2, 3, 2, 3]);
      code.op("f64x2.promote_low_f32x4");
    }
    code.op("f64x2.mul", "f64x2.abs");
    pushConstant(unit, "leastRounded").op("f64x2.lt");
  }
  code.shuffleWords([0, 2, 4, 6]);
  pushConstant(unit, "magnitude").op("v128.and", "v128.andnot").set(product).op("end");
  flush(unit, product);
  code.get(product).set(a);
}

function ftz(unit: UnitCode, a: Local, b: Local): void {
  const { code } = unit;
  rcpFtz(unit, b);
  code.set(b);
  multiplyFtz(unit, a, b);
}

/** If |b| is more than 2^126, both operands are divided by four. */
const fullFtz: Quotient = (unit, a, b) => {
  const { code } = unit;
  const { isLarge, quarter, part } = code.named("v128", ["isLarge", "quarter", "part"]);
  code.get(b);
  pushConstant(unit, "magnitude").op("v128.and");
  pushConstant(unit, "large").op("i32x4.gt_s").tee(isLarge).op("v128.any_true").if();
  for (const operand of [a, b]) {
    pushConstant(unit, "twoToMinus2").set(quarter);
    code.get(operand).set(part);
    multiplyFtz(unit, part, quarter);
    code.get(part).get(operand).get(isLarge).op("v128.bitselect").set(operand);
  }
  code.op("end");
  ftz(unit, a, b);
  code.get(a);
};

const quotients = {
  approx: scaled(false),
  "approx.ftz": (unit: UnitCode, a: Local, b: Local): void => {
    ftz(unit, a, b);
    unit.code.get(a);
  },
  full: scaled(true),
  "full.ftz": fullFtz,
} as const satisfies Readonly<Record<string, Quotient>>;

export function quotientFunction(name: keyof typeof quotients, at: number): CodeWriter {
  const code = new CodeWriter(["v128", "v128"], ["v128"]);
  quotients[name]({ code, at }, 0, 1);
  return code;
}
