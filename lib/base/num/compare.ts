// Comparison, minimum and maximum, sign and class tests (PTX ISA 9.7.6.1 set, 9.7.6.2 setp, 9.7.3.11 min, 9.7.3.12 max,
// 9.7.3.1 testp, 9.7.3.2 copysign; 9.7.4.7, 9.7.4.8 and 9.7.7 for halves, whose values are decoded first).
// Operands are numbers, for f32 and f64 alike; copysign and testp take bits, because NaN and signs matter there.

/** Comparison operators of signed, unsigned and untyped integers; lo, ls, hi, hs are unsigned lt, le, gt, ge. */
export type IntCompare = "eq" | "ne" | "lt" | "le" | "gt" | "ge" | "lo" | "ls" | "hi" | "hs";

/** Comparison operators of floating-point values: ordered, unordered (true if an operand is NaN), num and nan. */
export type FloatCompare =
  ("eq" | "ne" | "lt" | "le" | "gt" | "ge") | ("equ" | "neu" | "ltu" | "leu" | "gtu" | "geu") | ("num" | "nan");

type Int = number | bigint;

/** Operands are in the range of the instruction's type, so that one comparison serves signed and unsigned types. */
export const compareInt: Readonly<Record<IntCompare, (a: Int, b: Int) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lo: (a, b) => a < b,
  ls: (a, b) => a <= b,
  hi: (a, b) => a > b,
  hs: (a, b) => a >= b,
};

export const compareFloat: Readonly<Record<FloatCompare, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  // Not a !== b, which is true for NaN.
  ne: (a, b) => a < b || a > b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  equ: (a, b) => !(a < b || a > b),
  neu: (a, b) => a !== b,
  ltu: (a, b) => !(a >= b),
  leu: (a, b) => !(a > b),
  gtu: (a, b) => !(a <= b),
  geu: (a, b) => !(a < b),
  num: (a, b) => a === a && b === b,
  nan: (a, b) => a !== a || b !== b,
};

/** min: a NaN operand is ignored; -0.0 is less than +0.0, as in Math.min. */
export function minNumber(a: number, b: number): number {
  if (a !== a) return b;
  return b !== b ? a : Math.min(a, b);
}

/** max: a NaN operand is ignored; +0.0 is greater than -0.0. */
export function maxNumber(a: number, b: number): number {
  if (a !== a) return b;
  return b !== b ? a : Math.max(a, b);
}

/** min.NaN: NaN if either operand is. */
export const minNaN: (a: number, b: number) => number = Math.min;

/** max.NaN: NaN if either operand is. */
export const maxNaN: (a: number, b: number) => number = Math.max;

/**
 * .xorsign.abs of a min or max of magnitudes: the exclusive or of both operands' signs; a NaN result stays. `aBits` and `bBits`
 * have the sign in bit 31 (a NaN operand has a sign, too).
 */
export function withXorSign(magnitude: number, aBits: number, bBits: number): number {
  return (aBits ^ bBits) < 0 ? -magnitude : magnitude;
}

/** copysign.f32 d, a, b: the magnitude of b with the sign of a; takes and returns bits (int32). */
export function copySignF32(signBits: number, valueBits: number): number {
  return (signBits & 0x80000000) | (valueBits & 0x7fffffff);
}

/** copysign.f64 d, a, b: the magnitude of b with the sign of a; takes and returns bits. */
export function copySignF64(signBits: bigint, valueBits: bigint): bigint {
  return (signBits & 0x8000000000000000n) | (valueBits & 0x7fffffffffffffffn);
}

/** The properties of testp. */
export type FloatProperty = "finite" | "infinite" | "number" | "notanumber" | "normal" | "subnormal";

const MIN_NORMAL = { f32: 2 ** -126, f64: 2 ** -1022 } as const;

/** testp: zeros count as normal. */
export const testProperty: Readonly<Record<FloatProperty, (x: number, type: "f32" | "f64") => boolean>> = {
  finite: (x) => Number.isFinite(x),
  infinite: (x) => x === Infinity || x === -Infinity,
  number: (x) => x === x,
  notanumber: (x) => x !== x,
  normal: (x, type) => x === 0 || (Number.isFinite(x) && Math.abs(x) >= MIN_NORMAL[type]),
  subnormal: (x, type) => x !== 0 && Math.abs(x) < MIN_NORMAL[type],
};
