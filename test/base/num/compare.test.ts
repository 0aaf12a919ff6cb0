import test from "ava";
import * as compare from "../../../lib/base/num/compare.js";

const pairs = [
  [1, 2],
  [2, 1],
  [1, 1],
  [NaN, 1],
] as const;

test("floating-point comparisons: ordered, unordered, num, nan", (t) => {
  const table = Object.fromEntries(
    Object.entries(compare.compareFloat).map(([op, f]) => [op, pairs.map(([a, b]) => (f(a, b) ? 1 : 0)).join("")]),
  );
  // Columns: less, greater, equal, NaN.
  t.deepEqual(table, {
    ...{ eq: "0010", ne: "1100", lt: "1000", le: "1010", gt: "0100", ge: "0110" },
    ...{ equ: "0011", neu: "1101", ltu: "1001", leu: "1011", gtu: "0101", geu: "0111" },
    ...{ num: "1110", nan: "0001" },
  });
});

test("the zeros compare equal", (t) => {
  t.true(compare.compareFloat.eq(0, -0));
  t.false(compare.compareFloat.ne(0, -0));
  t.false(compare.compareFloat.lt(-0, 0));
});

test("integer comparisons serve numbers and bigints", (t) => {
  const table = Object.fromEntries(
    Object.entries(compare.compareInt).map(([op, f]) => [op, [f(-1, 1), f(2n, 1n), f(5, 5)].map(Number).join("")]),
  );
  t.deepEqual(table, {
    ...{ eq: "001", ne: "110", lt: "100", le: "101", gt: "010", ge: "011" },
    ...{ lo: "100", ls: "101", hi: "010", hs: "011" },
  });
});

test("min and max pass a NaN over; .NaN passes it on; zeros are ordered", (t) => {
  t.is(compare.minNumber(NaN, 1), 1);
  t.is(compare.maxNumber(1, NaN), 1);
  t.is(compare.minNumber(NaN, NaN), NaN);
  t.is(compare.minNumber(0, -0), -0);
  t.is(compare.maxNumber(-0, 0), 0);
  t.is(compare.minNaN(NaN, 1), NaN);
  t.is(compare.maxNaN(1, NaN), NaN);
});

test(".xorsign takes the sign bits before .abs", (t) => {
  t.is(compare.withXorSign(2, 0x80000000, 0), -2);
  t.is(compare.withXorSign(2, 0x80000000 | 0, 0xffc00000 | 0), 2);
  t.is(compare.withXorSign(NaN, 0x80000000, 0), NaN);
});

test("copysign moves the sign bit only", (t) => {
  t.is(compare.copySignF32(0xbf800000 | 0, 0x7f800001), 0xff800001 | 0);
  t.is(compare.copySignF32(0, 0xbf800000 | 0), 0x3f800000);
  t.is(compare.copySignF64(1n << 63n, 5n), (1n << 63n) | 5n);
});

test("testp: a zero is normal, and subnormal depends on the type", (t) => {
  const values = [0, -0, 1, 2 ** -127, 2 ** -1030, Infinity, NaN];
  const row = (property: compare.FloatProperty, type: "f32" | "f64"): string =>
    values.map((x) => (compare.testProperty[property](x, type) ? 1 : 0)).join("");
  t.is(row("normal", "f32"), "1110000");
  t.is(row("normal", "f64"), "1111000");
  t.is(row("subnormal", "f32"), "0001100");
  t.is(row("subnormal", "f64"), "0000100");
  t.is(row("finite", "f32"), "1111100");
  t.is(row("infinite", "f32"), "0000010");
  t.is(row("number", "f32"), "1111110");
  t.is(row("notanumber", "f32"), "0000001");
});
