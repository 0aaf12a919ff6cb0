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
import { roundToF32 } from "../../base/num/f32.js";
import {
  type CvtRoundingMode,
  flushF32,
  type RoundingMode,
  ROUNDING_MODES,
  saturateUnit,
} from "../../base/num/rounding.js";
import { smallDecoder, smallEncoder, type SmallFloat, TF32 } from "../../base/num/small-float.js";
import type { Opcode } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { fromScales, stochastic, toScales } from "./convert-random.js";
import {
  either,
  has,
  integerView,
  isInteger,
  type Meaning,
  type Meanings,
  type Reading,
  scalar,
  typesOf,
  words,
} from "./meaning.js";
import { floatConversion } from "./nan.js";
import { smallFormats, smallResult } from "./small-result.js";

const integerModes: readonly IntegerRounding[] = ["rni", "rzi", "rmi", "rpi"];

function integerMode(opcode: Opcode): IntegerRounding | undefined {
  return integerModes.find((mode) => has(opcode, mode));
}

function floatMode(opcode: Opcode): RoundingMode {
  return ROUNDING_MODES.find((mode) => has(opcode, mode)) ?? "rn";
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
  if (has(opcode, "sat")) {
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
  const sat = has(opcode, "sat") ? saturateUnit : (x: number): number => x;
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
  return has(opcode, "sat")
    ? scalar(write, [source], (x: number) => sat(convert(x)))
    : scalar(write, [source], convert);
}

// ------------------------------------------------------------------------------------------------------------ from float

interface FloatSource {
  readonly view: "f32" | "f64" | "u16";
  readonly decode: ((bits: number) => number) | undefined;
}

function floatSource(opcode: Opcode, type: DataType): FloatSource {
  const small = smallFormats[type.name];
  if (small !== undefined) return { view: "u16", decode: smallDecoder(small) };
  const view = type.name as "f32" | "f64";
  return { view, decode: view === "f32" && has(opcode, "ftz") ? flushF32 : undefined };
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

function floatToFloat(opcode: Opcode, to: DataType, from: DataType): Meaning {
  const source = floatSource(opcode, from);
  const whole = integerMode(opcode);
  const sat = has(opcode, "sat") ? saturateUnit : undefined;
  const small = smallFormats[to.name];
  const shaped = (x: number): number => {
    const rounded = whole === undefined ? x : roundToIntegral[whole](x);
    return sat === undefined ? rounded : sat(rounded);
  };
  if (small !== undefined) {
    const encode = smallEncoder(small, floatMode(opcode));
    const finish = smallResult(opcode, small);
    return scalar(
      "u16",
      [source.view],
      after(source, (x) => finish(encode(shaped(x)))),
    );
  }
  if (to.name === "f64") return wideResult("f64", source, after(source, shaped));
  const round = from.name === "f64" ? roundToF32[floatMode(opcode)] : (x: number): number => x;
  const ftz = has(opcode, "ftz") ? flushF32 : undefined;
  return wideResult(
    "f32",
    source,
    after(source, (x) => {
      const value = shaped(round(x));
      return ftz === undefined ? value : ftz(value);
    }),
  );
}

const wideResult = (to: "f32" | "f64", { view }: FloatSource, fn: (x: number) => number): Meaning =>
  view === "u16" ? scalar(to, [view], fn) : floatConversion(to, view, fn);

const single: Reading = (opcode) => {
  const [to, from] = typesOf(opcode);
  if (to === undefined || from === undefined || to.lanes !== 1 || from.lanes !== 1) return undefined;
  if (opcode.form.operands.length !== 2) return undefined;
  if (to.name === "tf32") return toTf32(opcode);
  if (isInteger(from)) return isInteger(to) ? integerToInteger(opcode, to, from) : integerToFloat(opcode, to, from);
  return isInteger(to) ? floatToInteger(opcode, to, from) : floatToFloat(opcode, to, from);
};

/** tf32 keeps f32's place in a .b32 register, the low bits of the mantissa zero. */
function toTf32(opcode: Opcode): Meaning {
  const mode: CvtRoundingMode = has(opcode, "rna") ? "rna" : floatMode(opcode);
  const encode = smallEncoder(TF32, mode);
  const finish = smallResult(opcode, TF32);
  return scalar("s32", ["f32"], (x: number) => finish(encode(x)) << 13);
}

// ----------------------------------------------------------------------------------------------------------------- pairs

/** Bits of one element of a packed type: e4m3x2 -> 8 of e4m3; f16x2 -> 16 of f16; e2m1x2 -> 4. */
function elementOf(type: DataType): { readonly format: SmallFloat; readonly bits: number } | undefined {
  const format = smallFormats[type.name.replace(/x2$/, "")];
  return type.lanes === 2 && format !== undefined ? { format, bits: type.bits / 2 } : undefined;
}

/** Two f32 to a pair, the first in the upper half. */
const pairFromFloats: Reading = (opcode) => {
  const [to, from] = typesOf(opcode);
  const element = to && elementOf(to);
  if (element === undefined || from?.name !== "f32" || opcode.form.operands.length !== 3) return undefined;
  const encode = smallEncoder(element.format, floatMode(opcode));
  const finish = smallResult(opcode, element.format);
  const one = (x: number): number => finish(encode(x));
  return scalar("u32", ["f32", "f32"], (high: number, low: number) => (one(high) << element.bits) | one(low));
};

/** A pair of one format to a pair of another. */
const pairFromPair: Reading = (opcode) => {
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
  cvt: either(stochastic, toScales, fromScales, single, pairFromFloats, pairFromPair),
};
