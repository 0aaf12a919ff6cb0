// Halves compared with exact arithmetic: operands are multiples of 2^-300, and the exact result is rounded once to
// nearest even. Of lib/ only the tested operations are used.

import test from "ava";
import { bf16, f16, type HalfArithmetic } from "../../../lib/base/num/half.js";

interface Layout {
  readonly mantissaBits: number;
  readonly bias: number;
}

/** A number as sign and magnitude in units, or a NaN or infinity. */
type Value =
  | { readonly kind: "nan" }
  | { readonly kind: "infinite" | "finite"; readonly isNegative: boolean; readonly magnitude: bigint };

const UNIT = 300;
const NAN = 0x7fff;
const SIGN = 0x8000;

const infinityOf = ({ mantissaBits, bias }: Layout): number => (2 * bias + 1) << mantissaBits;

function valueOf({ mantissaBits, bias }: Layout, bits: number): Value {
  const [exponent, mantissa] = [(bits & 0x7fff) >> mantissaBits, bits & (2 ** mantissaBits - 1)];
  const isNegative = bits >= SIGN;
  if (exponent === 2 * bias + 1)
    return mantissa === 0 ? { kind: "infinite", isNegative, magnitude: 0n } : { kind: "nan" };
  const significand = exponent === 0 ? mantissa : mantissa | (1 << mantissaBits);
  const shift = UNIT + Math.max(exponent, 1) - bias - mantissaBits;
  return { kind: "finite", isNegative, magnitude: BigInt(significand) << BigInt(shift) };
}

/** The nearest half of a magnitude in units of 2^-unit. */
function nearest(layout: Layout, magnitude: bigint, unit: number): number {
  const { mantissaBits, bias } = layout;
  if (magnitude === 0n) return 0;
  const exponent = Math.max(magnitude.toString(2).length - 1 - unit, 1 - bias);
  const dropped = BigInt(exponent - mantissaBits + unit);
  const whole = magnitude >> dropped;
  const twice = (magnitude - (whole << dropped)) * 2n;
  const one = 1n << dropped;
  const isUp = twice > one || (twice === one && (whole & 1n) === 1n);
  const bits = ((exponent + bias - 1) << mantissaBits) + Number(whole) + (isUp ? 1 : 0);
  return Math.min(bits, infinityOf(layout));
}

/** a * b + c, exact and then rounded; without c the product alone. */
function fused(layout: Layout, a: number, b: number, c?: number): number {
  const [x, y, z] = [valueOf(layout, a), valueOf(layout, b), valueOf(layout, c ?? 0)];
  if (x.kind === "nan" || y.kind === "nan" || z.kind === "nan") return NAN;
  const isNegative = x.isNegative !== y.isNegative;
  const infinity = infinityOf(layout);
  if (x.kind === "infinite" || y.kind === "infinite") {
    const hasZero = [x, y].some(({ kind, magnitude }) => kind === "finite" && magnitude === 0n);
    if (hasZero || (z.kind === "infinite" && z.isNegative !== isNegative)) return NAN;
    return infinity | (isNegative ? SIGN : 0);
  }
  if (z.kind === "infinite") return infinity | (z.isNegative ? SIGN : 0);
  const product = x.magnitude * y.magnitude;
  const addend = z.magnitude << BigInt(UNIT);
  const sum = (isNegative ? -product : product) + (z.isNegative ? -addend : addend);
  const zeroIsNegative = isNegative && (c === undefined || (z.isNegative && product === 0n && addend === 0n));
  const sign = sum < 0n || (sum === 0n && zeroIsNegative) ? SIGN : 0;
  return sign | nearest(layout, sum < 0n ? -sum : sum, 2 * UNIT);
}

const formats: readonly (readonly [name: string, HalfArithmetic, Layout, edges: readonly number[]])[] = [
  [
    "f16",
    f16,
    { mantissaBits: 10, bias: 15 },
    [
      0, 0x8000, 1, 0x83ff, 0x400, 0x3bff, 0x3c00, 0x3c01, 0xbc00, 0x4200, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x1400,
      0x1555,
    ],
  ],
  [
    "bf16",
    bf16,
    { mantissaBits: 7, bias: 127 },
    [
      0, 0x8000, 1, 0x807f, 0x80, 0x3f7f, 0x3f80, 0x3f81, 0xbf80, 0x4040, 0x7f7f, 0x7f80, 0xff80, 0x7fc0, 0x3380,
      0xa0aa,
    ],
  ],
];

for (const [name, half, layout, edges] of formats)
  test(`sums, products and fused products of ${name} are the nearest to the exact ones`, (t) => {
    const one = layout.bias << layout.mantissaBits;
    const wrong: string[] = [];
    const check = (what: string, has: number, should: number, ...operands: readonly number[]): void => {
      if (has !== should) wrong.push(`${what} ${operands.map((x) => x.toString(16)).join()}: ${has} not ${should}`);
    };
    edges.forEach((b, i) => {
      const c = edges[(7 * i + 3) % edges.length]!;
      // A different part of all operands, one in 97, for each edge.
      for (let a = i; a < 65536; a += 97) {
        check("add", half.add(a, b), fused(layout, a, one, b), a, b);
        check("sub", half.sub(a, b), fused(layout, a, one, b ^ SIGN), a, b);
        check("mul", half.mul(a, b), fused(layout, a, b), a, b);
        check("fma", half.fma(a, b, c), fused(layout, a, b, c), a, b, c);
      }
    });
    t.deepEqual(wrong.slice(0, 5), []);
  });
