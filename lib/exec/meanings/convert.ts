// cvt: PTX ISA 9.0 section 9.7.9.21. Registers may be wider than the types: a source is read by its type's bits, a result is
// extended by its type's sign. Small results and sources (f16, bf16, e4m3 ...) travel as bits.

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
  wideToOdd,
  type WideInt,
} from "../../base/num/convert.js";
import { f64FromWords } from "../../base/num/bits.js";
import { lifted, roundToF32 } from "../../base/num/f32.js";
import { flushF32, flushResultF32, type RoundingMode, ROUNDING_MODES, saturateUnit } from "../../base/num/rounding.js";
import { F16, smallDecoder, smallEncoder, type SmallFloat, TF32 } from "../../base/num/small-float.js";
import { hasModifier, type Opcode, typesOf } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { fromScales, stochastic, toScales } from "./convert-random.js";
import { either, integerView, isInteger, type Meaning, type Meanings, type Reading, scalar, words } from "./meaning.js";
import { scaledConversion } from "./convert-scaled.js";
import { floatConversion, type FloatOrigin, isNaN64, narrowedTo } from "./nan.js";
import { smallFormats, smallResult } from "./small-result.js";

const integerModes: readonly IntegerRounding[] = ["rni", "rzi", "rmi", "rpi"];

function integerMode(opcode: Opcode): IntegerRounding | undefined {
  return integerModes.find((mode) => hasModifier(opcode, mode));
}

function floatMode(opcode: Opcode): RoundingMode {
  return ROUNDING_MODES.find((mode) => hasModifier(opcode, mode)) ?? "rn";
}

// ---------------------------------------------------------------------------------------------------------- from integer

const copy64 = words([64, 64], (w, d, a) => {
  w[d!] = w[a!]!;
  w[d! + 1] = w[a! + 1]!;
});

/** An integer type by its sign and bits: b32 counts as u32. */
const plainName = (type: DataType): string => `${type.class === "signed" ? "s" : "u"}${type.bits}`;

function integerToInteger(opcode: Opcode, to: DataType, from: DataType): Meaning {
  const source = integerView(from);
  if (hasModifier(opcode, "sat")) {
    return to.bits === 64
      ? scalar(integerView(to), [source], saturateToWide(plainName(to) as WideInt))
      : scalar(integerView(to), [source], saturateToNarrow(plainName(to) as NarrowInt));
  }
  if (to.bits === 64)
    return from.bits === 64
      ? copy64
      : scalar(
          from.class === "signed" ? "s32" : "u32",
          [source],
          from.class === "signed" ? (x) => x : (x: number) => x >>> 0,
        );
  return scalar(integerView(to), [from.bits === 64 ? "s32" : source], lowBits[plainName(to) as NarrowInt]);
}

function integerToFloat(opcode: Opcode, to: DataType, from: DataType): Meaning | undefined {
  const mode = floatMode(opcode);
  const source = from.class === "signed" ? integerView(from) : (`u${from.bits}` as "u32");
  const isWide = from.bits === 64;
  const sat = hasModifier(opcode, "sat") ? saturateUnit : (x: number): number => x;
  const small = smallFormats[to.name];
  if (small !== undefined) {
    const encode = smallEncoder(small, mode);
    return isWide
      ? scalar("u16", [source], (x: bigint) => encode(sat(wideToOdd(x))))
      : scalar("u16", [source], (x: number) => encode(sat(x)));
  }
  const convert = (
    to.name === "f32" ? (isWide ? wideToF32[mode] : roundToF32[mode]) : isWide ? wideToF64[mode] : (x: number) => x
  ) as (x: number | bigint) => number;
  const write = to.name as "f32" | "f64";
  return hasModifier(opcode, "sat")
    ? scalar(write, [source], (x: number) => sat(convert(x)))
    : scalar(write, [source], convert);
}

// ------------------------------------------------------------------------------------------------------------ from float

interface FloatSource {
  readonly view: "f32" | "f64" | "u16";
  readonly decode: ((bits: number) => number) | undefined;
  readonly origin: FloatOrigin;
}

function floatSource(opcode: Opcode, type: DataType): FloatSource {
  const small = smallFormats[type.name];
  if (small !== undefined) return { view: "u16", decode: smallDecoder(small), origin: small };
  if (type.name === "f32" && hasModifier(opcode, "ftz")) return { view: "f32", decode: flushF32, origin: "f32.ftz" };
  const view = type.name as "f32" | "f64";
  return { view, decode: undefined, origin: view };
}

/** `convert` after the source is decoded. */
function after<T>(source: FloatSource, convert: (x: number) => T): (x: number) => T {
  const { decode } = source;
  return decode === undefined ? convert : (x) => convert(decode(x));
}

function floatToInteger(opcode: Opcode, to: DataType, from: DataType): Meaning {
  const source = floatSource(opcode, from);
  const mode = integerMode(opcode) ?? "rzi";
  const write = integerView(to);
  return to.bits === 64
    ? scalar(write, [source.view], after(source, floatToWide(mode, plainName(to) as WideInt)))
    : scalar(write, [source.view], after(source, floatToNarrow(mode, plainName(to) as NarrowInt, from.name === "f64")));
}

/** Conversions that move bits, also those of NaNs: of a type to itself, and of bf16 to f32, whose upper half it is. */
function moved(to: DataType, from: DataType): Meaning | undefined {
  if (to.name === "f32" && from.name === "bf16") return scalar("u32", ["u16"], (x: number) => x << 16);
  if (to.name !== from.name) return undefined;
  return to.bits === 64 ? copy64 : scalar(`u${to.bits}` as "u32", [`u${to.bits}` as "u32"], (x: number) => x);
}

function floatToFloat(opcode: Opcode, to: DataType, from: DataType): Meaning {
  const source = floatSource(opcode, from);
  const whole = integerMode(opcode);
  const sat = hasModifier(opcode, "sat") ? saturateUnit : undefined;
  const ftz = hasModifier(opcode, "ftz");
  if (whole === undefined && sat === undefined && !ftz) {
    const move = moved(to, from);
    if (move !== undefined) return move;
  }
  const shaped = (x: number): number => {
    const rounded = whole === undefined ? x : roundToIntegral[whole](x);
    return sat === undefined ? rounded : sat(rounded);
  };
  const small = smallFormats[to.name];
  if (small !== undefined) return toSmall(opcode, small, source, shaped);
  if (to.name === "f64") return floatConversion("f64", source.origin, after(source, shaped));
  const mode = floatMode(opcode);
  const round = from.name === "f64" ? roundToF32[mode] : (x: number): number => x;
  // Only an f64 is rounded; results from other sources are exact before they are flushed.
  const flushed = (x: number): number => flushResultF32(round(x), lifted.cvt[mode], x);
  return floatConversion(
    "f32",
    source.origin,
    after(source, ftz ? (x) => shaped(flushed(x)) : (x) => shaped(round(x))),
  );
}

/** To f16 or bf16. NaNs are canonical, but those of f64 keep sign and payload, unless .sat makes them zero. */
function toSmall(opcode: Opcode, format: SmallFloat, source: FloatSource, shaped: (x: number) => number): Meaning {
  const encode = smallEncoder(format, floatMode(opcode));
  const finish = smallResult(opcode, format);
  const one = (x: number): number => finish(encode(shaped(x)));
  if (source.view === "f64")
    return scalar("u16", ["pair64"], (low: number, high: number) =>
      isNaN64(low, high) && !hasModifier(opcode, "sat") ? narrowedTo(format, high) : one(f64FromWords(high, low)),
    );
  // .ftz to f16 flushes nothing: in .rm and .rp a subnormal f32 rounds away from zero.
  return scalar("u16", [source.view], source.view === "f32" && format === F16 ? one : after(source, one));
}

const single: Reading = (opcode) => {
  const [to, from] = typesOf(opcode);
  // No document specifies what .pzo does to a zero.
  if (hasModifier(opcode, "pzo")) return undefined;
  if (to === undefined || from === undefined || to.lanes !== 1 || from.lanes !== 1) return undefined;
  if (opcode.form.operands.length !== 2) return undefined;
  if (to.name === "tf32") return toTf32(opcode);
  if (isInteger(from)) return isInteger(to) ? integerToInteger(opcode, to, from) : integerToFloat(opcode, to, from);
  return isInteger(to) ? floatToInteger(opcode, to, from) : floatToFloat(opcode, to, from);
};

/** tf32 is an f32 in a .b32 register, with the low bits of the mantissa zero. */
function toTf32(opcode: Opcode): Meaning {
  if (hasModifier(opcode, "rna")) {
    const satfinite = hasModifier(opcode, "satfinite");
    return scalar("u32", ["s32"], (bits: number) => awayToTf32(bits, satfinite));
  }
  const encode = smallEncoder(TF32, floatMode(opcode));
  const finish = smallResult(opcode, TF32);
  return scalar("u32", ["f32"], (x: number) => finish(encode(x)) << 13);
}

/** .rna works on bits: adds half a place to numbers, and truncates the lower bits, also those of NaNs. */
function awayToTf32(bits: number, satfinite: boolean): number {
  const isNumber = (bits & 0x7fffffff) < 0x7f800000;
  const cut = (isNumber ? bits + 0x1000 : bits) & -0x2000;
  // One place below infinity is the greatest number; NaNs change in the same way, whatever the result.
  return satfinite && (cut & 0x7f800000) === 0x7f800000 ? cut - 0x2000 : cut;
}

// ----------------------------------------------------------------------------------------------------------------- pairs

/** Bits of one element of a packed type: e4m3x2 -> 8 of e4m3; f16x2 -> 16 of f16; e2m1x2 -> 4. */
function elementOf(type: DataType): { readonly format: SmallFloat; readonly bits: number } | undefined {
  const format = smallFormats[type.name.replace(/x2$/, "")];
  return type.lanes === 2 && format !== undefined ? { format, bits: type.bits / 2 } : undefined;
}

/** Two f32 to a pair, the first in the upper half. */
const pairFromFloats: Reading = (opcode) => {
  if (hasModifier(opcode, "pzo")) return undefined;
  const [to, from] = typesOf(opcode);
  const element = to && elementOf(to);
  if (element === undefined || from?.name !== "f32" || opcode.form.operands.length < 3) return undefined;
  const encode = smallEncoder(element.format, floatMode(opcode));
  const finish = smallResult(opcode, element.format);
  const one = (x: number): number => finish(encode(x));
  return scalar("u32", ["f32", "f32"], (high: number, low: number) => (one(high) << element.bits) | one(low));
};

/** A pair of one format to a pair of another. */
const pairFromPair: Reading = (opcode) => {
  if (hasModifier(opcode, "pzo")) return undefined;
  const [to, from] = typesOf(opcode);
  const target = to && elementOf(to);
  const source = from && elementOf(from);
  if (target === undefined || source === undefined) return undefined;
  const decode = smallDecoder(source.format);
  const encode = smallEncoder(target.format, floatMode(opcode));
  const finish = smallResult(opcode, target.format);
  const mask = 2 ** source.bits - 1;
  const one = (bits: number): number => finish(encode(decode(bits & mask)));
  return scalar(
    "u32",
    [source.bits === 16 ? "u32" : "u16"],
    (pair: number) => (one(pair >>> source.bits) << target.bits) | one(pair),
  );
};

const pack: Reading = (opcode) => {
  const type = opcode.chosen.find((text) => text !== undefined && /^[us](2|4|8|16)$/.test(text))!;
  const bits = Number(type.slice(1));
  const [least, most] = type.startsWith("s") ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const clamp = (x: number): number => Math.min(Math.max(x, least), most) & (2 ** bits - 1);
  const hasThird = opcode.form.operands.length === 4;
  return hasThird
    ? scalar(
        "u32",
        ["s32", "s32", "s32"],
        (a: number, b: number, c: number) => (c << (2 * bits)) | (clamp(a) << bits) | clamp(b),
      )
    : scalar("u32", ["s32", "s32"], (a: number, b: number) => (clamp(a) << bits) | clamp(b));
};

export const convertMeanings: Meanings = {
  "cvt.pack": pack,
  "cvt.pack.accumulate": pack,
  cvt: either(scaledConversion, stochastic, toScales, fromScales, single, pairFromFloats, pairFromPair),
};
