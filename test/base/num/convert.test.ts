import test from "ava";
import { f32FromBits, f32ToBits, f64ToBits } from "../../../lib/base/num/bits.js";
import {
  floatToNarrow,
  floatToWide,
  type IntegerRounding,
  lowBits,
  type NarrowInt,
  roundToIntegral,
  saturateToNarrow,
  saturateToWide,
  wideToF32,
  wideToF64,
} from "../../../lib/base/num/convert.js";
import { roundToF32 } from "../../../lib/base/num/f32.js";
import { ROUNDING_MODES, type RoundingMode } from "../../../lib/base/num/rounding.js";
import { operand32, operandInteger, operandToConvert } from "./operands.js";
import { compareAll } from "./reference.js";

const INTEGER_MODE: Readonly<Record<RoundingMode, IntegerRounding>> = { rn: "rni", rz: "rzi", rm: "rmi", rp: "rpi" };
const NARROW: readonly NarrowInt[] = ["u8", "s8", "u16", "s16", "u32", "s32"];

test("conversions between floats and integers agree with C under fesetround", (t) => {
  const { compared, mismatches } = compareAll("convert", 0x6c078965, (from, results, check) => {
    const x = operandToConvert(from);
    const f = f32FromBits(operand32(from));
    const u = operandInteger(from);
    const s = BigInt.asIntN(64, u);
    for (const mode of ROUNDING_MODES) {
      const integerMode = INTEGER_MODE[mode];
      check(`cvt.${mode}.f32.f64`, [f64ToBits(x)], results.next32(), f32ToBits(roundToF32[mode](x)));
      check(`cvt.${mode}.f32.s64`, [u], results.next32(), f32ToBits(wideToF32[mode](s)));
      check(`cvt.${mode}.f32.u64`, [u], results.next32(), f32ToBits(wideToF32[mode](u)));
      check(`cvt.${mode}.f64.s64`, [u], results.next64(), f64ToBits(wideToF64[mode](s)));
      check(`cvt.${mode}.f64.u64`, [u], results.next64(), f64ToBits(wideToF64[mode](u)));
      check(`cvt.${integerMode}.f32.f32`, [f32ToBits(f)], results.next32(), f32ToBits(roundToIntegral[integerMode](f)));
      check(`cvt.${integerMode}.f64.f64`, [f64ToBits(x)], results.next64(), f64ToBits(roundToIntegral[integerMode](x)));
      for (const type of NARROW) {
        const actual = BigInt.asUintN(64, BigInt(floatToNarrow(integerMode, type, true)(x)));
        check(`cvt.${integerMode}.${type}.f64`, [f64ToBits(x)], results.next64(), actual);
      }
      check(`cvt.${integerMode}.u64.f64`, [f64ToBits(x)], results.next64(), floatToWide(integerMode, "u64")(x));
      const signed = BigInt.asUintN(64, floatToWide(integerMode, "s64")(x));
      check(`cvt.${integerMode}.s64.f64`, [f64ToBits(x)], results.next64(), signed);
    }
  });
  t.deepEqual(mismatches, []);
  t.log(`${compared} results`);
});

test("NaN converts to 0 from f32 to narrow integers, else to the top bit", (t) => {
  t.deepEqual(
    NARROW.map((type) => floatToNarrow("rzi", type, false)(NaN)),
    [0, 0, 0, 0, 0, 0],
  );
  t.deepEqual(
    NARROW.map((type) => floatToNarrow("rzi", type, true)(NaN)),
    [0x80, -0x80, 0x8000, -0x8000, 0x80000000, -0x80000000],
  );
  t.is(floatToWide("rzi", "s64")(NaN), -(2n ** 63n));
  t.is(floatToWide("rzi", "u64")(NaN), 2n ** 63n);
});

test("integers convert by their low bits, or with .sat by clamping", (t) => {
  t.is(lowBits.u8(-1), 255);
  t.is(lowBits.s8(0x180), -128);
  t.is(saturateToNarrow("s8")(300), 127);
  t.is(saturateToNarrow("u32")(-5), 0);
  t.is(saturateToNarrow("s32")(-(2n ** 40n)), -0x80000000);
  t.is(saturateToWide("u64")(-5), 0n);
  t.is(saturateToWide("s64")(2n ** 64n - 1n), 2n ** 63n - 1n);
});
