import test from "ava";
import fc from "fast-check";
import * as permute from "../../../lib/base/num/permute.js";

const u32 = fc.integer({ min: 0, max: 0xffffffff });
const amount = fc.oneof(fc.nat(70), u32);
const holds = (property: fc.IRawProperty<unknown>) => () => fc.assert(property, { numRuns: 3000 });
const low32 = (x: bigint): number => Number(BigInt.asUintN(32, x));

test("shf is a shift of the 64-bit concatenation", (t) => {
  t.notThrows(
    holds(
      fc.property(u32, u32, amount, fc.constantFrom("clamp" as const, "wrap" as const), (low, high, by, mode) => {
        const both = (BigInt(high) << 32n) | BigInt(low);
        const n = BigInt(mode === "clamp" ? Math.min(by, 32) : by % 32);
        return (
          permute.shfLeft(low, high, by, mode) === low32((both << n) >> 32n) &&
          permute.shfRight(low, high, by, mode) === low32(both >> n)
        );
      }),
    ),
  );
});

test("shifts clamp their amount to the width", (t) => {
  t.notThrows(
    holds(
      fc.property(u32, amount, (x, by) => {
        const [wide, n] = [BigInt(x) << 31n, BigInt(Math.min(by, 64))];
        const signed = BigInt.asIntN(64, wide << 1n);
        return (
          permute.shl32(x, by) === low32(BigInt(x) << n) &&
          permute.shrU32(x, by) === Number(BigInt(x) >> n) &&
          permute.shrS32(x | 0, by) === Number(BigInt(x | 0) >> n) &&
          permute.shl64(wide, by) === BigInt.asUintN(64, wide << n) &&
          permute.shr64(wide, by) === wide >> n &&
          permute.shr64(signed, by) === signed >> n
        );
      }),
    ),
  );
});

test("lop3 looks every bit up in the table", (t) => {
  const functions: readonly ((a: number, b: number, c: number) => number)[] = [
    (a, b, c) => a & b & c,
    (a, b, c) => a | b | c,
    (a, b, c) => a & b & ~c,
    (a, b, c) => ((a & b) | c) ^ a,
    (a, b, c) => (a & b) | (~a & c),
    () => 0,
    () => -1,
  ];
  for (const f of functions) {
    const table = f(0xf0, 0xcc, 0xaa) & 0xff;
    t.notThrows(holds(fc.property(u32, u32, u32, (a, b, c) => permute.lop3(a, b, c, table) === f(a, b, c) >>> 0)));
  }
});

test("prmt picks bytes, or their signs", (t) => {
  const [a, b] = [0x03020100, 0x87060504];
  t.is(permute.prmt(a, b, 0x3210), a);
  t.is(permute.prmt(a, b, 0x7654), b);
  t.is(permute.prmt(a, b, 0x0123), 0x00010203);
  t.is(permute.prmt(a, b, 0xfedc), 0xff000000);
});

test("the special modes of prmt stand for the selectors of their table", (t) => {
  const [a, b] = [0x03020100, 0x07060504];
  const bytes = (mode: permute.PermuteMode): readonly string[] =>
    [0, 1, 2, 3].map((control) => permute.prmt(a, b, permute.permuteSelector(mode, control)).toString(16));
  t.deepEqual(bytes("f4e"), ["3020100", "4030201", "5040302", "6050403"]);
  t.deepEqual(bytes("b4e"), ["5060700", "6070001", "7000102", "10203"]);
  t.deepEqual(bytes("rc8"), ["0", "1010101", "2020202", "3030303"]);
  t.deepEqual(bytes("ecl"), ["3020100", "3020101", "3020202", "3030303"]);
  t.deepEqual(bytes("ecr"), ["0", "1010100", "2020100", "3020100"]);
  t.deepEqual(bytes("rc16"), ["1000100", "3020302", "1000100", "3020302"]);
});
