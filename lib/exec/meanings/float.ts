// Floating-point arithmetic on f32, f32x2 and f64 (PTX ISA 9.0 section 9.7.3), and on f16 and bf16 (9.7.4). base/num computes the
// values; this file selects the function and adds .ftz and .sat. The approximations are functions of bits, with forms of their
// own for .ftz.

import * as approx from "../../base/num/approx.js";
import { f32FromBits, f32ToBits } from "../../base/num/bits.js";
import {
  copySignF32,
  copySignF64,
  type FloatProperty,
  maxNaN,
  maxNumber,
  minNaN,
  minNumber,
  testProperty,
  withXorSign,
} from "../../base/num/compare.js";
import * as single from "../../base/num/f32.js";
import * as double from "../../base/num/f64.js";
import {
  type ByMode,
  flushF32,
  flushResultF32,
  type RoundingMode,
  ROUNDING_MODES,
  saturateUnit,
  type Ternary,
} from "../../base/num/rounding.js";
import { hasModifier, type Opcode, typeOf, typesOf } from "../../isa/opcode.js";
import { type Meaning, type Meanings, type Reading, scalar, words } from "./meaning.js";
import { isNaN64, QUIET_HIGH, scalar64 } from "./nan.js";
import type { ScalarFunction, View } from "../machine/lanes.js";

type Float = (...operands: number[]) => number;

/** The rounding mode; rn where the opcode has none. */
function roundingOf(opcode: Opcode): RoundingMode {
  return ROUNDING_MODES.find((mode) => hasModifier(opcode, mode)) ?? "rn";
}

/** Adds .ftz and .sat to `fn` as the opcode has them. `lifted` is needed to flush some results (flushResultF32). */
function decorate(opcode: Opcode, arity: number, fn: Float, lifted?: Float): Float {
  const flushed = hasModifier(opcode, "ftz") ? flushing(arity, fn, lifted) : fn;
  return hasModifier(opcode, "sat") ? saturating(arity, flushed) : flushed;
}

function flushing(arity: number, fn: Float, lifted: Float | undefined): Float {
  if (lifted !== undefined) return flushingRounded(arity, fn, lifted);
  switch (arity) {
    case 1:
      return (a) => flushF32(fn(flushF32(a!)));
    case 2:
      return (a, b) => flushF32(fn(flushF32(a!), flushF32(b!)));
    default:
      return (a, b, c) => flushF32(fn(flushF32(a!), flushF32(b!), flushF32(c!)));
  }
}

function flushingRounded(arity: number, fn: Float, lifted: Float): Float {
  switch (arity) {
    case 1:
      return (a) => {
        const x = flushF32(a!);
        return flushResultF32(fn(x), lifted, x);
      };
    case 2:
      return (a, b) => {
        const [x, y] = [flushF32(a!), flushF32(b!)];
        return flushResultF32(fn(x, y), lifted, x, y);
      };
    default:
      return (a, b, c) => {
        const [x, y, z] = [flushF32(a!), flushF32(b!), flushF32(c!)];
        return flushResultF32(fn(x, y, z), lifted, x, y, z);
      };
  }
}

function saturating(arity: number, fn: Float): Float {
  switch (arity) {
    case 1:
      return (a) => saturateUnit(fn(a!));
    case 2:
      return (a, b) => saturateUnit(fn(a!, b!));
    default:
      return (a, b, c) => saturateUnit(fn(a!, b!, c!));
  }
}

interface Family {
  readonly f32: ByMode<ScalarFunction>;
  readonly f64: ByMode<ScalarFunction>;
  /** Operands by the precedence of their NaNs; if absent, in the order of the PTX. */
  readonly nan?: readonly number[];
  /** For f32 results that may be rounded up to 2^-126 (flushResultF32). */
  readonly lifted?: ByMode<Ternary>;
}

/** Applies `fn` to the two f32 values in 64-bit registers, low word first. */
function inBothWords(arity: number, fn: Float): Meaning {
  const bits = new Array<number>(arity + 1).fill(64);
  return words(bits, (w, d, ...operands) => {
    for (const half of [0, 1]) w[d! + half] = f32ToBits(fn(...operands.map((at) => f32FromBits(w[at + half]!))));
  });
}

/** An operation that has every rounding mode. */
const exact =
  (arity: number, family: Family): Reading =>
  (opcode) => {
    const mode = roundingOf(opcode);
    // Opcodes with several types mix them (half.ts).
    if (typesOf(opcode).length > 1) return undefined;
    const single = (): Float =>
      decorate(opcode, arity, family.f32[mode] as Float, family.lifted?.[mode] as Float | undefined);
    switch (typeOf(opcode)?.name) {
      case "f32":
        return scalar("f32", new Array<View>(arity).fill("f32"), single());
      case "f64":
        return scalar64(arity, family.f64[mode], family.nan);
      case "f32x2":
        return inBothWords(arity, single());
      default:
        return undefined;
    }
  };

const multiplyAdd = exact(3, {
  f32: single.fmaF32,
  f64: double.fmaF64,
  nan: [1, 2, 0],
  lifted: single.lifted.fma,
});

const isFloat = (opcode: Opcode): boolean => {
  const name = typeOf(opcode)?.name;
  return name === "f32" || name === "f64";
};

/** An approximation of f32 as a function of bits; forms with .ftz have a function of their own. */
const approximation =
  (arity: number, plain: Float, ftz: Float = plain): Reading =>
  (opcode) =>
    typeOf(opcode)?.name === "f32"
      ? scalar("s32", new Array<View>(arity).fill("s32"), hasModifier(opcode, "ftz") ? ftz : plain)
      : undefined;

const approxDiv = approximation(2, approx.divApproxF32 as Float, approx.divApproxFtzF32 as Float);
const fullDiv = approximation(2, approx.divFullF32 as Float, approx.divFullFtzF32 as Float);
const exactDiv = exact(2, { f32: single.divF32, f64: double.divF64, lifted: single.lifted.div });

const div: Reading = (opcode) => {
  if (hasModifier(opcode, "approx")) return approxDiv(opcode);
  return (hasModifier(opcode, "full") ? fullDiv : exactDiv)(opcode);
};

/** rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read and write the upper words only. */
const highWords = (fn: (high: number) => number): Meaning =>
  words([64, 64], (w, d, a) => {
    w[d! + 1] = fn(w[a! + 1]!);
    w[d!] = 0;
  });

const approxRcp = approximation(1, approx.rcpApproxF32 as Float, approx.rcpApproxFtzF32 as Float);
const exactRcp = exact(1, { f32: single.rcpF32, f64: double.rcpF64, lifted: single.lifted.rcp });

const rcp: Reading = (opcode) => {
  if (!hasModifier(opcode, "approx")) return exactRcp(opcode);
  return typeOf(opcode)?.name === "f64" ? highWords(approx.rcpApproxF64High) : approxRcp(opcode);
};

const approxSqrt = approximation(1, approx.sqrtApproxF32 as Float, approx.sqrtApproxFtzF32 as Float);
const exactSqrt = exact(1, { f32: single.sqrtF32, f64: double.sqrtF64 });

const singleRsqrt = approximation(1, approx.rsqrtApproxF32 as Float, approx.rsqrtApproxFtzF32 as Float);

const rsqrt: Reading = (opcode) => {
  if (typeOf(opcode)?.name === "f32") return singleRsqrt(opcode);
  return hasModifier(opcode, "ftz")
    ? highWords(approx.rsqrtApproxF64High)
    : words([64, 64], (w, d, a) => approx.rsqrtApproxF64(w, d!, a!));
};

const extremum =
  (number: Float, nan: Float): Reading =>
  (opcode) => {
    if (!isFloat(opcode)) return undefined;
    const pick = hasModifier(opcode, "NaN") ? nan : number;
    const arity = opcode.form.operands.length - 1;
    if (typeOf(opcode)!.name === "f64") return scalar64(2, pick, [1, 0]);
    const two: Float = hasModifier(opcode, "abs") ? (a, b) => pick(Math.abs(a!), Math.abs(b!)) : pick;
    const all = decorate(opcode, arity, arity === 3 ? (a, b, c) => two(two(a!, b!), c!) : two);
    // The sign of a NaN operand counts, so operands are read as bits.
    if (hasModifier(opcode, "xorsign"))
      return scalar("f32", ["s32", "s32"], (a: number, b: number) =>
        withXorSign(all(f32FromBits(a), f32FromBits(b)), a, b),
      );
    return scalar("f32", new Array<View>(arity).fill("f32"), all);
  };

const SIGN = -0x80000000;

/** neg and abs: as an operation on numbers for f32, whose NaN is canonical; a NaN of f64 becomes quiet and keeps its sign. */
const signBit =
  (change: Float, changeHigh: (high: number) => number): Reading =>
  (opcode) => {
    switch (typeOf(opcode)?.name) {
      case "f32":
        return scalar("f32", ["f32"], hasModifier(opcode, "ftz") ? (x: number) => change(flushF32(x)) : change);
      case "f64":
        return words([64, 64], (w, d, a) => {
          const [low, high] = [w[a!]!, w[a! + 1]!];
          w[d!] = low;
          w[d! + 1] = isNaN64(low, high) ? high | QUIET_HIGH : changeHigh(high);
        });
      default:
        return undefined;
    }
  };

const testp: Reading = (opcode) => {
  const view = typeOf(opcode)!.name as "f32" | "f64";
  const property = opcode.chosen.find((text) => text !== undefined && Object.hasOwn(testProperty, text));
  const test = testProperty[property as FloatProperty];
  return scalar("pred", [view], (x: number) => test(x, view));
};

const copysign: Reading = (opcode) =>
  typeOf(opcode)!.name === "f64"
    ? scalar("u64", ["u64", "u64"], copySignF64)
    : scalar("s32", ["s32", "s32"], copySignF32);

export const floatMeanings: Meanings = {
  add: exact(2, { f32: single.addF32, f64: double.addF64, nan: [1, 0] }),
  sub: exact(2, { f32: single.subF32, f64: double.subF64, nan: [1, 0] }),
  mul: exact(2, { f32: single.mulF32, f64: double.mulF64, nan: [1, 0], lifted: single.lifted.mul }),
  fma: multiplyAdd,
  mad: multiplyAdd,
  div,
  rcp,
  sqrt: (opcode) => (hasModifier(opcode, "approx") ? approxSqrt : exactSqrt)(opcode),
  rsqrt,
  sin: approximation(1, approx.sinApproxF32 as Float),
  cos: approximation(1, approx.cosApproxF32 as Float),
  lg2: approximation(1, approx.lg2ApproxF32 as Float, approx.lg2ApproxFtzF32 as Float),
  ex2: approximation(1, approx.ex2ApproxF32 as Float, approx.ex2ApproxFtzF32 as Float),
  tanh: approximation(1, approx.tanhApproxF32 as Float),
  min: extremum(minNumber as Float, minNaN as Float),
  max: extremum(maxNumber as Float, maxNaN as Float),
  abs: signBit(Math.abs as Float, (high) => high & ~SIGN),
  neg: signBit(
    (x) => -x!,
    (high) => high ^ SIGN,
  ),
  testp,
  copysign,
};
