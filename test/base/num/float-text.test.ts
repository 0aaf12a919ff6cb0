import test from "ava";
import fc from "fast-check";
import { f64FromBits } from "../../../lib/base/num/bits.js";
import * as text from "../../../lib/base/num/float-text.js";

test("hexadecimal literals are read and printed, NaN payloads included", (t) => {
  t.is(text.parseF32Hex("0f3f800000"), 0x3f800000);
  t.is(text.parseF32Hex("0FFFC12345"), 0xffc12345);
  t.is(text.formatF32Hex(0x7f800001), "0f7F800001");
  t.is(text.formatF32Hex(-1), "0fFFFFFFFF");
  t.is(text.parseF64Hex("0d3FF0000000000000"), 0x3ff0000000000000n);
  t.is(text.formatF64Hex(1n), "0d0000000000000001");
});

test("literals survive printing and reading", (t) => {
  const u32 = fc.integer({ min: 0, max: 0xffffffff });
  t.notThrows(() => fc.assert(fc.property(u32, (x) => text.parseF32Hex(text.formatF32Hex(x)) === x)));
  const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  t.notThrows(() => fc.assert(fc.property(u64, (x) => text.parseF64Hex(text.formatF64Hex(x)) === x)));
});

test("what is no literal is refused", (t) => {
  for (const bad of ["", "0f3f80000", "0f3f8000000", "0x3f800000", " 0f3f800000", "0f3f80000g"]) {
    t.is(text.parseF32Hex(bad), undefined, bad);
  }
  for (const bad of ["0d0", "0f3f800000", "0d3ff000000000000z"]) t.is(text.parseF64Hex(bad), undefined, bad);
  for (const bad of ["", ".", "e5", "1e", "1e+", "1.5f", "0x10", "Infinity", "NaN", "+1", "1 ", "1_0"]) {
    t.is(text.parseDecimal(bad), undefined, bad);
  }
});

test("decimal literals are the nearest doubles", (t) => {
  t.is(text.parseDecimal("3.14159"), 3.14159);
  t.is(text.parseDecimal("1."), 1);
  t.is(text.parseDecimal(".5e-3"), 0.0005);
  t.is(text.parseDecimal("2E+10"), 2e10);
  t.is(text.parseDecimal("9007199254740993.0"), f64FromBits(0x4340000000000000n));
  t.is(text.parseDecimal("4.9e-324"), 2 ** -1074);
  t.is(text.parseDecimal("1e400"), Infinity);
});
