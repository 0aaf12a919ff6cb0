// Counting, reversing and rotating bits of integers of any width: words of 64 bits, or one register.

import type { Emitter } from "../select/emitter.js";
import { literal, widths, type Scalar } from "../select/machine.js";
import { leadingZeros } from "./float-integer.js";
import { binary, choose, clean, resize } from "./integer.js";
import { cleanWords, resizeWords, shiftWords, type Words } from "./wide.js";

const b32 = (value: number): Scalar => literal("b32", value);

/** The value in 32 or 64 bits, zero-extended. */
function extended(emit: Emitter, value: Scalar, bits: number): { readonly value: Scalar; readonly width: 32 | 64 } {
  const width = bits <= 32 ? 32 : 64;
  const wide = bits === width ? value : resize(emit, value, bits, width, false);
  return { value: emit.inRegister(clean(emit, wide, bits, false), width === 32 ? "b32" : "b64"), width };
}

/** A count of 32 bits as an integer of `bits`. */
const asResult = (emit: Emitter, count: Scalar, bits: number): Words => resizeWords(emit, [count], 32, bits, false);

function total(emit: Emitter, counts: readonly Scalar[]): Scalar {
  return counts.reduce((sum, one) => binary(emit, "add", sum, one, 32));
}

export function ctpop(emit: Emitter, words: Words, bits: number): Words {
  if (bits > 64) {
    const counts = cleanWords(emit, words, bits, false).map((one) => emit.pure("popc.b64", "b32", one));
    return asResult(emit, total(emit, counts), bits);
  }
  const { value, width } = extended(emit, words[0]!, bits);
  return asResult(emit, emit.pure(`popc.b${width}`, "b32", value), bits);
}

export function ctlz(emit: Emitter, words: Words, bits: number): Words {
  if (bits > 64) {
    const zeros = leadingZeros({ emit }, cleanWords(emit, words, bits, false));
    return asResult(emit, binary(emit, "sub", zeros, b32(words.length * 64 - bits), 32), bits);
  }
  const { value, width } = extended(emit, words[0]!, bits);
  const zeros = emit.pure(`clz.b${width}`, "b32", value);
  return asResult(emit, binary(emit, "sub", zeros, b32(width - bits), 32), bits);
}

/** For zero the count is the width: a bit above it ends the count. */
export function cttz(emit: Emitter, words: Words, bits: number): Words {
  if (bits > 64) {
    const stop = bits % 64;
    const ended = words.map((one, i) =>
      stop !== 0 && i === words.length - 1 ? binary(emit, "or", one, literal("b64", 1n << BigInt(stop)), 64) : one,
    );
    const reversed = ended.toReversed().map((one) => emit.pure("brev.b64", "b64", one));
    return asResult(emit, leadingZeros({ emit }, reversed), bits);
  }
  const width = bits <= 32 ? 32 : 64;
  const kind = width === 32 ? "b32" : "b64";
  const wide = resize(emit, words[0]!, bits, width, false);
  const ended = bits === width ? wide : binary(emit, "or", wide, literal(kind, 1n << BigInt(bits)), width);
  const reversed = emit.pure(`brev.b${width}`, kind, emit.inRegister(ended, kind));
  return asResult(emit, emit.pure(`clz.b${width}`, "b32", reversed), bits);
}

/** Reverses all bits: in whole registers, then shifted down. */
export function bitreverse(emit: Emitter, words: Words, bits: number): Words {
  if (bits > 64) {
    const reversed = words.toReversed().map((one) => emit.pure("brev.b64", "b64", one));
    return shiftWords(emit, "lshr", reversed, b32(words.length * 64 - bits), words.length * 64);
  }
  const width = bits <= 32 ? 32 : 64;
  const kind = width === 32 ? "b32" : "b64";
  const wide = emit.inRegister(resize(emit, words[0]!, bits, width, false), kind);
  const reversed = emit.pure(`brev.b${width}`, kind, wide);
  return [resize(emit, binary(emit, "lshr", reversed, literal(kind, width - bits), width), width, bits, false)];
}

/** Reverses all bytes. */
export function bswap(emit: Emitter, words: Words, bits: number): Words {
  if (bits > 64) {
    const swapped = words.toReversed().map((one) => swap64(emit, one));
    return shiftWords(emit, "lshr", swapped, b32(words.length * 64 - bits), words.length * 64);
  }
  const width = bits <= 32 ? 32 : 64;
  const kind = width === 32 ? "b32" : "b64";
  const wide = emit.inRegister(resize(emit, words[0]!, bits, width, false), kind);
  const swapped = width === 32 ? swap32(emit, wide) : swap64(emit, wide);
  return [resize(emit, binary(emit, "lshr", swapped, literal(kind, width - bits), width), width, bits, false)];
}

const swap32 = (emit: Emitter, value: Scalar): Scalar => emit.pure("prmt.b32", "b32", value, b32(0), b32(0x0123));

function swap64(emit: Emitter, value: Scalar): Scalar {
  const [low, high] = emit.pureMany("mov.b64 {$0, $1}, $2;", ["b32", "b32"], emit.inRegister(value, "b64"));
  const elements = [swap32(emit, high!), swap32(emit, low!)].map((one) => emit.inRegister(one, "b32"));
  return emit.pure("mov.b64", "b64", { kind: "group", elements });
}

/** fshl and fshr: of two concatenated values, shifted by an amount modulo the width. */
export function funnel(emit: Emitter, left: boolean, high: Words, low: Words, amount: Words, bits: number): Words {
  if (bits > 64) return funnelWords(emit, left, high, low, amount, bits);
  if (bits === 1) return left ? [high[0]!] : [low[0]!];
  if (bits === 32) {
    return [emit.pure(`shf.${left ? "l" : "r"}.wrap.b32`, "b32", low[0]!, high[0]!, amount[0]!)];
  }
  const kind = high[0]!.class;
  const isPower = (bits & (bits - 1)) === 0;
  const by = isPower
    ? binary(emit, "and", amount[0]!, literal(kind, bits - 1), bits)
    : binary(emit, "urem", amount[0]!, literal(kind, bits), bits);
  const rest = binary(emit, "sub", literal(kind, bits), by, widths[kind]);
  const [up, down] = left ? [by, rest] : [rest, by];
  // PTX gives zero for a shift by the width.
  const shift = (opcode: string, value: Scalar, count: Scalar): Scalar => {
    const amount32 = resize(emit, count, widths[kind], 32, false);
    const type = opcode === "shl" ? `shl.b${widths[kind]}` : `shr.u${widths[kind]}`;
    return emit.pure(type, kind, value, amount32);
  };
  return [binary(emit, "or", shift("shl", high[0]!, up), shift("lshr", clean(emit, low[0]!, bits, false), down), bits)];
}

function funnelWords(emit: Emitter, left: boolean, high: Words, low: Words, amount: Words, bits: number): Words {
  // The amount modulo the width, from its lowest word: amounts of more than 64 bits are poison.
  const whole = emit.pure("rem.u64", "b64", cleanWords(emit, amount, bits, false)[0]!, literal("b64", bits));
  const by = emit.pure("cvt.u32.u64", "b32", whole);
  const rest = emit.pure("sub.s32", "b32", b32(bits - 1), by);
  const shifted = (opcode: string, value: Words, count: Scalar): Words => shiftWords(emit, opcode, value, count, bits);
  const one = b32(1);
  const [a, b] = left
    ? [shifted("shl", high, by), shifted("lshr", shifted("lshr", low, one), rest)]
    : [shifted("shl", shifted("shl", high, one), rest), shifted("lshr", low, by)];
  return a.map((word, i) => binary(emit, "or", word, b[i]!, 64));
}

/** Selects a value by a condition, word by word. */
export function chooseWords(emit: Emitter, condition: Scalar, yes: Words, no: Words): Words {
  return yes.map((one, i) => choose(emit, condition, one, no[i]!));
}
