import test from "ava";
import {
  cosApproxF32,
  divApproxF32,
  divFullF32,
  ex2ApproxF32,
  lg2ApproxF32,
  rcpApproxF32,
  rcpApproxF64High,
  rsqrtApproxF32,
  rsqrtApproxF64High,
  sinApproxF32,
  sqrtApproxF32,
  tanhApproxF32,
} from "../../../lib/base/num/approx.js";
import { exp2, log2, sinPlusQuadrants, tanh } from "../../../lib/base/num/elementary.js";
import { compareAll } from "./reference.js";
import { operandOfFunction } from "./operands.js";

type Row = readonly [input: number, result: number];

test("the functions in doubles are within 1e-12 of the C library", (t) => {
  const worst = { exp2: 0, log2: 0, sin: 0, cos: 0, tanh: 0 };
  const note = (name: keyof typeof worst, actual: number, expected: number): void => {
    if (Object.is(actual, expected) || (actual === 0 && Math.abs(expected) < 1e-300)) return;
    if (actual === Infinity && expected > 1e300) return;
    const error = Math.abs(actual - expected) / Math.max(Math.abs(expected), 2 ** -126);
    worst[name] = Number.isNaN(error) ? Infinity : Math.max(worst[name], error);
  };
  compareAll("elementary", 0x19660d01, (from, results) => {
    const x = operandOfFunction(from);
    note("exp2", exp2(x), results.nextDouble());
    const logarithm = results.nextDouble();
    if (x !== 0 && Number.isFinite(x)) note("log2", log2(Math.abs(x)), logarithm);
    note("sin", sinPlusQuadrants(x, 0), results.nextDouble());
    note("cos", sinPlusQuadrants(x, 1), results.nextDouble());
    note("tanh", tanh(x), results.nextDouble());
  });
  for (const [name, error] of Object.entries(worst)) t.true(error < 1e-12, `${name}: ${error}`);
  t.log(worst);
});

function special(name: string, operation: (x: number) => number, rows: readonly Row[]): void {
  test(`${name} has the special values of its table`, (t) => {
    for (const [input, result] of rows) t.is(operation(input), result, String(input));
  });
}

const TINY = 2 ** -149;
special("rcp", rcpApproxF32, [
  [-Infinity, -0],
  [-0, -Infinity],
  [0, Infinity],
  [Infinity, 0],
  [NaN, NaN],
]);
special("sqrt", sqrtApproxF32, [
  [-Infinity, NaN],
  [-1, NaN],
  [-0, -0],
  [0, 0],
  [Infinity, Infinity],
  [NaN, NaN],
]);
special("rsqrt", rsqrtApproxF32, [
  [-Infinity, NaN],
  [-1, NaN],
  [-0, -Infinity],
  [0, Infinity],
  [Infinity, 0],
]);
special("sin", sinApproxF32, [
  [-Infinity, NaN],
  [-0, -0],
  [0, 0],
  [Infinity, NaN],
  [NaN, NaN],
  [-TINY, -TINY],
]);
special("cos", cosApproxF32, [
  [-Infinity, NaN],
  [-0, 1],
  [0, 1],
  [Infinity, NaN],
  [NaN, NaN],
  [TINY, 1],
]);
special("lg2", lg2ApproxF32, [
  [-1, NaN],
  [-Infinity, NaN],
  [-0, -Infinity],
  [0, -Infinity],
  [Infinity, Infinity],
]);
special("lg2 of powers of two", lg2ApproxF32, [
  [1, 0],
  [8, 3],
  [TINY, -149],
  [2 ** -126, -126],
  [NaN, NaN],
]);
special("ex2", ex2ApproxF32, [
  [-Infinity, 0],
  [-0, 1],
  [0, 1],
  [Infinity, Infinity],
  [NaN, NaN],
  [-149, TINY],
]);
special("ex2 at the ends", ex2ApproxF32, [
  [128, Infinity],
  [127, 2 ** 127],
  [-200, 0],
  [-126, 2 ** -126],
]);
special("tanh", tanhApproxF32, [
  [-Infinity, -1],
  [-0, -0],
  [0, 0],
  [Infinity, 1],
  [NaN, NaN],
  [-TINY, -TINY],
]);

test("div.approx loses divisors beyond 2^126; div.full does not", (t) => {
  t.is(divApproxF32(1, 2 ** 127), 0);
  t.is(divApproxF32(-1, 2 ** 127), -0);
  t.is(divApproxF32(Infinity, 2 ** 127), NaN);
  t.is(divApproxF32(6, 3), 2);
  t.is(divApproxF32(1, 2 ** 126), 2 ** -126);
  t.is(divFullF32(1, 2 ** 127), 2 ** -127);
  t.is(divFullF32(0, 0), NaN);
});

test("f64 approximations scale with their operands, so that all mantissas of few exponents are the whole domain", (t) => {
  const one = 0x3ff00000;
  const step = 0x00100000;
  for (let mantissa = 0; mantissa < step; mantissa += 10_007) {
    const wrong: number[] = [];
    for (let exponent = -1022; exponent <= 1021; exponent++) {
      const high = one + mantissa + exponent * step;
      const reciprocal = rcpApproxF64High(one + mantissa) - exponent * step;
      if (rcpApproxF64High(high) !== reciprocal || rcpApproxF64High(high | 0x80000000) !== (reciprocal | 0x80000000))
        wrong.push(exponent);
      const half = Math.floor(exponent / 2);
      if (rsqrtApproxF64High(high) !== rsqrtApproxF64High(high - 2 * half * step) - half * step) wrong.push(exponent);
    }
    t.deepEqual(wrong, [], `mantissa ${mantissa}`);
  }
});

test("f64 approximations see and make the upper word only", (t) => {
  t.is(rcpApproxF64High(0x40000000), 0x3fe00000);
  t.is(rcpApproxF64High(0x00000001), 0x7ff00000);
  t.is(rcpApproxF64High(0x800fffff | 0), 0xfff00000 | 0);
  t.is(rcpApproxF64High(0x7ff00000), 0);
  t.is(rcpApproxF64High(0xfff80000 | 0), 0x7fffffff);
  t.is(rcpApproxF64High(0x7fe00000), 0, "a subnormal result is flushed");
  t.is(rsqrtApproxF64High(0x40100000), 0x3fe00000);
  t.is(rsqrtApproxF64High(0x80000001 | 0), 0xfff00000 | 0);
  t.is(rsqrtApproxF64High(0xbff00000 | 0), 0x7fffffff);
});
