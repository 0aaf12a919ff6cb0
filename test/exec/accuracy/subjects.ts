// What is measured of each approximate instruction: the function that gives the hardware's bits, the true value (the
// standard library's double, which is much more precise), the inputs, and the measure of PTX's bound.

import * as approx from "../../../lib/base/num/approx.js";
import { f32FromBits, f32ToBits } from "../../../lib/base/num/bits.js";
import { BF16, F16, smallDecoder, type SmallFloat } from "../../../lib/base/num/small-float.js";

type Unary = (x: number) => number;

/** Units in the last place of the result, or an error relative to the true value, or an absolute error. */
export type Measure = "ulp" | "relative" | "absolute";

/** A range of input bits, without `to`. */
export interface Domain {
  readonly from: number;
  readonly to: number;
  /** Measures one input in that many. */
  readonly step: number;
}

export interface Bound {
  readonly text: string;
  readonly value: number;
  /** The hardware's error exceeds the bound. */
  readonly isExceeded?: boolean;
}

export interface Subject {
  /** "sin.approx.f32, -2pi to 2pi" */
  readonly name: string;
  readonly measure: Measure;
  /** PTX's bound in the manual's words; undefined if it has none. */
  readonly bound: Bound | undefined;
  /** Bits of the format of inputs and results: f32, the upper word of an f64, f16 or bf16. */
  readonly format: "f32" | "f64 high" | "f16" | "bf16";
  readonly fn: Unary;
  readonly truth: Unary;
  readonly domains: readonly Domain[];
  /** The domain in the page's words. */
  readonly domainText: string;
}

/** Steps between inputs: the usual one, and one for ranges whose results are constant or only scaled. */
const SAMPLED = 251;
const RARE = 4001;
const POSITIVE_END = 0x7f800000;
const all: readonly Domain[] = [
  { from: 0, to: POSITIVE_END, step: SAMPLED },
  { from: 0x80000000, to: 0xff800000, step: SAMPLED },
];
const positive: readonly Domain[] = [{ from: 1, to: POSITIVE_END, step: SAMPLED }];
/** Upper words of doubles with an exponent from 0 to `end`; other exponents scale the results. */
const highWords = (end: number): readonly Domain[] => [
  { from: 0x3ff00000, to: 0x40f00000, step: SAMPLED },
  { from: 0x00100000, to: end, step: RARE },
];
const halves: readonly Domain[] = [{ from: 0, to: 0x10000, step: 1 }];

const bitsOf = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0]!;
/** Both signs of everything from `low` to `high`. */
const between = (low: number, high: number, step = SAMPLED): readonly Domain[] =>
  [0, 0x80000000].map((sign) => ({ from: sign + bitsOf(low), to: sign + bitsOf(high), step }));

/** A rarer sample below `low` and above `high`, where all results are one constant or the operand itself. */
const beside = (low: number, high: number): readonly Domain[] => [
  ...between(0, low, RARE),
  ...between(low, high),
  ...between(high, Infinity, RARE),
];

const power = (exponent: number): number => 2 ** exponent;
const bound = (text: string, value: number): Bound => ({ text, value });
const exceeded = (text: string, value: number): Bound => ({ text, value, isExceeded: true });

/** Makes a function on values one on bits. */
const ofValues =
  (fn: Unary): Unary =>
  (x) =>
    f32FromBits(fn(f32ToBits(x)));

const f32 = (
  name: string,
  fn: Unary,
  truth: Unary,
  measure: Measure,
  limit: Bound | undefined,
  domains: readonly Domain[],
  domainText: string,
): Subject => ({ name, measure, bound: limit, format: "f32", fn: ofValues(fn), truth, domains, domainText });

const small = (
  name: string,
  format: "f16" | "bf16",
  of: (format: SmallFloat) => Unary,
  truth: Unary,
  measure: Measure,
  exponent: number,
  text: string,
  isExceeded = false,
): Subject => ({
  name,
  measure,
  bound: { text, value: power(exponent), isExceeded },
  format,
  fn: of(format === "f16" ? F16 : BF16),
  truth,
  domains: halves,
  domainText: "every input",
});

const everything = "one input in 251";
const everyPositive = "one positive input in 251";
const TWO_PI = Math.fround(6.283185);
const HUNDRED_PI = Math.fround(314.15926);

export const subjects: readonly Subject[] = [
  f32("rcp.approx.f32", approx.rcpApproxF32, (x) => 1 / x, "ulp", bound("1 ulp", 1), all, everything),
  f32(
    "sqrt.approx.f32",
    approx.sqrtApproxF32,
    Math.sqrt,
    "relative",
    bound("2^-23", power(-23)),
    positive,
    everyPositive,
  ),
  f32(
    "rsqrt.approx.f32",
    approx.rsqrtApproxF32,
    (x) => 1 / Math.sqrt(x),
    "relative",
    bound("2^-22.9", power(-22.9)),
    positive,
    everyPositive,
  ),
  f32(
    "sin.approx.f32",
    approx.sinApproxF32,
    Math.sin,
    "absolute",
    bound("2^-20.5", power(-20.5)),
    [...between(0, power(-12), RARE), ...between(power(-12), TWO_PI)],
    "-2 pi to 2 pi: one input in 251; below 2^-12 one in 4001",
  ),
  f32(
    "sin.approx.f32",
    approx.sinApproxF32,
    Math.sin,
    "absolute",
    bound("2^-14.7", power(-14.7)),
    between(TWO_PI, HUNDRED_PI),
    "the rest of -100 pi to 100 pi: one input in 251",
  ),
  f32(
    "sin.approx.f32",
    approx.sinApproxF32,
    Math.sin,
    "absolute",
    undefined,
    between(HUNDRED_PI, Infinity, RARE),
    "beyond: one input in 4001",
  ),
  f32(
    "cos.approx.f32",
    approx.cosApproxF32,
    Math.cos,
    "absolute",
    exceeded("2^-20.5", power(-20.5)),
    [...between(0, power(-12), RARE), ...between(power(-12), TWO_PI)],
    "-2 pi to 2 pi: one input in 251; below 2^-12 one in 4001",
  ),
  f32(
    "cos.approx.f32",
    approx.cosApproxF32,
    Math.cos,
    "absolute",
    bound("2^-14.7", power(-14.7)),
    between(TWO_PI, HUNDRED_PI),
    "the rest of -100 pi to 100 pi: one input in 251",
  ),
  f32(
    "cos.approx.f32",
    approx.cosApproxF32,
    Math.cos,
    "absolute",
    undefined,
    between(HUNDRED_PI, Infinity, RARE),
    "beyond: one input in 4001",
  ),
  f32(
    "lg2.approx.f32",
    approx.lg2ApproxF32,
    Math.log2,
    "absolute",
    bound("2^-22", power(-22)),
    [{ from: 0x3f000001, to: 0x40000000, step: SAMPLED }],
    "0.5 to 2: one input in 251",
  ),
  f32(
    "lg2.approx.f32",
    approx.lg2ApproxF32,
    Math.log2,
    "relative",
    bound("2^-22", power(-22)),
    [
      { from: 1, to: 0x3f000001, step: SAMPLED },
      { from: 0x40000000, to: POSITIVE_END, step: SAMPLED },
    ],
    "the other positive ones: one in 251",
  ),
  f32(
    "ex2.approx.f32",
    approx.ex2ApproxF32,
    (x) => Math.pow(2, x),
    "ulp",
    exceeded("2 ulp", 2),
    beside(power(-26), 151),
    "one input in 251 from 2^-26 to 151 in size; one in 4001 beside",
  ),
  f32(
    "tanh.approx.f32",
    approx.tanhApproxF32,
    Math.tanh,
    "relative",
    bound("2^-11", power(-11)),
    beside(power(-13), 10),
    "one input in 251 from 2^-13 to 10 in size; one in 4001 beside",
  ),
  {
    name: "rcp.approx.ftz.f64",
    measure: "relative",
    bound: undefined,
    format: "f64 high",
    fn: approx.rcpApproxF64High,
    truth: (x) => 1 / x,
    domains: highWords(0x7fd00000),
    domainText: "one upper word in 251 from 1 to 2^16; one in 4001 of all whose reciprocal is a normal number",
  },
  {
    name: "rsqrt.approx.ftz.f64",
    measure: "relative",
    bound: undefined,
    format: "f64 high",
    fn: approx.rsqrtApproxF64High,
    truth: (x) => 1 / Math.sqrt(x),
    domains: highWords(0x7ff00000),
    domainText: "one upper word in 251 from 1 to 2^16; one in 4001 of all positive normal numbers",
  },
  small("tanh.approx.f16", "f16", approx.tanhApproxSmall, Math.tanh, "absolute", -10.987, "2^-10.987"),
  small("tanh.approx.bf16", "bf16", approx.tanhApproxSmall, Math.tanh, "absolute", -8, "2^-8", true),
  small("ex2.approx.f16", "f16", approx.ex2ApproxSmall, (x) => Math.pow(2, x), "relative", -9.9, "2^-9.9"),
  small("ex2.approx.ftz.bf16", "bf16", approx.ex2ApproxSmall, (x) => Math.pow(2, x), "relative", -7, "2^-7"),
];

export const decoderOf = (format: "f16" | "bf16"): Unary => smallDecoder(format === "f16" ? F16 : BF16);

/** Quotients have too many pairs to try all: a and b are random, with any exponents or close ones. */
export interface Quotient {
  readonly name: string;
  readonly fn: (a: number, b: number) => number;
  readonly bound: Bound;
  /** Whether the bound applies to b. */
  readonly holds: (b: number) => boolean;
  readonly domainText: string;
}

export const quotients: readonly Quotient[] = [
  {
    name: "div.approx.f32",
    fn: (a, b) => f32FromBits(approx.divApproxF32(f32ToBits(a), f32ToBits(b))),
    bound: exceeded("2 ulp", 2),
    holds: (b) => Math.abs(b) >= 2 ** -126 && Math.abs(b) <= 2 ** 126,
    domainText: "2^23 pairs, b from 2^-126 to 2^126 in size",
  },
  {
    name: "div.full.f32",
    fn: (a, b) => f32FromBits(approx.divFullF32(f32ToBits(a), f32ToBits(b))),
    bound: exceeded("2 ulp", 2),
    holds: () => true,
    domainText: "2^23 pairs",
  },
];
