// Arithmetic on f16, bf16 and their pairs: PTX ISA 9.0 section 9.7.4. Values are represented by their bits; base/num decodes,
// computes and rounds. Pairs do the same in both halves.

import { ex2ApproxSmall, tanhApproxSmall } from "../../base/num/approx.js";
import {
  bf16,
  f16,
  f16Flushed,
  type HalfArithmetic,
  inBothLanes1,
  inBothLanes2,
  inBothLanes3,
  outOfBoundsIsZero,
  withXorSignHalf,
} from "../../base/num/half.js";
import {
  BF16,
  F16,
  flushSmall,
  reluSmall,
  saturateUnitSmall,
  smallDecoder,
  smallEncoder,
  type SmallFloat,
} from "../../base/num/small-float.js";
import { f32FromBits, f32ToBits } from "../../base/num/bits.js";
import { addF32, fmaF32, subF32 } from "../../base/num/f32.js";
import { type ByMode, ROUNDING_MODES, saturateUnit } from "../../base/num/rounding.js";
import { hasModifier, type Opcode, typeOf, typesOf } from "../../isa/opcode.js";
import type { View } from "../machine/lanes.js";
import { type Meaning, type Meanings, type Reading, scalar, words } from "./meaning.js";

type OnBits = (...operands: number[]) => number;

interface Format {
  readonly format: SmallFloat;
  readonly arithmetic: HalfArithmetic;
  readonly isPair: boolean;
}

const formats: Readonly<Record<string, Format>> = {
  f16: { format: F16, arithmetic: f16, isPair: false },
  f16x2: { format: F16, arithmetic: f16, isPair: true },
  bf16: { format: BF16, arithmetic: bf16, isPair: false },
  bf16x2: { format: BF16, arithmetic: bf16, isPair: true },
};

function lift(arity: number, fn: OnBits): OnBits {
  switch (arity) {
    case 1:
      return inBothLanes1(fn as (a: number) => number) as OnBits;
    case 2:
      return inBothLanes2(fn as (a: number, b: number) => number) as OnBits;
    default:
      return inBothLanes3(fn as (a: number, b: number, c: number) => number) as OnBits;
  }
}

/** Flushes the operands, applies `fn`, flushes the result, and applies .sat and .relu. */
function decorate(opcode: Opcode, format: SmallFloat, fn: OnBits): OnBits {
  const steps: ((bits: number) => number)[] = [];
  const ftz = hasModifier(opcode, "ftz");
  if (ftz) steps.push((bits) => flushSmall(format, bits));
  if (hasModifier(opcode, "sat")) steps.push((bits) => saturateUnitSmall(format, bits));
  if (hasModifier(opcode, "relu")) steps.push((bits) => reluSmall(format, bits));
  if (steps.length === 0) return fn;
  return (...operands) => {
    const inputs = ftz ? operands.map((bits) => flushSmall(format, bits)) : operands;
    return steps.reduce((bits, step) => step(bits), fn(...inputs));
  };
}

const half =
  (arity: number, of: (format: Format, opcode: Opcode) => OnBits): Reading =>
  (opcode) => {
    const format = formats[typeOf(opcode)?.name ?? ""];
    return format && meaning(opcode, format, arity, of(format, opcode));
  };

function meaning(opcode: Opcode, format: Format, arity: number, fn: OnBits): Meaning {
  const view: View = format.isPair ? "u32" : "u16";
  const decorated = decorate(opcode, format.format, fn);
  return scalar(view, new Array<View>(arity).fill(view), format.isPair ? lift(arity, decorated) : decorated);
}

/** An approximation as a function of bits; .ftz of bf16 has no effect. */
const approximation =
  (of: (format: SmallFloat) => (bits: number) => number): Reading =>
  (opcode) => {
    const { format, isPair } = formats[typeOf(opcode)?.name ?? ""] ?? {};
    if (format === undefined) return undefined;
    const fn = of(format) as OnBits;
    const view: View = isPair === true ? "u32" : "u16";
    return scalar(view, [view], isPair === true ? lift(1, fn) : fn);
  };

/** Only f16 has .ftz in arithmetic. */
const arithmeticOf = (opcode: Opcode, { arithmetic }: Format): HalfArithmetic =>
  hasModifier(opcode, "ftz") ? f16Flushed : arithmetic;

const named = (arity: number, name: keyof HalfArithmetic): Reading =>
  half(arity, (format, opcode) => arithmeticOf(opcode, format)[name] as OnBits);

const extremum = (number: "min" | "max", nan: "minNaN" | "maxNaN"): Reading =>
  half(2, ({ arithmetic, format }, opcode) => {
    const pick = hasModifier(opcode, "NaN") ? arithmetic[nan] : arithmetic[number];
    if (!hasModifier(opcode, "abs")) return pick as OnBits;
    return (a, b) => withXorSignHalf(format, pick(arithmetic.abs(a!), arithmetic.abs(b!)), a!, b!);
  });

/**
 * Section 9.7.5: factors are f16 or bf16, the sum is f32. f32 operations are exact for this, because halves are f32 values too.
 */
const mixed =
  (arity: 2 | 3, fns: ByMode<(...operands: number[]) => number>): Reading =>
  (opcode) => {
    const decode = smallDecoder(hasModifier(opcode, "bf16") ? BF16 : F16);
    const fn = fns[ROUNDING_MODES.find((mode) => hasModifier(opcode, mode)) ?? "rn"];
    const finish = hasModifier(opcode, "sat") ? saturateUnit : (x: number): number => x;
    return arity === 2
      ? scalar("f32", ["u16", "f32"], (a: number, c: number) => finish(fn(decode(a), c)))
      : scalar("f32", ["u16", "u16", "f32"], (a: number, b: number, c: number) => finish(fn(decode(a), decode(b), c)));
  };

/** Operations on pairs of f32 and one pair of halves, which are f32 values too: PTX ISA 9.4. */
const mixedPairs =
  (arity: 2 | 3, fns: ByMode<OnBits>): Reading =>
  (opcode) => {
    const decode = smallDecoder(hasModifier(opcode, "bf16x2") ? BF16 : F16);
    const fn = fns[ROUNDING_MODES.find((mode) => hasModifier(opcode, mode)) ?? "rn"];
    return words(new Array<number>(arity + 1).fill(64).toSpliced(1, 1, 32), (w, d, a, b, c) => {
      for (const half of [0, 1]) {
        const x = decode((w[a!]! >>> (16 * half)) & 0xffff);
        const y = f32FromBits(w[b! + half]!);
        w[d! + half] = f32ToBits(c === undefined ? fn(x, y) : fn(x, y, f32FromBits(w[c + half]!)));
      }
    });
  };

/** A product of two formats, rounded to that of the first. */
const mixedProduct: Reading = (opcode) => {
  const [to, , by] = typesOf(opcode).map(({ name }) => formats[name]!.format);
  const [first, second] = [smallDecoder(to!), smallDecoder(by!)];
  const encode = smallEncoder(to!, "rn");
  return scalar(
    "u32",
    ["u32", "u32"],
    inBothLanes2((a, b) => encode(first(a) * second(b))),
  );
};

export const halfMeanings: Meanings = {
  "add.mixed.x2": mixedPairs(2, addF32 as ByMode<OnBits>),
  "sub.mixed.x2": mixedPairs(2, subF32 as ByMode<OnBits>),
  "fma.mixed.x2": mixedPairs(3, fmaF32 as ByMode<OnBits>),
  "mul.mixed.f16x2": mixedProduct,
  "mul.mixed.bf16x2": mixedProduct,
  "add.mixed": mixed(2, addF32 as ByMode<OnBits>),
  "sub.mixed": mixed(2, subF32 as ByMode<OnBits>),
  "fma.mixed": mixed(3, fmaF32 as ByMode<OnBits>),
  add: named(2, "add"),
  sub: named(2, "sub"),
  mul: named(2, "mul"),
  fma: half(3, (format, opcode) => {
    const { fma } = arithmeticOf(opcode, format);
    return (hasModifier(opcode, "oob") ? outOfBoundsIsZero(fma) : fma) as OnBits;
  }),
  neg: named(1, "neg"),
  abs: named(1, "abs"),
  min: extremum("min", "minNaN"),
  max: extremum("max", "maxNaN"),
  ex2: approximation(ex2ApproxSmall),
  tanh: approximation(tanhApproxSmall),
};
