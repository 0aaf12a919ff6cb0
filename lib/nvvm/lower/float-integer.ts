// Conversions between floats and integers of any width. Values that do not fit are poison in LLVM: the result of `cvt` is
// valid.

import type { FloatName } from "../ir/type.js";
import { literal, type Scalar } from "../select/machine.js";
import { convertFloat, formatClass, narrow, roundToOdd, suffixOf, widen, type FloatTarget } from "./float.js";
import { choose, clean, isNotZero, resize } from "./integer.js";
import { absoluteWords, cleanWords, negateWords, shiftWords, type Words } from "./wide.js";
import { classOf, type RegisterClass } from "./parts.js";

/** The float's integer part, as words of `bits`. */
export function floatToInteger(
  target: FloatTarget,
  value: Scalar,
  name: FloatName,
  bits: number,
  signed: boolean,
): Words {
  const { emit } = target;
  if (bits > 64) return floatToWords(target, value, name, bits, signed);
  if (name === "bfloat")
    return floatToInteger({ ...target, ftz: "" }, widen(target, value, name), "float", bits, signed);
  const kind: RegisterClass = bits <= 32 ? "b32" : "b64";
  const letter = signed ? "s" : "u";
  const flush = name === "float" ? target.ftz : "";
  const source = emit.inRegister(value, formatClass(name));
  const result = emit.pure(`cvt.rzi${flush}.${letter}${kind.slice(1)}.${suffixOf(name)}`, kind, source);
  if (bits === 1) return [isNotZero(emit, result)];
  return [resize(emit, result, Number(kind.slice(1)), Math.min(bits, Number(kind.slice(1))), signed)];
}

const twoTo = (exponent: number): Scalar => literal("b64", BigInt(1023 + exponent) << 52n);

/** Words from the highest: each is the remainder divided by the word's power of two. */
function floatToWords(target: FloatTarget, value: Scalar, name: FloatName, bits: number, signed: boolean): Words {
  const { emit } = target;
  const exact = name === "double" ? emit.inRegister(value, "b64") : convertFloat(target, value, name, "double");
  const magnitude = emit.pure("abs.f64", "b64", exact);
  const count = Math.ceil(bits / 64);
  const words: Scalar[] = [];
  let rest: Scalar = emit.pure("cvt.rzi.f64.f64", "b64", magnitude);
  for (let i = count - 1; i > 0; i--) {
    // A double is below 2^1024: quotients by higher powers are zero.
    if (64 * i > 1022) {
      words.unshift(literal("b64", 0n));
      continue;
    }
    const part = emit.pure("cvt.rzi.f64.f64", "b64", emit.pure("mul.rn.f64", "b64", rest, twoTo(-64 * i)));
    words.unshift(emit.pure("cvt.rzi.u64.f64", "b64", part));
    rest = emit.pure("fma.rn.f64", "b64", part, literal("b64", twoToBits(64 * i) | (1n << 63n)), rest);
  }
  words.unshift(emit.pure("cvt.rzi.u64.f64", "b64", rest));
  if (!signed) return words;
  const negative = emit.pure("setp.lt.f64", "p", exact, literal("b64", 0n));
  const negated = negateWords(emit, words);
  return words.map((one, i) => choose(emit, negative, negated[i]!, one));
}

/** The nearest representable integer of more than 64 bits, toward zero; 0 for a NaN. */
export function saturatedWords(
  target: FloatTarget,
  value: Scalar,
  name: FloatName,
  bits: number,
  signed: boolean,
): Words {
  const { emit } = target;
  const exact = name === "double" ? emit.inRegister(value, "b64") : convertFloat(target, value, name, "double");
  const exponent = signed ? bits - 1 : bits;
  // No finite double is 2^1024 or more.
  const above = literal("b64", exponent > 1023 ? INFINITY : twoToBits(exponent));
  const isAbove = emit.pure("setp.ge.f64", "p", exact, above);
  const least = signed ? literal("b64", (above.bits as bigint) | (1n << 63n)) : literal("b64", 0n);
  const isBelow = emit.pure("setp.lt.f64", "p", exact, least);
  const isNan = emit.pure("setp.nan.f64", "p", exact, exact);
  const [lowest, highest] = signed
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n];
  return floatToWords(target, exact, "double", bits, signed).map((one, i) => {
    const word = (whole: bigint): Scalar => literal("b64", BigInt.asUintN(64, whole >> BigInt(64 * i)));
    const limited = choose(emit, isBelow, word(lowest), choose(emit, isAbove, word(highest), one));
    return choose(emit, isNan, literal("b64", 0n), limited);
  });
}

const INFINITY = 0x7ffn << 52n;
const twoToBits = (exponent: number): bigint => BigInt(1023 + exponent) << 52n;

/** The integer rounded to the nearest float. */
export function integerToFloat(
  target: FloatTarget,
  words: Words,
  bits: number,
  name: FloatName,
  signed: boolean,
): Scalar {
  const { emit, context } = target;
  if (bits > 64) return wordsToFloat(target, words, bits, name, signed);
  const value = words[0]!;
  // Narrow integers as 32 bits.
  const width = bits <= 32 ? 32 : 64;
  const wide = bits < width ? resize(emit, clean(emit, value, bits, signed), bits, width, signed) : value;
  const source = emit.inRegister(wide, classOf(width));
  const letter = signed ? "s" : "u";
  if (name === "bfloat") {
    if (bits <= 24) return narrow(target, emit.pure(`cvt.rn.f32.${letter}32`, "b32", source), name);
    if (context.arch >= 90) {
      context.needVersion(78);
      return emit.pure(`cvt.rn.bf16.${letter}${width}`, "b16", source);
    }
    return narrow(target, roundToOddSingle(target, source, letter, width), name);
  }
  return emit.pure(`cvt.rn.${suffixOf(name)}.${letter}${width}`, formatClass(name), source);
}

/** f32 with the last bit set if digits were lost. */
function roundToOddSingle({ emit }: FloatTarget, source: Scalar, letter: string, width: 32 | 64): Scalar {
  if (width === 32) return roundToOdd(emit, emit.pure(`cvt.rn.f64.${letter}32`, "b64", source));
  const cut = emit.pure(`cvt.rz.f32.${letter}64`, "b32", source);
  const back = emit.pure(`cvt.rzi.${letter}64.f32`, "b64", cut);
  const inexact = emit.pure("setp.ne.s64", "p", back, source);
  return choose(emit, inexact, emit.pure("or.b32", "b32", cut, literal("b32", 1)), cut);
}

/**
 * The magnitude is shifted up until its highest bit is in the highest word. That word, with its last bit set if lower words
 * have any, is rounded to the float; exact products restore the exponent.
 */
function wordsToFloat(target: FloatTarget, value: Words, bits: number, name: FloatName, signed: boolean): Scalar {
  const { emit } = target;
  const cleaned = cleanWords(emit, value, bits, signed);
  const { words, negative } = signed
    ? absoluteWords(emit, cleaned)
    : { words: cleaned, negative: literal("p", 0n) as Scalar };
  const count = words.length;
  const zeros = leadingZeros(target, words);
  const moved = shiftWords(emit, "shl", words, zeros, count * 64);
  const lower = moved.slice(0, -1).reduce((all, one) => emit.pure("or.b64", "b64", all, one));
  const sticky = resize(emit, emit.pure("setp.ne.b64", "p", lower, literal("b64", 0n)), 1, 64, false);
  const top = emit.pure("or.b64", "b64", moved.at(-1)!, sticky);
  const isDouble = name === "double";
  const kind = isDouble ? "b64" : "b32";
  const type = isDouble ? "f64" : "f32";
  // f16 and bf16 are rounded from an f32 that keeps lost digits in its last bit.
  const single =
    name === "float" || isDouble ? emit.pure(`cvt.rn.${type}.u64`, kind, top) : roundToOddSingle(target, top, "u", 64);
  // The value is that times 2 to the (64·(count − 1) − zeros).
  const exponent = emit.pure("sub.s32", "b32", literal("b32", 64 * (count - 1)), zeros);
  let scaled: Scalar = single;
  const steps = Math.ceil((64 * (count - 1)) / 64);
  for (let i = 0; i < Math.min(steps, 20); i++) scaled = scaleByStep(target, scaled, exponent, i, isDouble);
  const negated = emit.pure(`neg.${type}`, kind, scaled);
  const result = choose(emit, negative, negated, scaled);
  return name === "float" || isDouble ? result : narrow(target, result, name);
}

/** Multiplies by 2 to the part of the exponent between 64·i and 64·i + 64; also below 0 in the first step. */
function scaleByStep({ emit }: FloatTarget, value: Scalar, exponent: Scalar, step: number, isDouble: boolean): Scalar {
  const b32 = (bits: number): Scalar => literal("b32", bits);
  const here = emit.pure("sub.s32", "b32", exponent, b32(64 * step));
  const low = step === 0 ? here : emit.pure("max.s32", "b32", here, b32(0));
  const limited = emit.pure("min.s32", "b32", low, b32(64));
  const biased = emit.pure("add.s32", "b32", limited, b32(isDouble ? 1023 : 127));
  if (!isDouble) {
    return emit.pure("mul.rn.f32", "b32", value, emit.pure("shl.b32", "b32", biased, b32(23)));
  }
  const wide = emit.pure("cvt.u64.u32", "b64", biased);
  return emit.pure("mul.rn.f64", "b64", value, emit.pure("shl.b64", "b64", wide, b32(52)));
}

/** Number of zero bits above the highest set bit, in 32 bits; for zero, all bits. */
export function leadingZeros({ emit }: Pick<FloatTarget, "emit">, words: Words): Scalar {
  let zeros: Scalar | undefined;
  words.forEach((one, i) => {
    const here = emit.pure("clz.b64", "b32", one);
    if (zeros === undefined) {
      zeros = here;
      return;
    }
    const all = emit.pure("add.s32", "b32", zeros, literal("b32", 64));
    const empty = emit.pure("setp.eq.b64", "p", words[i]!, literal("b64", 0n));
    zeros = choose(emit, empty, all, here);
  });
  return zeros!;
}
