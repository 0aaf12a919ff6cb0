// One step of the tensor core on products written by hand, with results from the rule in docs/tensor.md.

import test from "ava";
import { f32FromBits, f32ToBits } from "../../../lib/base/num/bits.js";
import { tensorCores } from "../../../lib/exec/tensor/cores.table.js";
import {
  createFactors,
  decodeFactors,
  numberFormats,
  scaleDecoders,
  scaleFactors,
} from "../../../lib/exec/tensor/number.js";
import { step } from "../../../lib/exec/tensor/step.js";

const [ONE, MINUS_ONE] = [0x3c00, 0xbc00];
/** 2^-exponent in f16, down to the smallest subnormal. */
const small = (exponent: number): number => (exponent <= 14 ? (15 - exponent) << 10 : 1 << (24 - exponent));

function factorsOf(type: string, bits: readonly number[]) {
  const format = numberFormats[type]!;
  const factors = createFactors(bits.length, format.float.mantissaBits);
  decodeFactors(format, Int32Array.from(bits), bits.length, false, factors);
  return factors;
}

/** Products of f16 elements plus an f32, as a number. */
function sumOf(chip: keyof typeof tensorCores, products: readonly (readonly [number, number])[], c = 0): number {
  const [a, b] = [0, 1].map((i) =>
    factorsOf(
      "f16",
      products.map((product) => product[i]!),
    ),
  );
  return f32FromBits(step(tensorCores[chip].half, a!, 0, b!, 0, products.length, f32ToBits(c), "f32", "f32"));
}

test("a term is truncated a number of bits below the largest exponent, which depends on the chip", (t) => {
  const products = [
    [ONE, ONE],
    [MINUS_ONE, ONE],
    [small(12), small(13)],
  ] as const;
  t.is(sumOf("sm_90", products), 2 ** -25);
  t.is(sumOf("sm_100", products), 2 ** -25);
  t.is(sumOf("sm_80", products), 0);
  const larger = [products[0], products[1], [small(12), small(12)]] as const;
  t.is(sumOf("sm_80", larger), 2 ** -24);
  t.is(sumOf("sm_70", larger), 0);
});

test("each term is truncated toward zero separately", (t) => {
  const rest = [small(13), small(13)] as const;
  t.is(sumOf("sm_90", [[ONE, ONE], [MINUS_ONE, ONE], rest, rest]), 0);
  t.is(
    sumOf("sm_90", [
      [ONE, ONE],
      [MINUS_ONE, ONE],
      [small(13) | 0x8000, small(13)],
    ]),
    0,
  );
});

test("the exponent of a product is the sum of its factors', also where the product is 2 or more", (t) => {
  // 1.5 * 1.5 = 2.25 is aligned with exponent 0, so 2^-25 is kept.
  const products = [
    [0x3e00, 0x3e00],
    [0xbe00, 0x3e00],
    [small(12), small(13)],
  ] as const;
  t.is(sumOf("sm_90", products), 2 ** -25);
});

test("the result is rounded toward zero, and overflow still gives infinity", (t) => {
  t.is(
    sumOf(
      "sm_90",
      [
        [ONE, small(1)],
        [ONE, small(2)],
      ],
      2 ** 23,
    ),
    2 ** 23,
  );
  t.is(sumOf("sm_90", [[MINUS_ONE, small(2)]], 2 ** 23), 2 ** 23 - 0.5);
  const largest = f32FromBits(0x7f7fffff);
  t.is(sumOf("sm_90", [[ONE, ONE]], largest), largest);
  const bf16 = factorsOf("bf16", [0x7f00]);
  t.is(step(tensorCores.sm_90.half, bf16, 0, bf16, 0, 1, 0, "f32", "f32"), 0x7f800000);
});

test("zeros do not count as terms, and a zero result is positive", (t) => {
  // If 0 * 2^15 were aligned with an exponent of 1, bits below 2^-24 would be lost.
  const products = [
    [0, 0x7800],
    [small(14), ONE],
    [small(14) | 0x8000, ONE],
  ] as const;
  t.is(sumOf("sm_90", products, 2 ** -39), 2 ** -39);
  const bits = step(
    tensorCores.sm_90.half,
    factorsOf("f16", [0x8000]),
    0,
    factorsOf("f16", [ONE]),
    0,
    1,
    0x80000000 | 0,
    "f32",
    "f32",
  );
  t.is(bits, 0);
});

test("NaNs have no payload, and infinity times zero is NaN", (t) => {
  const infinity = 0x7c00;
  const of = (x: number, y: number): number =>
    step(tensorCores.sm_90.half, factorsOf("f16", [x]), 0, factorsOf("f16", [y]), 0, 1, 0, "f32", "f32");
  t.is(of(0xfe01, ONE), 0x7fffffff);
  t.is(of(infinity, 0x8000), 0x7fffffff);
  t.is(of(infinity, MINUS_ONE), 0xff800000 | 0);
  t.is(of(infinity, small(24)), 0x7f800000);
});

test("8-bit floats of wgmma keep thirteen bits", (t) => {
  const [one, sixteenth] = [0x38, 0x18];
  const a = factorsOf("e4m3", [one, sixteenth]);
  const b = factorsOf("e4m3", [one, 0x01]);
  // 1 + 2^-4 * 2^-9 = 1 + 2^-13; half of it is truncated.
  t.is(step(tensorCores.sm_90.fp8, a, 0, b, 0, 2, 0, "f32", "f32"), f32ToBits(1 + 2 ** -13));
  t.is(step(tensorCores.sm_90.fp8, factorsOf("e4m3", [one, 0x10]), 0, b, 0, 2, 0, "f32", "f32"), f32ToBits(1));
});

test("an f16 result is rounded to nearest even", (t) => {
  const of = (c: number, x: number): number =>
    step(tensorCores.sm_90.half, factorsOf("f16", [x]), 0, factorsOf("f16", [ONE]), 0, 1, c, "f16", "f16");
  t.is(of(0x6800, ONE), 0x6800); // 2048 + 1 is a tie
  t.is(of(0x6801, ONE), 0x6802); // so is 2050 + 1
  t.is(of(0x7bff, 0x4c00), 0x7c00); // 65504 + 16 is infinite
  t.is(of(0x7bff, 0x4bff), 0x7bff);
});

test("formats of 4 and 6 bits have neither infinities nor NaNs, and scales multiply exactly", (t) => {
  const values = (type: string, bits: readonly number[]): readonly number[] => {
    const { ignored } = numberFormats[type]!;
    const { significands, exponents, fractionBits } = factorsOf(
      type,
      bits.map((each) => each << ignored),
    );
    return bits.map((_, i) => significands[i]! * 2 ** (exponents[i]! - fractionBits));
  };
  t.deepEqual(values("e2m1", [0, 1, 2, 3, 7, 9]), [0, 0.5, 1, 1.5, 6, -0.5]);
  t.deepEqual(values("e2m3", [1, 0x1f, 0x28]), [0.125, 7.5, -1]);
  t.deepEqual(values("e3m2", [1, 0x1f, 0x2c]), [0.0625, 28, -1]);
  const { ignored } = numberFormats["e2m1"]!;
  const factors = factorsOf("e2m1", [3 << ignored, 7 << ignored]);
  scaleFactors(factors, 0, 2, scaleDecoders["ue8m0"]!.of(130));
  scaleFactors(factors, 1, 2, scaleDecoders["ue4m3"]!.of(0x3c));
  const bits = factors.fractionBits;
  t.is(factors.significands[0]! * 2 ** (factors.exponents[0]! - bits), 12);
  t.is(factors.significands[1]! * 2 ** (factors.exponents[1]! - bits - 3), 72);
  scaleFactors(factors, 0, 1, scaleDecoders["ue8m0"]!.of(0xff));
  t.is(factors.classes[0], 3);
});
