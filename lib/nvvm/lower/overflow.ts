// Integer minima and maxima, and sums and products with overflow flags or saturation, of any width.

import type { Emitter } from "../select/emitter.js";
import { literal, widths, type Scalar } from "../select/machine.js";
import { andPredicates, binary, choose, clean, compare, orPredicates, resize, typed } from "./integer.js";
import { classOf } from "./parts.js";
import {
  absoluteWords,
  binaryWords,
  cleanWords,
  compareWords,
  multiplyWords,
  resizeWords,
  type Words,
} from "./wide.js";
import { chooseWords } from "./bit-counts.js";

const compareAny = (emit: Emitter, predicate: string, a: Words, b: Words, bits: number): Scalar =>
  bits > 64 ? compareWords(emit, predicate, a, b, bits) : compare(emit, predicate, a[0]!, b[0]!, bits);

const binaryAny = (emit: Emitter, opcode: string, a: Words, b: Words, bits: number): Words =>
  bits > 64 ? binaryWords(emit, opcode, a, b, bits) : [binary(emit, opcode, a[0]!, b[0]!, bits)];

/** A constant of any width. */
function wordsOf(value: bigint, bits: number): Words {
  if (bits <= 64) return [literal(classOf(bits), BigInt.asUintN(bits, value))];
  return Array.from({ length: Math.ceil(bits / 64) }, (_, i) =>
    literal("b64", BigInt.asUintN(bits, value) >> BigInt(64 * i)),
  );
}

/** smax, smin, umax, umin. */
export function extreme(emit: Emitter, name: string, a: Words, b: Words, bits: number): Words {
  const signed = name.startsWith("s");
  const greatest = name.endsWith("max");
  if (bits === 1) {
    // As numbers, true is -1 or 1.
    const either = greatest !== signed;
    return [either ? orPredicates(emit, a[0]!, b[0]!) : andPredicates(emit, a[0]!, b[0]!)];
  }
  if (bits > 64) {
    const better = compareWords(emit, `${signed ? "s" : "u"}${greatest ? "gt" : "lt"}`, a, b, bits);
    return chooseWords(emit, better, a, b);
  }
  const [x, y] = [a[0]!, b[0]!].map((one) => clean(emit, one, bits, signed));
  const op = `${greatest ? "max" : "min"}.${typed(signed ? "s" : "u", x!.class)}`;
  return [emit.pure(op, x!.class, x!, y!)];
}

export function absolute(emit: Emitter, value: Words, bits: number): Words {
  if (bits === 1) return value;
  if (bits > 64) return absoluteWords(emit, cleanWords(emit, value, bits, true)).words;
  const one = clean(emit, value[0]!, bits, true);
  return [emit.pure(`abs.${typed("s", one.class)}`, one.class, one)];
}

/** -1, 0 or 1. */
export function threeWay(emit: Emitter, signed: boolean, a: Words, b: Words, bits: number, toBits: number): Words {
  const letter = signed ? "s" : "u";
  const above = compareAny(emit, `${letter}gt`, a, b, bits);
  const below = compareAny(emit, `${letter}lt`, a, b, bits);
  const positive = chooseWords(emit, above, wordsOf(1n, toBits), wordsOf(0n, toBits));
  return chooseWords(emit, below, wordsOf(-1n, toBits), positive);
}

/** add, sub or mul: the low bits, and whether the result overflows. */
export function withOverflow(
  emit: Emitter,
  opcode: "add" | "sub" | "mul",
  signed: boolean,
  a: Words,
  b: Words,
  bits: number,
): { readonly result: Words; readonly overflow: Scalar } {
  if ((bits === 32 || bits === 64) && opcode !== "mul") return sumOverflow(emit, opcode, signed, a[0]!, b[0]!, bits);
  if (bits === 64) return productOverflow(emit, signed, a[0]!, b[0]!);
  // With as many bits as the exact result needs.
  const wide = opcode === "mul" ? 2 * bits : bits + 1;
  const room = wide <= 16 ? 16 : wide <= 32 ? 32 : Math.ceil(wide / 64) * 64;
  const [x, y] = [a, b].map((one) => resizeWords(emit, one, bits, room, signed));
  const whole = opcode === "mul" && room > 64 ? multiplyWords(emit, x!, y!) : binaryAny(emit, opcode, x!, y!, room);
  const result = resizeWords(emit, whole, room, bits, false);
  const back = resizeWords(emit, result, bits, room, signed);
  return { result, overflow: compareAny(emit, "ne", whole, back, room) };
}

function sumOverflow(
  emit: Emitter,
  opcode: "add" | "sub",
  signed: boolean,
  a: Scalar,
  b: Scalar,
  bits: number,
): { readonly result: Words; readonly overflow: Scalar } {
  const result = binary(emit, opcode, a, b, bits);
  if (!signed) {
    const overflow = opcode === "add" ? compare(emit, "ult", result, a, bits) : compare(emit, "ult", a, b, bits);
    return { result: [result], overflow };
  }
  // The sign of the result differs from both signs that it should follow.
  const first = binary(emit, "xor", a, opcode === "add" ? result : b, bits);
  const second = binary(emit, "xor", opcode === "add" ? b : a, result, bits);
  const wrong = binary(emit, "and", first, second, bits);
  return { result: [result], overflow: compare(emit, "slt", wrong, literal(a.class, 0n), bits) };
}

function productOverflow(
  emit: Emitter,
  signed: boolean,
  a: Scalar,
  b: Scalar,
): { readonly result: Words; readonly overflow: Scalar } {
  const low = emit.pure("mul.lo.s64", "b64", a, b);
  const high = emit.pure(`mul.hi.${signed ? "s" : "u"}64`, "b64", a, b);
  const expected: Scalar = signed ? emit.pure("shr.s64", "b64", low, literal("b32", 63)) : literal("b64", 0n);
  return { result: [low], overflow: emit.pure("setp.ne.s64", "p", high, expected) };
}

const greatest = (bits: number, signed: boolean): bigint => (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
const least = (bits: number, signed: boolean): bigint => (signed ? -(1n << BigInt(bits - 1)) : 0n);

/** add and sub that saturate at the type's limits. */
export function saturating(
  emit: Emitter,
  opcode: "add" | "sub",
  signed: boolean,
  a: Words,
  b: Words,
  bits: number,
): Words {
  if (bits === 32 && signed) return [emit.pure(`${opcode}.sat.s32`, "b32", a[0]!, b[0]!)];
  const { result, overflow } = withOverflow(emit, opcode, signed, a, b, bits);
  const limit = signed ? limitBySign(emit, a, bits) : wordsOf(opcode === "add" ? greatest(bits, false) : 0n, bits);
  return chooseWords(emit, overflow, limit, result);
}

function limitBySign(emit: Emitter, value: Words, bits: number): Words {
  const negative = compareAny(emit, "slt", value, wordsOf(0n, bits), bits);
  return chooseWords(emit, negative, wordsOf(least(bits, true), bits), wordsOf(greatest(bits, true), bits));
}

/** A left shift that saturates at the type's limits. */
export function saturatingShift(emit: Emitter, signed: boolean, a: Words, b: Words, bits: number): Words {
  const moved = binaryAny(emit, "shl", a, b, bits);
  const back = binaryAny(emit, signed ? "ashr" : "lshr", moved, b, bits);
  const lost = compareAny(emit, "ne", back, a, bits);
  const limit = signed ? limitBySign(emit, a, bits) : wordsOf(greatest(bits, false), bits);
  return chooseWords(emit, lost, limit, moved);
}

/** A float as the nearest representable integer; 0 for a NaN. `convert` gives the integer of 32 or 64 bits, which saturates. */
export function saturatedInteger(
  emit: Emitter,
  converted: Scalar,
  isNan: Scalar,
  bits: number,
  signed: boolean,
): Scalar {
  const width = widths[converted.class];
  const letter = typed(signed ? "s" : "u", converted.class);
  const limit = (value: bigint): Scalar => literal(converted.class, value);
  const low =
    signed && bits < width
      ? emit.pure(`max.${letter}`, converted.class, converted, limit(least(bits, true)))
      : converted;
  const both = bits < width ? emit.pure(`min.${letter}`, converted.class, low, limit(greatest(bits, signed))) : low;
  const number = choose(emit, isNan, limit(0n), both);
  return resize(emit, number, width, bits, signed);
}
