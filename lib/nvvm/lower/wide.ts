// Integers above 64 bits: words of 64 bits, the lowest first. Bits of the last word above the value's are undefined. Sums use
// the carry flag, in one machine instruction of several lines, so that nothing comes between them.

import type { Emitter } from "../select/emitter.js";
import { isLiteral, literal, type Register, type Scalar } from "../select/machine.js";
import { andPredicates, choose, clean, notPredicate, orPredicates, resize, xorPredicates } from "./integer.js";

export type Words = readonly Scalar[];

const zero = literal("b64", 0n);
const b32 = (value: number): Scalar => literal("b32", value);

/** Bits of the last word. */
const topBits = (bits: number): number => ((bits - 1) % 64) + 1;

/** The value with the last word's upper bits zero, or copies of its sign. */
export function cleanWords(emit: Emitter, words: Words, bits: number, signed: boolean): Words {
  return [...words.slice(0, -1), clean(emit, words.at(-1)!, topBits(bits), signed)];
}

function chain(emit: Emitter, op: "add" | "sub", a: Words, b: Words): Words {
  const count = a.length;
  const lines = a.map((_, i) => {
    const name = i === 0 ? `${op}.cc.u64` : i === count - 1 ? `${op}c.u64` : `${op}c.cc.u64`;
    return `${name} $${i}, $${count + i}, $${2 * count + i};`;
  });
  return emit.pureMany(
    lines.join("\n"),
    a.map(() => "b64"),
    ...a,
    ...b,
  );
}

const addWords = (emit: Emitter, a: Words, b: Words): Words => chain(emit, "add", a, b);
const subtractWords = (emit: Emitter, a: Words, b: Words): Words => chain(emit, "sub", a, b);

/** The low words of the product. */
export function multiplyWords(emit: Emitter, a: Words, b: Words): Words {
  const count = a.length;
  let sum: Words | undefined;
  for (let i = 0; i < count; i++) {
    for (let j = 0; i + j < count; j++) {
      if (isLiteral(a[i]!, 0n) || isLiteral(b[j]!, 0n)) continue;
      const term: Scalar[] = a.map(() => zero);
      term[i + j] = emit.pure("mul.lo.s64", "b64", a[i]!, b[j]!);
      if (i + j + 1 < count) term[i + j + 1] = emit.pure("mul.hi.u64", "b64", a[i]!, b[j]!);
      sum = sum === undefined ? term : addHigh(emit, sum, term, i + j);
    }
  }
  return sum ?? a.map(() => zero);
}

/** Sums whose words below `from` are those of `a`. */
function addHigh(emit: Emitter, a: Words, b: Words, from: number): Words {
  const low = a.slice(0, from);
  if (from === a.length - 1) return [...low, emit.pure("add.s64", "b64", a[from]!, b[from]!)];
  return [...low, ...addWords(emit, a.slice(from), b.slice(from))];
}

/** Shifts by whole words for each bit of `amount` from the seventh on, then by its low six bits. */
export function shiftWords(emit: Emitter, opcode: string, value: Words, amount: Scalar, bits: number): Words {
  const count = value.length;
  const left = opcode === "shl";
  const signed = opcode === "ashr";
  let words = left ? value : cleanWords(emit, value, bits, signed);
  const fill: Scalar = signed ? emit.pure("shr.s64", "b64", words.at(-1)!, b32(63)) : zero;
  for (let step = 0; 1 << step < count; step++) {
    const distance = 1 << step;
    const moved = words.map((_, i) => words[left ? i - distance : i + distance] ?? (left ? zero : fill));
    const taken = bitOf(emit, amount, 6 + step);
    words = words.map((one, i) => choose(emit, taken, moved[i]!, one));
  }
  const inWord = and32(emit, amount, 63);
  if (isLiteral(inWord, 0n)) return words;
  const rest = inWord.kind === "literal" ? b32(64 - Number(inWord.bits)) : emit.pure("sub.s32", "b32", b32(64), inWord);
  const [toward, away] = left ? ["shl.b64", "shr.u64"] : ["shr.u64", "shl.b64"];
  return words.map((one, i) => {
    const neighbour = words[left ? i - 1 : i + 1];
    const op = signed && i === count - 1 ? "shr.s64" : toward;
    const kept = emit.pure(op!, "b64", one, inWord);
    if (neighbour === undefined) return kept;
    return emit.pure("or.b64", "b64", kept, emit.pure(away!, "b64", neighbour, rest));
  });
}

function and32(emit: Emitter, value: Scalar, mask: number): Scalar {
  return value.kind === "literal" ? b32(Number(value.bits) & mask) : emit.pure("and.b32", "b32", value, b32(mask));
}

function bitOf(emit: Emitter, value: Scalar, bit: number): Scalar {
  const masked = and32(emit, value, 1 << bit);
  if (masked.kind === "literal") return literal("p", masked.bits === 0n ? 0n : 1n);
  return emit.pure("setp.ne.b32", "p", masked, b32(0));
}

const bitwise = (emit: Emitter, op: string, a: Words, b: Words): Words =>
  a.map((one, i) => emit.pure(`${op}.b64`, "b64", one, b[i]!));

/** A binary instruction other than division. */
export function binaryWords(emit: Emitter, opcode: string, a: Words, b: Words, bits: number): Words {
  switch (opcode) {
    case "add":
      return addWords(emit, a, b);
    case "sub":
      return subtractWords(emit, a, b);
    case "mul":
      return multiplyWords(emit, a, b);
    case "shl":
    case "lshr":
    case "ashr":
      return shiftWords(emit, opcode, a, resize(emit, b[0]!, 64, 32, false), bits);
    default:
      return bitwise(emit, opcode, a, b);
  }
}

/** `icmp`. */
export function compareWords(emit: Emitter, predicate: string, x: Words, y: Words, bits: number): Scalar {
  const signed = predicate.startsWith("s");
  const a = cleanWords(emit, x, bits, signed);
  const b = cleanWords(emit, y, bits, signed);
  if (predicate === "eq" || predicate === "ne") {
    const differing = a.map((one, i) => emit.pure("xor.b64", "b64", one, b[i]!));
    const any = differing.reduce((all, one) => emit.pure("or.b64", "b64", all, one));
    return emit.pure(`setp.${predicate}.b64`, "p", any, zero);
  }
  const greater = predicate.includes("g");
  const [left, right] = greater ? [b, a] : [a, b];
  const orEqual = predicate.endsWith("e");
  // left < right: decided by the highest words that differ.
  let less: Scalar | undefined;
  left.forEach((one, i) => {
    const other = right[i]!;
    const letter = signed && i === left.length - 1 ? "s" : "u";
    if (less === undefined) {
      less = emit.pure(`setp.${orEqual ? "le" : "lt"}.${letter}64`, "p", one, other);
      return;
    }
    const below = emit.pure(`setp.lt.${letter}64`, "p", one, other);
    const equal = emit.pure("setp.eq.s64", "p", one, other);
    less = orPredicates(emit, below, andPredicates(emit, equal, less));
  });
  return less!;
}

/** An integer of any width converted to another, by words if it has more than 64 bits. */
export function resizeWords(emit: Emitter, value: Words, bits: number, toBits: number, signed: boolean): Words {
  const count = Math.ceil(toBits / 64);
  if (toBits <= 64) {
    const low = value[0]!;
    return [resize(emit, low, bits > 64 ? 64 : bits, toBits, signed)];
  }
  const low =
    bits <= 64
      ? [resize(emit, value[0]!, bits, 64, signed)]
      : toBits > bits
        ? cleanWords(emit, value, bits, signed)
        : value;
  const words = low.slice(0, count);
  if (words.length === count) return words;
  const top = words.at(-1)!;
  const fill = signed ? emit.pure("shr.s64", "b64", top, b32(63)) : zero;
  return [...words, ...Array.from({ length: count - words.length }, () => fill)];
}

export const negateWords = (emit: Emitter, value: Words): Words =>
  subtractWords(
    emit,
    value.map(() => zero),
    value,
  );

/** Its absolute value, and whether it was negative. */
export function absoluteWords(emit: Emitter, value: Words): { readonly words: Words; readonly negative: Scalar } {
  const negative = emit.pure("setp.lt.s64", "p", value.at(-1)!, zero);
  const negated = negateWords(emit, value);
  return { words: value.map((one, i) => choose(emit, negative, negated[i]!, one)), negative };
}

/**
 * Quotient and remainder of unsigned values whose last words are clean: two words by the helper, more by a loop over bits.
 * A loop adds machine blocks.
 */
function divideWords(emit: Emitter, a: Words, b: Words, needHelper: (name: string) => void): readonly [Words, Words] {
  return a.length === 2 ? divideByHelper(emit, a, b, needHelper) : divideByLoop(emit, a, b);
}

export const divisionHelper = "__ptxkit_udivmodti4";

function divideByHelper(
  emit: Emitter,
  a: Words,
  b: Words,
  needHelper: (name: string) => void,
): readonly [Words, Words] {
  needHelper(divisionHelper);
  const lines = [
    "{",
    ".param .align 16 .b8 dividend[16];",
    ".param .align 16 .b8 divisor[16];",
    ".param .align 16 .b8 results[32];",
    "st.param.b64 [dividend], $4;",
    "st.param.b64 [dividend+8], $5;",
    "st.param.b64 [divisor], $6;",
    "st.param.b64 [divisor+8], $7;",
    `call (results), ${divisionHelper}, (dividend, divisor);`,
    "ld.param.b64 $0, [results];",
    "ld.param.b64 $1, [results+8];",
    "ld.param.b64 $2, [results+16];",
    "ld.param.b64 $3, [results+24];",
    "}",
  ];
  const found = emit.pureMany(
    lines.join("\n"),
    ["b64", "b64", "b64", "b64"],
    ...[...a, ...b].map((one) => emit.inRegister(one, "b64")),
  );
  return [found.slice(0, 2), found.slice(2)];
}

function divideByLoop(emit: Emitter, a: Words, b: Words): readonly [Words, Words] {
  const count = a.length;
  const mutable = (): Register => emit.register("b64", true);
  const quotient = a.map(mutable);
  const rest = a.map(mutable);
  const step = emit.register("b32", true);
  quotient.forEach((one, i) => emit.assign(one, a[i]!));
  for (const one of rest) emit.assign(one, zero);
  emit.assign(step, b32(count * 64));
  const origin = emit.block.origin;
  const loop = emit.newBlock(origin);
  const end = emit.newBlock(origin);
  emit.jump(loop);
  emit.enter(loop);
  // The dividend shifts through the remainder, and the quotient's bits take its place.
  const joined = [...quotient, ...rest];
  const moved = joined.map((one, i) => {
    const kept = emit.pure("shl.b64", "b64", one, b32(1));
    return i === 0 ? kept : emit.pure("or.b64", "b64", kept, emit.pure("shr.u64", "b64", joined[i - 1]!, b32(63)));
  });
  const high = moved.slice(count);
  // If the top bit is shifted out, the remainder exceeds any divisor.
  const carried = emit.pure("setp.lt.s64", "p", rest.at(-1)!, zero);
  const below = compareWords(emit, "ult", high, b, count * 64);
  const fits = orPredicates(emit, carried, notPredicate(emit, below));
  const less = subtractWords(emit, high, b);
  rest.forEach((one, i) => emit.assign(one, choose(emit, fits, less[i]!, high[i]!)));
  const bit = emit.pure("selp.b64", "b64", literal("b64", 1n), zero, fits);
  quotient.forEach((one, i) => emit.assign(one, i === 0 ? emit.pure("or.b64", "b64", moved[0]!, bit) : moved[i]!));
  emit.assign(step, emit.pure("sub.s32", "b32", step, b32(1)));
  emit.branch(emit.pure("setp.ne.s32", "p", step, b32(0)), loop, end);
  emit.enter(end);
  const settled = (one: Register): Register => emit.read("mov.b64", "b64", one);
  return [quotient.map(settled), rest.map(settled)];
}

/** udiv, sdiv, urem, srem of more than 64 bits. */
export function divisionOfWords(
  emit: Emitter,
  opcode: string,
  x: Words,
  y: Words,
  bits: number,
  needHelper: (name: string) => void,
): Words {
  const signed = opcode.startsWith("s");
  const a = cleanWords(emit, x, bits, signed);
  const b = cleanWords(emit, y, bits, signed);
  const remainder = opcode.endsWith("rem");
  if (!signed) return divideWords(emit, a, b, needHelper)[remainder ? 1 : 0];
  const [left, right] = [absoluteWords(emit, a), absoluteWords(emit, b)];
  const result = divideWords(emit, left.words, right.words, needHelper)[remainder ? 1 : 0];
  const negative = remainder ? left.negative : xorPredicates(emit, left.negative, right.negative);
  const negated = negateWords(emit, result);
  return result.map((one, i) => choose(emit, negative, negated[i]!, one));
}
