import test from "ava";
import { f64ToBits } from "../../../lib/base/num/bits.js";
import { bf16, f16, type HalfArithmetic, inBothLanes2, inBothLanes3 } from "../../../lib/base/num/half.js";
import { type CvtRoundingMode } from "../../../lib/base/num/rounding.js";
import {
  BF16,
  E2M1,
  E2M3,
  E3M2,
  E4M3,
  E5M2,
  F16,
  flushSmall,
  reluSmall,
  saturateFiniteSmall,
  saturateUnitSmall,
  smallDecoder,
  smallEncoder,
  type SmallFloat,
  TF32,
} from "../../../lib/base/num/small-float.js";
import { type Generator, operandHalf, operandToNarrow } from "./operands.js";
import { type Check, compareAll, type Results } from "./reference.js";

const encodeSmall = (format: SmallFloat, x: number, mode: CvtRoundingMode): number => smallEncoder(format, mode)(x);
const decodeSmall = (format: SmallFloat, bits: number): number => smallDecoder(format)(bits);

const MODES: readonly CvtRoundingMode[] = ["rn", "rz", "rm", "rp", "rna"];
const NARROW = { e4m3: E4M3, e5m2: E5M2, e2m3: E2M3, e3m2: E3M2, e2m1: E2M1 } as const;
const ALL = { F16, BF16, TF32, ...NARROW };

function compareArithmetic(
  name: string,
  format: SmallFloat,
  ops: HalfArithmetic,
  from: Generator,
  results: Results,
  check: Check,
): void {
  const [a, b] = [operandHalf(from, format), operandHalf(from, format)];
  let c = operandHalf(from, format);
  const tweak = from.draw() % 4;
  const r = from.draw();
  if (tweak === 0) c = ops.mul(a, b) ^ format.signBit ^ (r & 1);
  check(`add.${name}`, [a, b], results.next32(), ops.add(a, b));
  check(`mul.${name}`, [a, b], results.next32(), ops.mul(a, b));
  check(`fma.${name}`, [a, b, c], results.next32(), ops.fma(a, b, c));
}

test("f16 and bf16 arithmetic and conversions to small floats are the nearest by search", (t) => {
  const { compared, mismatches } = compareAll("half", 0x41c64e6d, (from, results, check) => {
    compareArithmetic("f16", F16, f16, from, results, check);
    compareArithmetic("bf16", BF16, bf16, from, results, check);
    const x = operandToNarrow(from);
    for (const mode of MODES) {
      check(`cvt.${mode}.f16`, [f64ToBits(x)], results.next32(), encodeSmall(F16, x, mode));
      check(`cvt.${mode}.bf16`, [f64ToBits(x)], results.next32(), encodeSmall(BF16, x, mode));
    }
    for (const [name, format] of Object.entries(NARROW)) {
      check(`cvt.rn.satfinite.${name}`, [f64ToBits(x)], results.next32(), encodeSmall(format, x, "rn"));
    }
  });
  t.deepEqual(mismatches, []);
  t.log(`${compared} results`);
});

for (const [name, format] of Object.entries(ALL)) {
  test(`every ${name} number survives decoding and encoding in every mode`, (t) => {
    const step = format === TF32 ? 7 : 1;
    for (let bits = 0; bits <= format.maxFinite; bits += step) {
      for (const signed of [bits, bits | format.signBit]) {
        const x = decodeSmall(format, signed);
        for (const mode of MODES) if (encodeSmall(format, x, mode) !== signed) t.fail(`${signed.toString(16)} ${mode}`);
      }
    }
    t.is(encodeSmall(format, NaN, "rn"), format.nan);
    t.is(encodeSmall(format, -1e300, "rn"), format.signBit | format.infinity);
  });
}

test("known values decode", (t) => {
  t.is(decodeSmall(E4M3, 0x7e), 448);
  t.is(decodeSmall(E4M3, 0x7f), NaN);
  t.is(decodeSmall(E5M2, 0x7b), 57344);
  t.is(decodeSmall(E5M2, 0xfc), -Infinity);
  t.is(decodeSmall(E2M1, 0x7), 6);
  t.is(decodeSmall(E2M3, 0x1f), 7.5);
  t.is(decodeSmall(E3M2, 0x1f), 28);
  t.is(decodeSmall(F16, 0x0001), 2 ** -24);
  t.is(decodeSmall(BF16, 0x3f80), 1);
});

test("overflow goes to infinity or, where the mode points inwards, to the greatest number", (t) => {
  t.deepEqual(
    MODES.map((mode) => encodeSmall(F16, 70000, mode)),
    [0x7c00, 0x7bff, 0x7bff, 0x7c00, 0x7c00],
  );
  t.is(encodeSmall(F16, 65519.99, "rn"), 0x7bff);
  t.is(encodeSmall(F16, 65520, "rn"), 0x7c00);
  t.is(saturateFiniteSmall(F16, 0xfc00), 0xfbff);
  t.is(saturateFiniteSmall(F16, 0x7fff), 0x7fff);
});

test("modifiers of half results", (t) => {
  t.is(flushSmall(F16, 0x83ff), 0x8000);
  t.is(flushSmall(F16, 0x0400), 0x0400);
  t.is(reluSmall(F16, 0x8001), 0);
  t.is(reluSmall(F16, 0xfe00), 0x7fff);
  t.is(reluSmall(F16, 0x3c00), 0x3c00);
  t.is(saturateUnitSmall(F16, 0x4000), 0x3c00);
  t.is(saturateUnitSmall(F16, 0x7fff), 0);
  t.is(saturateUnitSmall(F16, 0x8000), 0);
  t.is(saturateUnitSmall(BF16, 0x7f80), 0x3f80);
});

test("min and max order the zeros and pass NaN over, or on with .NaN", (t) => {
  t.is(f16.min(0x0000, 0x8000), 0x8000);
  t.is(f16.max(0x8000, 0x0000), 0x0000);
  t.is(f16.min(0x7e01, 0x3c00), 0x3c00);
  t.is(f16.minNaN(0x7e01, 0x3c00), 0x7fff);
  t.is(bf16.max(0x7fc1, 0xffc1), 0x7fff);
});

test("both lanes of f16x2 are computed apart", (t) => {
  t.is(inBothLanes2(f16.add)(0xbc003c00, 0x3c003c00), 0x00004000);
  t.is(inBothLanes3(f16.fma)(0x40004000, 0x40003c00, 0x3c00bc00), 0x45003c00);
});
