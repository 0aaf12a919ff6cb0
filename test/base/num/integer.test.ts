import test from "ava";
import fc from "fast-check";
import * as int from "../../../lib/base/num/integer.js";

const EDGES = [0, 1, 2, 3, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000, 0x7fffffff, 0x80000000, 0xffffffff];
const u32 = fc.oneof(fc.constantFrom(...EDGES), fc.integer({ min: 0, max: 0xffffffff }));
const s32 = u32.map((x) => x | 0);
const u64 = fc.tuple(u32, u32).map(([high, low]) => (BigInt(high) << 32n) | BigInt(low));
const s64 = u64.map((x) => BigInt.asIntN(64, x));
const RUNS = { numRuns: 3000 };

const asU32 = (x: bigint): number => Number(BigInt.asUintN(32, x));
const asS32 = (x: bigint): number => Number(BigInt.asIntN(32, x));
const big = BigInt;

type Binary<T> = readonly [name: string, actual: (a: T, b: T) => T, exact: (a: bigint, b: bigint) => T];

const unsigned: readonly Binary<number>[] = [
  ["mulHiU32", int.mulHiU32, (a, b) => asU32((a * b) >> 32n)],
  ["mul24LoU32", int.mul24LoU32, (a, b) => asU32(BigInt.asUintN(24, a) * BigInt.asUintN(24, b))],
  ["mul24HiU32", int.mul24HiU32, (a, b) => asU32((BigInt.asUintN(24, a) * BigInt.asUintN(24, b)) >> 16n)],
  ["divU32", int.divU32, (a, b) => (b === 0n ? 0xffffffff : Number(a / b))],
  ["remU32", int.remU32, (a, b) => Number(b === 0n ? 2n ** 32n - 1n : a % b)],
  ["sadU32", (a, b) => int.sadU32(a, b, 7), (a, b) => asU32(7n + (a < b ? b - a : a - b))],
];

const signed: readonly Binary<number>[] = [
  ["mulHiS32", int.mulHiS32, (a, b) => asS32((a * b) >> 32n)],
  ["mul24LoS32", int.mul24LoS32, (a, b) => asS32(BigInt.asIntN(24, a) * BigInt.asIntN(24, b))],
  ["mul24HiS32", int.mul24HiS32, (a, b) => asS32((BigInt.asIntN(24, a) * BigInt.asIntN(24, b)) >> 16n)],
  ["divS32", int.divS32, (a, b) => (b === 0n ? -1 : asS32(a / b))],
  ["remS32", int.remS32, (a, b) => Number(b === 0n ? -1n : a % b)],
  ["sadS32", (a, b) => int.sadS32(a, b, -9), (a, b) => asS32(-9n + (a < b ? b - a : a - b))],
];

const wideUnsigned: readonly Binary<bigint>[] = [
  ["mulHiU64", int.mulHiU64, (a, b) => BigInt.asUintN(64, (a * b) >> 64n)],
  ["divU64", int.divU64, (a, b) => (b === 0n ? 2n ** 64n - 1n : a / b)],
  ["rem64 of u64", int.rem64, (a, b) => (b === 0n ? -1n : a % b)],
  ["sadU64", (a, b) => int.sadU64(a, b, 1n), (a, b) => BigInt.asUintN(64, 1n + (a < b ? b - a : a - b))],
];

const wideSigned: readonly Binary<bigint>[] = [
  ["mulHiS64", int.mulHiS64, (a, b) => BigInt.asIntN(64, (a * b) >> 64n)],
  ["divS64", int.divS64, (a, b) => (b === 0n ? -1n : BigInt.asIntN(64, a / b))],
  ["rem64 of s64", int.rem64, (a, b) => (b === 0n ? -1n : a % b)],
  ["sadS64", (a, b) => int.sadS64(a, b, 1n), (a, b) => BigInt.asIntN(64, 1n + (a < b ? b - a : a - b))],
];

function agree<T extends number | bigint>(operand: fc.Arbitrary<T>, rows: readonly Binary<T>[]): void {
  for (const [name, actual, exact] of rows) {
    test(`${name} is what big integers give`, (t) => {
      const holds = fc.property(operand, operand, (a, b) => Object.is(actual(a, b), exact(big(a), big(b))));
      t.notThrows(() => fc.assert(holds, RUNS));
    });
  }
}

agree(u32, unsigned);
agree(s32, signed);
agree(u64, wideUnsigned);
agree(s64, wideSigned);

test("the 16-bit products are exact", (t) => {
  t.is(int.mulHiU16(0xffff, 0xffff), 0xfffe);
  t.is(int.mulHiS16(-0x8000, 0x7fff), -0x4000);
  t.is(int.mulHiS16(-1, 1), -1);
});

test("mul.wide keeps the sign of its operands' types", (t) => {
  t.is(int.mulWide32(-0x80000000, -0x80000000), 2n ** 62n);
  t.is(int.mulWide32(0xffffffff, 0xffffffff), 0xfffffffe00000001n);
});

test("MININT / -1 wraps and a zero divisor gives all ones, as quotient and as remainder", (t) => {
  t.is(int.divS32(-0x80000000, -1), -0x80000000);
  t.is(int.remS32(-0x80000000, -1), 0);
  t.is(int.divS64(-(2n ** 63n), -1n), -(2n ** 63n));
  t.is(int.divU32(5, 0), 0xffffffff);
  t.is(int.divS32(5, 0), -1);
  t.is(int.remS32(-5, 0), -1);
});

test("mad.hi.sat.s32 saturates the sum, not the product", (t) => {
  t.is(int.madHiSatS32(0x7fffffff, 0x7fffffff, 0x7fffffff), 0x7fffffff);
  t.is(int.madHiSatS32(-0x80000000, 0x7fffffff, -0x80000000), -0x80000000);
  t.is(int.madHiSatS32(0x40000000, 4, -5), -4);
});

test("dot products extend each byte and half by its type and wrap", (t) => {
  t.is(int.dp4a(0x01020304, 0x01010101, 5, false, false), 15);
  t.is(int.dp4a(0xff000000, 0x02000000, 0, true, false), -2);
  t.is(int.dp4a(0xff000000, 0x02000000, 0, false, true), 510);
  t.is(int.dp4a(0x7f7f7f7f, 0x7f7f7f7f, 0x7fffffff, true, true), (0x7fffffff + 4 * 127 * 127) | 0);
  t.is(int.dp2a(0xffff0002, 0x04030201, 0, "lo", true, true), 0);
  t.is(int.dp2a(0xffff0002, 0x04030201, 0, "hi", true, true), 2);
  t.is(int.dp2a(0xffff0002, 0x04030201, 0, "hi", false, false), 0xffff * 4 + 6);
});
