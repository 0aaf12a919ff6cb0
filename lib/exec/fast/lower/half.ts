// Arithmetic on f16, bf16 and their pairs, comparison, and conversions between them and f32 and integers: PTX ISA 9.0 sections
// 9.7.4, 9.7.7 and 9.7.9.21, rounding to nearest. Each opcode takes many instructions, so it is a function of generated code,
// once in a module.

import { CodeWriter, type Local } from "../../../../formats/wasm/index.js";
import { hasModifier, modifier, type Opcode, typeOf, typesOf } from "../../../isa/opcode.js";
import { isInteger } from "../../meanings/meaning.js";
import {
  BELOW_LEAST,
  cutOffHalf,
  flushHalf,
  type HalfName,
  type HalfIndex,
  pushFused,
  pushHalf,
  roundHalf,
} from "../half-code.js";
import type { Lanes } from "../lanes.js";
import { type Approximation, ex2Ftz, tanh } from "../mufu/functions.js";
import { flush, saturate } from "./bounds.js";
import { pushComparison } from "./logic.js";
import type { Emit, Lowering, Lowerings } from "./lowering.js";
import { floatToInteger, type Rounding, roundings } from "./move.js";

interface Format {
  readonly name: HalfName;
  readonly parts: readonly HalfIndex[];
}

const formats: Readonly<Record<string, Format>> = {
  f16: { name: "f16", parts: [0] },
  bf16: { name: "bf16", parts: [0] },
  f16x2: { name: "f16", parts: [0, 1] },
  bf16x2: { name: "bf16", parts: [0, 1] },
};

const formatOf = (opcode: Opcode): Format | undefined => formats[typeOf(opcode)?.name ?? ""];

/** Pushes the f32 result of f32 operands. */
type Compute = (code: CodeWriter, name: HalfName, operands: readonly Local[], isFused: boolean) => void;

/** The f32 on the stack: negative values become +0.0, NaN stays. */
function relu(code: CodeWriter): void {
  const value = code.local("v128");
  code.tee(value).get(value).i32(31).op("i32x4.shr_s").get(value).get(value).op("f32x4.eq", "v128.and", "v128.andnot");
}

/** Applies .sat and .relu to the f32 on the stack. */
function bound(code: CodeWriter, opcode: Opcode): void {
  if (hasModifier(opcode, "sat")) saturate({ code, temporary: (type) => code.local(type) });
  if (hasModifier(opcode, "relu")) relu(code);
}

/** Builds the function that computes each half of a word from bits. */
function wordFunction(
  opcode: Opcode,
  { name, parts }: Format,
  arity: number,
  isFused: boolean,
  compute: Compute,
): CodeWriter {
  const code = new CodeWriter(new Array<"v128">(arity).fill("v128"), ["v128"]);
  const scratch = code.local("v128");
  const ftz = hasModifier(opcode, "ftz");
  for (const part of parts) {
    const operands = Array.from({ length: arity }, (_, i) => {
      const local = code.local("v128");
      pushHalf(code, name, i, part, scratch);
      if (ftz) flushHalf(code, name, scratch);
      code.set(local);
      return local;
    });
    compute(code, name, operands, isFused);
    // bf16 is flushed after rounding; f16 before, because rounding may lift a value to 2^-14.
    if (ftz) flushHalf(code, name, scratch, name === "f16" ? BELOW_LEAST : undefined);
    bound(code, opcode);
    roundHalf(code, name, part);
    if (part === 1) code.op("v128.or");
  }
  return code;
}

const arithmetic =
  (arity: number, compute: Compute): Lowering =>
  (opcode, site) => {
    const format = formatOf(opcode);
    if (format === undefined || opcode.form.operands.length !== arity + 1) return undefined;
    // A product of two formats is left to the interpreter.
    if (typesOf(opcode).length > 1) return undefined;
    if (["oob", "xorsign", "abs"].some((text) => hasModifier(opcode, text))) return undefined;
    const isFused = site.isFused();
    return (lanes) => {
      for (let i = 1; i <= arity; i++) lanes.push32(lanes.operand(i));
      lanes.call(opcode.spelling, () => wordFunction(opcode, format, arity, isFused, compute));
      lanes.write32(lanes.operand(0));
    };
  };

/**
 * Builds a function of generated code that adds halves, or pairs of them, of the opcode's type; the opcode has no modifiers of a
 * sum.
 */
export function sumOfHalves(opcode: Opcode): (() => CodeWriter) | undefined {
  const format = formatOf(opcode);
  return (
    format && (() => wordFunction(opcode, format, 2, false, (code, _, [a, b]) => code.get(a!).get(b!).op("f32x4.add")))
  );
}

const plain = (name: "add" | "sub" | "mul"): Lowering =>
  arithmetic(2, (code, _, [a, b]) => code.get(a!).get(b!).op(`f32x4.${name}`));

/** The host's instruction propagates NaN; without .NaN the other operand is the result. */
const extremum =
  (name: "min" | "max"): Lowering =>
  (opcode, site) =>
    arithmetic(2, (code, _, operands) => {
      const [a, b] = operands as [Local, Local];
      code.get(a).get(b).op(`f32x4.${name}`);
      if (hasModifier(opcode, "NaN")) return;
      code.get(a).get(b).get(b).op("f32x4.eq", "v128.bitselect").get(b);
      code.get(a).get(a).op("f32x4.eq", "v128.bitselect");
    })(opcode, site);

/** Truncates the f32 result of the special function unit to a half; .ftz changes nothing. */
const approximate =
  (approximation: Approximation): Lowering =>
  (opcode) => {
    const format = formatOf(opcode);
    if (format === undefined) return undefined;
    return (lanes) => {
      lanes.push32(lanes.operand(1));
      lanes.call(opcode.spelling, () => {
        const code = new CodeWriter(["v128"], ["v128"]);
        const argument = code.local("v128");
        for (const part of format.parts) {
          pushHalf(code, format.name, 0, part, argument);
          code.set(argument);
          approximation({ code, at: lanes.mufu }, argument);
          cutOffHalf(code, format.name, part);
          if (part === 1) code.op("v128.or");
        }
        return code;
      });
      lanes.write32(lanes.operand(0));
    };
  };

/** Repeats the bits of a half in both halves of a word. */
const pair = (bits: number): number => (bits << 16) | bits;

/** neg and abs on bits; a NaN becomes canonical, as in arithmetic. */
const signBit =
  (name: "neg" | "abs"): Lowering =>
  (opcode) => {
    const format = formatOf(opcode);
    if (format === undefined) return undefined;
    const [infinity, leastNormal] = format.name === "f16" ? [0x7c00, 0x0400] : [0x7f80, 0x0080];
    return (lanes) => {
      const { code } = lanes;
      const [value, size] = [lanes.temporary("v128"), lanes.temporary("v128")];
      lanes.push32(lanes.operand(1));
      // Clears the bits above a half in its register.
      if (format.parts.length === 1) code.words(0xffff).op("v128.and");
      code.tee(value).words(pair(0x7fff)).op("v128.and").set(size);
      code.words(pair(0x7fff)).get(name === "abs" ? size : value);
      if (name === "neg") code.words(format.parts.length === 1 ? 0x8000 : pair(0x8000)).op("v128.xor");
      if (hasModifier(opcode, "ftz")) {
        code.get(size).words(pair(leastNormal)).op("i16x8.lt_s").words(pair(0x7fff));
        code.op("v128.and", "v128.andnot");
      }
      code.get(size).words(pair(infinity)).op("i16x8.gt_s", "v128.bitselect");
      lanes.write32(lanes.operand(0));
    };
  };

const setp: Lowering = (opcode) => {
  const format = formatOf(opcode);
  const bool = modifier(opcode, "bool");
  if (format?.parts.length !== 1 || bool !== undefined || opcode.form.operands.length !== 3) return undefined;
  const ftz = hasModifier(opcode, "ftz");
  return (lanes) => {
    const operands = [1, 2].map((i) => {
      pushDecoded(lanes, format.name, i);
      const local = lanes.temporary("v128");
      if (ftz) flushHalf(lanes.code, format.name, local);
      lanes.code.set(local);
      return local;
    });
    pushComparison(modifier(opcode, "cmp")!, "f32x4", (i) => lanes.code.get(operands[i - 1]!), lanes);
    lanes.writePredicate(lanes.operand(0));
  };
};

// ---------------------------------------------------------------------------------------------------------- conversions

/** Pushes a half operand as an f32. */
function pushDecoded(lanes: Lanes, name: HalfName, index: number): void {
  const bits = lanes.temporary("v128");
  lanes.push32(lanes.operand(index));
  lanes.code.set(bits);
  pushHalf(lanes.code, name, bits, 0, bits);
}

/** Rounds the results of `compute` to one half, or to two with the first operand's in the upper half. */
function toHalves(opcode: Opcode, { name }: Format, isFloat: boolean, compute: Compute): Emit {
  const arity = opcode.form.operands.length - 1;
  return (lanes) => {
    for (let i = 1; i <= arity; i++) {
      if (isFloat) lanes.pushFloat(lanes.operand(i));
      else lanes.push32(lanes.operand(i));
    }
    lanes.call(opcode.spelling, () => {
      const code = new CodeWriter(new Array<"v128">(arity).fill("v128"), ["v128"]);
      const parts: readonly HalfIndex[] = arity === 1 ? [0] : [0, 1];
      for (const part of parts) {
        compute(code, name, [arity - 1 - part], false);
        bound(code, opcode);
        roundHalf(code, name, part);
        if (part === 1) code.op("v128.or");
      }
      return code;
    });
    lanes.write32(lanes.operand(0));
  };
}

const cvt: Lowering = (opcode) => {
  const [to, from] = typesOf(opcode);
  if (to === undefined || from === undefined) return undefined;
  if (["rz", "rm", "rp", "rna", "rs", "satfinite"].some((text) => hasModifier(opcode, text))) return undefined;
  const modes = Object.keys(roundings) as Rounding[];
  const mode = modes.find((each) => hasModifier(opcode, each));
  const [target, source] = [formats[to.name], formats[from.name]];
  const { length } = opcode.form.operands;
  if (target !== undefined && mode === undefined && length === target.parts.length + 1) {
    if (from.name === "f32")
      return toHalves(opcode, target, true, (code, _, [a]) => {
        code.get(a!);
        if (hasModifier(opcode, "ftz")) flush({ code, temporary: (type) => code.local(type) });
      });
    // Integers that f32 does not represent exactly are beyond f16's range.
    if (isInteger(from) && from.bits === 32 && to.name === "f16")
      return toHalves(opcode, target, false, (code, _, [a]) =>
        code.get(a!).op(`f32x4.convert_i32x4_${from.class === "signed" ? "s" : "u"}`),
      );
    return undefined;
  }
  if (source?.parts.length !== 1 || length !== 2) return undefined;
  const push = (lanes: Lanes): void => pushDecoded(lanes, source.name, 1);
  if (isInteger(to)) return floatToInteger(mode ?? "rzi", to, false, push);
  if (to.name !== "f32" || mode !== undefined) return undefined;
  const [ftz, sat] = [hasModifier(opcode, "ftz"), hasModifier(opcode, "sat")];
  return (lanes) => {
    push(lanes);
    if (ftz) flush(lanes);
    if (sat) saturate(lanes);
    // A bf16 is the upper half of the f32, NaNs included.
    if (source.name === "bf16" && !ftz && !sat) lanes.write32(lanes.operand(0));
    else lanes.writeFloat(lanes.operand(0));
  };
};

export const halfLowerings: Lowerings = {
  add: plain("add"),
  sub: plain("sub"),
  mul: plain("mul"),
  fma: arithmetic(3, (code, name, operands, isFused) =>
    pushFused(code, name, operands as readonly [Local, Local, Local], isFused),
  ),
  min: extremum("min"),
  max: extremum("max"),
  neg: signBit("neg"),
  abs: signBit("abs"),
  ex2: approximate(ex2Ftz),
  tanh: approximate(tanh),
  setp,
  cvt,
};
