// Float functions without an instruction: minimum and maximum with their rules for NaNs, scaling by powers of two, splitting,
// rounding half away from zero, classes.

import type { FloatName } from "../ir/type.js";
import { literal, type Scalar } from "../select/machine.js";
import {
  convertFloat,
  floatCompare,
  formatBits,
  formatClass,
  narrow,
  suffixOf,
  widen,
  type FloatTarget,
} from "./float.js";
import { binary, choose, compare, orPredicates, resize } from "./integer.js";

const digits: Readonly<Record<string, number>> = { half: 10, bfloat: 7, float: 23, double: 52 };
/** Bits of the stored fraction. */
const fractionBits = (name: FloatName): number => digits[name] ?? 52;

/** An operation in f32 for f16 and bf16, otherwise in the format itself. */
export function inWider(
  target: FloatTarget,
  name: FloatName,
  values: readonly Scalar[],
  work: (values: readonly Scalar[], name: "float" | "double") => Scalar,
): Scalar {
  if (name === "half" || name === "bfloat") {
    const wide = values.map((one) => widen(target, one, name));
    return narrow(target, work(wide, "float"), name);
  }
  return work(values, name === "float" ? "float" : "double");
}

/** minnum and maxnum prefer the number to a NaN; minimum and maximum give the NaN. */
export function extremeFloat(target: FloatTarget, word: string, a: Scalar, b: Scalar, name: FloatName): Scalar {
  const propagates = word === "minimum" || word === "maximum" || word === "fminimum" || word === "fmaximum";
  const op = word.replace(/^f/, "").slice(0, 3);
  return inWider(target, name, [a, b], ([x, y], format) => {
    const { emit, context, ftz } = target;
    const kind = formatClass(format);
    const flush = format === "float" && name === "float" ? ftz : "";
    const suffix = suffixOf(format);
    const native = propagates && format === "float" && context.arch >= 80;
    if (native) context.needVersion(70);
    const result = emit.pure(`${op}${flush}${native ? ".NaN" : ""}.${suffix}`, kind, x!, y!);
    if (!propagates || native) return result;
    const isNan = floatCompare(target, "uno", x!, y!, format);
    const nan = literal(kind, format === "float" ? 0x7fffffffn : 0x7ff8000000000000n);
    return choose(emit, isNan, nan, result);
  });
}

/** The first operand's magnitude with the second's sign. */
export function copySign({ emit }: FloatTarget, magnitude: Scalar, sign: Scalar, name: FloatName): Scalar {
  const kind = formatClass(name);
  if (name === "float" || name === "double") return emit.pure(`copysign.${suffixOf(name)}`, kind, sign, magnitude);
  const bit = 1n << BigInt(formatBits(name) - 1);
  const kept = binary(emit, "and", magnitude, literal(kind, bit - 1n), 16);
  return binary(emit, "or", kept, binary(emit, "and", sign, literal(kind, bit), 16), 16);
}

/** Halves round away from zero: adds the number just below a half, and truncates. */
export function roundAway(target: FloatTarget, value: Scalar, name: FloatName): Scalar {
  return inWider(target, name, [value], ([x], format) => {
    const { emit } = target;
    const kind = formatClass(format);
    const suffix = suffixOf(format);
    const almostHalf = literal(kind, format === "float" ? 0x3effffffn : 0x3fdfffffffffffffn);
    const half = emit.pure(`copysign.${suffix}`, kind, x!, almostHalf);
    return emit.pure(`cvt.rzi.${suffix}.${suffix}`, kind, emit.pure(`add.rn.${suffix}`, kind, x!, half));
  });
}

const doubleBits = (exponent: number): Scalar => literal("b64", BigInt(1023 + exponent) << 52n);

/** value · 2^exponent, rounded once. */
export function scaleByPower(target: FloatTarget, value: Scalar, exponent: Scalar, name: FloatName): Scalar {
  const { emit } = target;
  const b32 = (number: number): Scalar => literal("b32", number);
  const clamp = (one: Scalar, low: number, high: number): Scalar =>
    emit.pure("min.s32", "b32", emit.pure("max.s32", "b32", one, b32(low)), b32(high));
  const power = (one: Scalar): Scalar => {
    const biased = emit.pure("add.s32", "b32", one, b32(1023));
    return emit.pure("shl.b64", "b64", emit.pure("cvt.u64.u32", "b64", biased), b32(52));
  };
  if (name !== "double") {
    // In f64 the product of any f32 and a power up to 2^±300 is exact.
    const wide = convertFloat({ ...target, ftz: "" }, value, name, "double");
    const scaled = emit.pure("mul.rn.f64", "b64", wide, power(clamp(exponent, -300, 300)));
    return convertFloat({ ...target, ftz: "" }, scaled, "double", name);
  }
  // In steps of which only the last can round: below the least normal exponent, a step keeps 53 bits in reserve.
  let scaled: Scalar = emit.inRegister(value, "b64");
  let left: Scalar = clamp(exponent, -2200, 2200);
  for (let step = 0; step < 2; step++) {
    const isLarge = compare(emit, "sgt", left, b32(1023), 32);
    const isSmall = compare(emit, "slt", left, b32(-1022), 32);
    const factor = choose(emit, isSmall, doubleBits(-969), choose(emit, isLarge, doubleBits(1023), doubleBits(0)));
    const taken = choose(emit, isSmall, b32(969), choose(emit, isLarge, b32(-1023), b32(0)));
    scaled = emit.pure("mul.rn.f64", "b64", scaled, factor);
    left = emit.pure("add.s32", "b32", left, taken);
  }
  return emit.pure("mul.rn.f64", "b64", scaled, power(clamp(left, -1022, 1023)));
}

/** A fraction in [0.5, 1) and an exponent. */
export function takeApartFloat(
  target: FloatTarget,
  value: Scalar,
  name: FloatName,
): { readonly fraction: Scalar; readonly exponent: Scalar } {
  const { emit } = target;
  const b64 = (bits: bigint): Scalar => literal("b64", bits);
  const exact = { ...target, ftz: "" };
  const wide = name === "double" ? emit.inRegister(value, "b64") : convertFloat(exact, value, name, "double");
  const magnitude = binary(emit, "and", wide, b64((1n << 63n) - 1n), 64);
  const isPlain = orPredicates(
    emit,
    compare(emit, "eq", magnitude, b64(0n), 64),
    compare(emit, "uge", magnitude, b64(0x7ffn << 52n), 64),
  );
  // Subnormal numbers of f64 are scaled up first.
  const isSmall = compare(emit, "ult", magnitude, b64(1n << 52n), 64);
  const normal = choose(emit, isSmall, emit.pure("mul.rn.f64", "b64", wide, doubleBits(54)), wide);
  const field = binary(emit, "and", binary(emit, "lshr", normal, b64(52n), 64), b64(0x7ffn), 64);
  const biased = resize(emit, field, 64, 32, false);
  const offset = choose(emit, isSmall, literal("b32", -1022 - 54), literal("b32", -1022));
  const exponent = choose(emit, isPlain, literal("b32", 0), binary(emit, "add", biased, offset, 32));
  const kept = binary(emit, "and", normal, b64(~(0x7ffn << 52n)), 64);
  const half = binary(emit, "or", kept, b64(1022n << 52n), 64);
  const fraction = choose(emit, isPlain, wide, half);
  return { fraction: name === "double" ? fraction : convertFloat(exact, fraction, "double", name), exponent };
}

/** Bits of is.fpclass's mask. */
const classBits = {
  signalling: 1,
  quiet: 2,
  negative: { infinity: 4, normal: 8, subnormal: 16, zero: 32 },
  positive: { zero: 64, subnormal: 128, normal: 256, infinity: 512 },
};

/** Whether the value is in one of the classes. */
export function isOfClass({ emit }: FloatTarget, value: Scalar, name: FloatName, mask: number): Scalar {
  const kind = formatClass(name);
  const bits = formatBits(name);
  const fraction = BigInt(fractionBits(name));
  const infinity = ((1n << BigInt(bits - 1)) - 1n) ^ ((1n << fraction) - 1n);
  const constant = (number: bigint): Scalar => literal(kind, number);
  const magnitude = binary(emit, "and", value, constant((1n << BigInt(bits - 1)) - 1n), bits);
  const negative = compare(emit, "slt", value, constant(0n), bits);
  const test = (predicate: string, number: bigint): Scalar =>
    compare(emit, predicate, magnitude, constant(number), bits);
  const both = (a: Scalar, b: Scalar): Scalar => binary(emit, "and", a, b, 1);
  const isQuiet = test("uge", infinity | (1n << (fraction - 1n)));
  const tests: (readonly [number, () => Scalar])[] = [
    [classBits.quiet, () => isQuiet],
    [classBits.signalling, () => both(test("ugt", infinity), binary(emit, "xor", isQuiet, literal("p", 1n), 1))],
  ];
  for (const [sign, classes] of [
    [negative, classBits.negative],
    [binary(emit, "xor", negative, literal("p", 1n), 1), classBits.positive],
  ] as const) {
    const withSign = (test_: () => Scalar) => (): Scalar => both(sign, test_());
    tests.push(
      [classes.infinity, withSign(() => test("eq", infinity))],
      [classes.normal, withSign(() => both(test("ult", infinity), test("uge", 1n << fraction)))],
      [classes.subnormal, withSign(() => both(test("ult", 1n << fraction), test("ne", 0n)))],
      [classes.zero, withSign(() => test("eq", 0n))],
    );
  }
  return tests
    .filter(([bit]) => (mask & bit) !== 0)
    .map(([, work]) => work())
    .reduce((all, one) => orPredicates(emit, all, one), literal("p", 0n));
}
