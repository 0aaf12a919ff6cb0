// Float arithmetic by format: f16 has instructions; bf16 uses f32 (whose 24 bits round a sum, product or quotient of 8-bit
// operands correctly twice over); f32 and f64 are PTX's own. Sums and products name their rounding, so that ptxas does not fuse
// them; ptxkit fuses where it is allowed.

import type { FloatName } from "../ir/type.js";
import type { Emitter } from "../select/emitter.js";
import { literal, type Scalar } from "../select/machine.js";
import type { SelectContext } from "../select/ptx-body.js";
import { remainderHelper32, remainderHelper64 } from "./helpers.js";
import { choose } from "./integer.js";
import { classOf, type RegisterClass } from "./parts.js";

/** The context for lowering a float instruction. */
export interface FloatTarget {
  readonly emit: Emitter;
  readonly context: SelectContext;
  /** `.ftz` for f32, or nothing. */
  readonly ftz: string;
}

const suffixes: Readonly<Record<string, string>> = { half: "f16", bfloat: "bf16", float: "f32", double: "f64" };
const bitsOfFormat: Readonly<Record<string, number>> = { half: 16, bfloat: 16, float: 32, double: 64 };

/** The PTX type of a format. */
export const suffixOf = (name: FloatName): string => suffixes[name] ?? "f64";
export const formatBits = (name: FloatName): number => bitsOfFormat[name] ?? 64;
export const formatClass = (name: FloatName): RegisterClass => classOf(formatBits(name));

/** An f16 or bf16 literal cannot be an operand of a float instruction: it is moved into a register. */
function operand(emit: Emitter, value: Scalar, kind: RegisterClass): Scalar {
  return kind === "b16" ? emit.inRegister(value, kind) : value;
}

/** f16 or bf16 as f32, exactly. */
export function widen({ emit, context }: FloatTarget, value: Scalar, name: FloatName): Scalar {
  if (name === "half") return emit.pure("cvt.f32.f16", "b32", emit.inRegister(value, "b16"));
  if (context.arch >= 90) {
    context.needVersion(78);
    return emit.pure("cvt.f32.bf16", "b32", emit.inRegister(value, "b16"));
  }
  const bits = emit.pure("cvt.u32.u16", "b32", emit.inRegister(value, "b16"));
  return emit.pure("shl.b32", "b32", bits, literal("b32", 16));
}

/** f32 rounded to f16 or bf16. */
export function narrow({ emit, context }: FloatTarget, value: Scalar, name: FloatName): Scalar {
  const source = emit.inRegister(value, "b32");
  if (name === "half") return emit.pure("cvt.rn.f16.f32", "b16", source);
  if (context.arch >= 80) {
    context.needVersion(70);
    return emit.pure("cvt.rn.bf16.f32", "b16", source);
  }
  // Half of the last place, and a tie's last bit, are added to the bits; a NaN keeps its upper bits and becomes quiet.
  const b32 = (bits: number): Scalar => literal("b32", bits);
  const odd = emit.pure("bfe.u32", "b32", source, b32(16), b32(1));
  const rounded = emit.pure("add.s32", "b32", emit.pure("add.s32", "b32", source, b32(0x7fff)), odd);
  const quiet = emit.pure("or.b32", "b32", source, b32(0x400000));
  const isNan = emit.pure("setp.nan.f32", "p", source, source);
  const bits = emit.pure("shr.u32", "b32", choose(emit, isNan, quiet, rounded), b32(16));
  return emit.pure("cvt.u16.u32", "b16", bits);
}

/** An instruction of f32 for each of `values`, which are f16 or bf16. */
function throughSingle(
  target: FloatTarget,
  name: FloatName,
  values: readonly Scalar[],
  work: (wide: readonly Scalar[]) => Scalar,
): Scalar {
  // Subnormals of f16 and bf16 are kept, whatever the option for f32: those of bf16 are subnormals of f32.
  const wide = values.map((value) => widen(target, value, name));
  return narrow(target, work(wide), name);
}

const operations: Readonly<Record<string, string>> = { fadd: "add.rn", fsub: "sub.rn", fmul: "mul.rn" };

/** fadd, fsub, fmul, fdiv, frem. */
export function floatBinary(target: FloatTarget, opcode: string, a: Scalar, b: Scalar, name: FloatName): Scalar {
  const { emit, ftz } = target;
  const exact = { ...target, ftz: "" };
  const kind = formatClass(name);
  const op = operations[opcode];
  if (op === undefined || name === "bfloat") {
    if (kind === "b16")
      return throughSingle(target, name, [a, b], ([x, y]) => floatBinary(exact, opcode, x!, y!, "float"));
    return opcode === "frem" ? floatRemainder(target, a, b, name) : divide(target, a, b, name);
  }
  const flush = name === "float" ? ftz : "";
  // PTX has add.rn.f16 since 4.2; mul and sub, too.
  const suffix = suffixOf(name);
  return emit.pure(`${op}${flush}.${suffix}`, kind, operand(emit, a, kind), operand(emit, b, kind));
}

function divide({ emit, ftz, context }: FloatTarget, a: Scalar, b: Scalar, name: FloatName): Scalar {
  if (name === "double") return emit.pure("div.rn.f64", "b64", a, b);
  return emit.pure(`div.${context.float.precDiv ? "rn" : "full"}${ftz}.f32`, "b32", a, b);
}

/** The exact remainder, computed by a function: a quotient rounded to an integer would be wrong if it is large. */
function floatRemainder({ emit, context }: FloatTarget, a: Scalar, b: Scalar, name: FloatName): Scalar {
  const double = name === "double";
  const helper = double ? remainderHelper64 : remainderHelper32;
  context.needHelper(helper);
  const type = double ? "b64" : "b32";
  const lines = [
    "{",
    `.param .${type} x;`,
    `.param .${type} y;`,
    `.param .${type} result;`,
    `st.param.${type} [x], $1;`,
    `st.param.${type} [y], $2;`,
    `call (result), ${helper}, (x, y);`,
    `ld.param.${type} $0, [result];`,
    "}",
  ];
  return emit.pureMany(lines.join("\n"), [type], emit.inRegister(a, type), emit.inRegister(b, type))[0]!;
}

/** a·b + c, rounded once. */
export function fused(target: FloatTarget, a: Scalar, b: Scalar, c: Scalar, name: FloatName): Scalar {
  const { emit, ftz, context } = target;
  const kind = formatClass(name);
  if (name === "bfloat" && context.arch < 80) return fusedByDouble(target, [a, b, c]);
  if (name === "bfloat") context.needVersion(70);
  const flush = name === "float" ? ftz : "";
  return emit.pure(`fma.rn${flush}.${suffixOf(name)}`, kind, ...[a, b, c].map((one) => operand(emit, one, kind)));
}

/** bf16 on sm_75 and older: exact in f64 except for distant addends, which the rounding to odd preserves. */
function fusedByDouble(target: FloatTarget, values: readonly Scalar[]): Scalar {
  const { emit } = target;
  const wide = values.map((value) => emit.pure("cvt.f64.f32", "b64", widen(target, value, "bfloat")));
  const exact = emit.pure("fma.rn.f64", "b64", ...wide);
  return narrow(target, roundToOdd(emit, exact), "bfloat");
}

/** f64 as f32 with the last bit set if digits were lost: rounding again is then equal to rounding once. */
export function roundToOdd(emit: Emitter, value: Scalar): Scalar {
  const source = emit.inRegister(value, "b64");
  const cut = emit.pure("cvt.rz.f32.f64", "b32", source);
  const back = emit.pure("cvt.f64.f32", "b64", cut);
  const inexact = emit.pure("setp.ne.f64", "p", back, source);
  const odd = emit.pure("or.b32", "b32", cut, literal("b32", 1));
  return choose(emit, inexact, odd, cut);
}

/** Flips the sign, of NaNs as well. */
export function negate(emit: Emitter, value: Scalar, name: FloatName): Scalar {
  const kind = formatClass(name);
  const sign = literal(kind, 1n << BigInt(formatBits(name) - 1));
  if (value.kind === "literal") return literal(kind, value.bits ^ sign.bits);
  return emit.pure(`xor.${kind}`, kind, value, sign);
}

/** setp's comparison by fcmp's predicate. */
const comparisons: Readonly<Record<string, string>> = {
  oeq: "eq",
  ogt: "gt",
  oge: "ge",
  olt: "lt",
  ole: "le",
  one: "ne",
  ord: "num",
  ueq: "equ",
  ugt: "gtu",
  uge: "geu",
  ult: "ltu",
  ule: "leu",
  une: "neu",
  uno: "nan",
};

export function floatCompare(target: FloatTarget, predicate: string, a: Scalar, b: Scalar, name: FloatName): Scalar {
  const { emit, ftz } = target;
  const op = comparisons[predicate];
  if (op === undefined) return literal("p", predicate === "true" ? 1n : 0n);
  if (name === "bfloat") {
    const [x, y] = [a, b].map((one) => widen(target, one, name));
    return emit.pure(`setp.${op}.f32`, "p", x!, y!);
  }
  const kind = formatClass(name);
  const flush = name === "float" ? ftz : "";
  return emit.pure(`setp.${op}${flush}.${suffixOf(name)}`, "p", emit.inRegister(a, kind), operand(emit, b, kind));
}

/** fptrunc and fpext. */
export function convertFloat(target: FloatTarget, value: Scalar, from: FloatName, to: FloatName): Scalar {
  const { emit, ftz } = target;
  if (from === to) return value;
  const source = emit.inRegister(value, formatClass(from));
  const widening = formatBits(to) > formatBits(from);
  if (from === "bfloat" || (formatBits(from) === formatBits(to) && from === "half")) {
    const single = widen(target, source, from);
    return to === "float" ? single : convertFloat({ ...target, ftz: "" }, single, "float", to);
  }
  if (to === "bfloat") return narrow(target, from === "double" ? roundToOdd(emit, source) : source, to);
  const flush = from === "float" || (to === "float" && from === "double") ? ftz : "";
  return emit.pure(`cvt${widening ? "" : ".rn"}${flush}.${suffixOf(to)}.${suffixOf(from)}`, formatClass(to), source);
}
