// Truncation and rounding of products with block scales: the rules of docs/tensor.md, on values that distinguish them.

import test from "ava";
import { f32FromBits, f32ToBits } from "../../../lib/base/num/bits.js";
import { scaledArithmetic } from "../../../lib/exec/tensor/scaled.js";

/** D of one row and one column of zeros except for element `at`, with scales of both as ue8m0 exponents. */
function product(
  type: string,
  k: number,
  count: number,
  elements: readonly (readonly [at: number, a: number, b: number])[],
  c: number,
  exponents: readonly [a: readonly number[], b: readonly number[]],
): number {
  const types = { a: type, b: type, c: "f32", d: "f32" };
  const multiply = scaledArithmetic({ m: 1, n: 1, k }, types, { type: "ue8m0", count });
  const [a, b, d] = [new Int32Array(k), new Int32Array(k), new Int32Array(1)];
  for (const [at, x, y] of elements) [a[at], b[at]] = [x, y];
  const scales = exponents.map((list) => Int32Array.from(list, (e) => (e === Infinity ? 255 : e + 127)));
  multiply(a, b, Int32Array.of(f32ToBits(c)), d, scales[0]!, scales[1]!);
  return f32FromBits(d[0]!);
}

const BELOW_ONE = 1 - 2 ** -24;

test("mxf4 keeps 35 bits below the largest exponent, and rounds toward zero", (t) => {
  const minus = [[0, 2, 10]] as const;
  t.is(
    product("e2m1.packed", 64, 2, minus, 1, [
      [-30, 0],
      [0, 0],
    ]),
    BELOW_ONE,
  );
  t.is(
    product("e2m1.packed", 64, 2, minus, 1, [
      [-35, -60],
      [0, 0],
    ]),
    BELOW_ONE,
  );
  t.is(
    product("e2m1.packed", 64, 2, minus, 1, [
      [-36, -60],
      [0, 0],
    ]),
    1,
  );
  t.is(
    product("e2m1.packed", 64, 2, [[0, 2, 2]], 1, [
      [-24, 0],
      [0, 0],
    ]),
    1,
  );
});

test("mxf4: products of a group are added before truncation, and zeros have the exponents of their scales", (t) => {
  // All but one of thirty-six quarters cancel; the other group has only zeros, with a scale that truncates everything
  // else.
  const cancelled = [
    [0, 7, 7],
    [1, 7, 15],
    [2, 1, 1],
  ] as const;
  t.is(
    product("e2m1.packed", 64, 2, cancelled, 0, [
      [0, 0],
      [0, 0],
    ]),
    0.25,
  );
  t.is(
    product("e2m1.packed", 64, 2, cancelled, 0, [
      [0, 40],
      [0, 0],
    ]),
    0,
  );
});

test("mxf8f6f4 keeps 25 bits below the largest exponent; zeros have none", (t) => {
  const minus = [[3, 0x38, 0xb8]] as const;
  t.is(product("e4m3", 32, 1, minus, 1, [[-25], [0]]), BELOW_ONE);
  t.is(product("e4m3", 32, 1, minus, 1, [[-26], [0]]), 1);
  t.is(product("e4m3", 32, 1, [], 2 ** -100, [[100], [100]]), 2 ** -100);
});

test("NaN scales, NaN and infinite addends, overflow", (t) => {
  const one = [[0, 2, 2]] as const;
  t.is(
    product("e2m1.packed", 64, 2, one, 1, [
      [0, Infinity],
      [0, 0],
    ]),
    NaN,
  );
  t.is(
    product("e2m1.packed", 64, 2, one, NaN, [
      [0, 0],
      [0, 0],
    ]),
    NaN,
  );
  t.is(
    product("e2m1.packed", 64, 2, one, -Infinity, [
      [0, 0],
      [0, 0],
    ]),
    -Infinity,
  );
  t.is(
    product("e2m1.packed", 64, 2, one, 0, [
      [127, 0],
      [127, 0],
    ]),
    Infinity,
  );
  t.is(product("e4m3", 32, 1, [[0, 0x38, 0x38]], 1, [[Infinity], [0]]), NaN);
});
