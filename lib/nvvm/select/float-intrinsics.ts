// Float intrinsics without a single instruction, and those that libdevice computes.

import { flag, type CallInstruction } from "../ir/instruction.js";
import type { FloatName, Type } from "../ir/type.js";
import { floatBinary, floatCompare, formatBits, formatClass, fused, narrow, suffixOf, widen } from "../lower/float.js";
import { floatToInteger, saturatedWords } from "../lower/float-integer.js";
import {
  copySign,
  extremeFloat,
  inWider,
  isOfClass,
  roundAway,
  scaleByPower,
  takeApartFloat,
} from "../lower/float-functions.js";
import { choose, resize } from "../lower/integer.js";
import { saturatedInteger } from "../lower/overflow.js";
import { scalarBits } from "../lower/parts.js";
import { byElement, elementOf, floatTarget } from "./arithmetic.js";
import { literal, type Scalar } from "./machine.js";
import type { Selection } from "./selection.js";
import { partsOf } from "./values.js";
import { nameWords, type WorkLowering, type Works } from "./work.js";

const formatOf = (type: Type): FloatName => (elementOf(type) as { readonly name: FloatName }).name;

/** Works on each element of the first `count` arguments. */
const each =
  (
    count: number,
    work: (selection: Selection, values: readonly Scalar[], name: FloatName, call: CallInstruction) => Scalar,
  ): WorkLowering =>
  (selection, call) => {
    const type = call.functionType.parameters[0]!;
    return byElement(selection, type, call.operands.slice(0, count), (values) => [
      work(
        selection,
        values.map(([one]) => one!),
        formatOf(type),
        call,
      ),
    ]);
  };

const integerBits = (selection: Selection, call: CallInstruction): number =>
  scalarBits(elementOf(call.functionType.result), selection.layout)!;

const saturatingConversion: WorkLowering = (selection, call, intrinsic) => {
  const signed = intrinsic.choices[0] === "si";
  const bits = integerBits(selection, call);
  const type = call.functionType.parameters[0]!;
  const name = formatOf(type);
  const target = { ...floatTarget(selection), ftz: "" };
  return byElement(selection, type, call.operands.slice(0, 1), ([value]) => {
    if (bits > 64) return saturatedWords(target, value![0]!, name, bits, signed);
    const wide = name === "half" || name === "bfloat" ? widen(target, value![0]!, name) : value![0]!;
    const format = name === "double" ? "double" : "float";
    const width = bits <= 32 ? 32 : 64;
    const [converted] = floatToInteger(target, wide, format, width, signed);
    const isNan = floatCompare(target, "uno", wide, wide, format);
    return [saturatedInteger(selection.emit, converted!, isNan, bits, signed)];
  });
};

/** x · 1: quiets NaNs, and flushes subnormals if the option is set. */
const canonical = each(1, (selection, [value], name) => {
  const target = floatTarget(selection);
  if (name === "bfloat") return narrow(target, widen(target, value!, name), name);
  const one = { half: 0x3c00n, float: 0x3f800000n, double: 0x3ff0000000000000n }[name as "half" | "float" | "double"];
  return floatBinary(target, "fmul", value!, literal(formatClass(name), one), name);
});

/** Squares for each bit of the exponent, and the reciprocal if it is negative. */
const power: WorkLowering = (selection, call) => {
  const { emit } = selection;
  const type = call.functionType.parameters[0]!;
  const name = formatOf(type);
  const exponentBits = scalarBits(call.functionType.parameters[1]!, selection.layout)!;
  const exponent = resize(emit, partsOf(selection, call.operands[1]!)[0]!, exponentBits, 32, true);
  const target = floatTarget(selection);
  return byElement(selection, type, call.operands.slice(0, 1), ([value]) => [
    inWider(target, name, [value![0]!], ([x], format) => {
      const kind = formatClass(format);
      const one = literal(kind, format === "float" ? 0x3f800000n : 0x3ff0000000000000n);
      const product = emit.register(kind, true);
      const factor = emit.register(kind, true);
      const left = emit.register("b32", true);
      emit.assign(product, one);
      emit.assign(factor, x!);
      emit.assign(left, emit.pure("abs.s32", "b32", emit.inRegister(exponent, "b32")));
      const loop = emit.newBlock(emit.block.origin);
      const end = emit.newBlock(emit.block.origin);
      emit.jump(loop);
      emit.enter(loop);
      const bit = emit.pure("and.b32", "b32", left, literal("b32", 1));
      const isSet = emit.pure("setp.ne.s32", "p", bit, literal("b32", 0));
      emit.assign(product, choose(emit, isSet, floatBinary(target, "fmul", product, factor, format), product));
      emit.assign(factor, floatBinary(target, "fmul", factor, factor, format));
      emit.assign(left, emit.pure("shr.u32", "b32", left, literal("b32", 1)));
      emit.branch(emit.pure("setp.ne.s32", "p", left, literal("b32", 0)), loop, end);
      emit.enter(end);
      const result = emit.read(`mov.${kind}`, kind, product);
      const isNegative = emit.pure("setp.lt.s32", "p", exponent, literal("b32", 0));
      return choose(emit, isNegative, floatBinary(target, "fdiv", one, result, format), result);
    }),
  ]);
};

const roundings: Readonly<Record<string, string>> = {
  "round.downward": "rm",
  "round.upward": "rp",
  "round.towardzero": "rz",
};

/** Arithmetic with a rounding argument. */
const constrained: WorkLowering = (selection, call, intrinsic) => {
  const opcode = intrinsic.choices[0] ?? "sqrt";
  const count = call.functionType.parameters.filter(({ kind }) => kind !== "metadata").length;
  const type = call.functionType.parameters[0]!;
  const name = formatOf(type);
  const mode = call.operands.flatMap((one) =>
    one.kind === "metadata" && one.metadata?.kind === "string" ? [roundings[one.metadata.text] ?? "rn"] : [],
  )[0];
  const target = floatTarget(selection);
  const operation = opcode === "fma" || opcode === "fmuladd" ? "fma" : opcode.replace(/^f/, "");
  return byElement(selection, type, call.operands.slice(0, count), (values) => {
    const scalars = values.map(([one]) => one!);
    if (opcode === "frem") return [floatBinary(target, "frem", scalars[0]!, scalars[1]!, name)];
    const kind = formatClass(name);
    const flush = name === "float" ? target.ftz : "";
    if (kind !== "b16") {
      return [target.emit.pure(`${operation}.${mode ?? "rn"}${flush}.${suffixOf(name)}`, kind, ...scalars)];
    }
    if (operation === "fma") return [fused(target, scalars[0]!, scalars[1]!, scalars[2]!, name)];
    return [inWider(target, name, scalars, (wide) => target.emit.pure(`${operation}.rn.f32`, "b32", ...wide))];
  });
};

const approximateOps: Readonly<Record<string, string>> = { sin: "sin", cos: "cos", exp2: "ex2", log2: "lg2" };

/** The approximate instruction for f32 and halves where the call allows it. */
const approximate: WorkLowering = (selection, call, intrinsic) => {
  const type = call.functionType.parameters[0]!;
  const name = formatOf(type);
  if (name === "double" || (call.flags & flag.afn) === 0) return libraryCall(selection, call, intrinsic);
  const target = floatTarget(selection);
  const op = approximateOps[nameWords(call)[0]!]!;
  return byElement(selection, type, call.operands, ([value]) => [
    inWider(target, name, [value![0]!], ([x]) => target.emit.pure(`${op}.approx${target.ftz}.f32`, "b32", x!)),
  ]);
};

/** `__nv_sinf` and similar: the module links libdevice. */
const libraryCall: WorkLowering = (selection, call, intrinsic) => {
  const { emit, context } = selection;
  const type = call.functionType.parameters[0]!;
  const name = formatOf(type);
  const target = floatTarget(selection);
  const count = call.operands.length;
  return byElement(selection, type, call.operands, (values) => [
    inWider(
      target,
      name,
      values.map(([one]) => one!),
      (wide, format) => {
        const bits = formatBits(format);
        const kind = formatClass(format);
        const callee = `__nv_${intrinsic.row.libdevice ?? ""}${format === "float" ? "f" : ""}`;
        const names = wide.map((_, i) => `param${i}`);
        const slots = names.map((_, i) => `.param .b${bits} ${callee}_param_${i}`).join(", ");
        context.needDeclaration(`.extern .func (.param .b${bits} func_retval0) ${callee}(${slots});`);
        const lines = [
          "{",
          ...names.map((one) => `.param .b${bits} ${one};`),
          `.param .b${bits} retval0;`,
          ...names.map((one, i) => `st.param.b${bits} [${one}], $${1 + i};`),
          `call (retval0), ${callee}, (${names.join(", ")});`,
          `ld.param.b${bits} $0, [retval0];`,
          "}",
        ];
        const registers = wide.slice(0, count).map((one) => emit.inRegister(one, kind));
        return emit.pureMany(lines.join("\n"), [kind], ...registers)[0]!;
      },
    ),
  ]);
};

const roundOf: WorkLowering = (selection, call) => {
  const type = call.functionType.parameters[0]!;
  const name = formatOf(type);
  const target = floatTarget(selection);
  const result = elementOf(call.functionType.result);
  return byElement(selection, type, call.operands, ([value]) => {
    const rounded = roundAway(target, value![0]!, name);
    if (result.kind !== "integer") return [rounded];
    return floatToInteger(target, rounded, name, result.bits, true);
  });
};

/** To the nearest integer, halves to the even one. */
const nearestInteger: WorkLowering = (selection, call) => {
  const type = call.functionType.parameters[0]!;
  const name = formatOf(type);
  const target = floatTarget(selection);
  const bits = integerBits(selection, call);
  return byElement(selection, type, call.operands, ([value]) => {
    const isHalf = name === "half" || name === "bfloat";
    const wide = isHalf ? widen(target, value![0]!, name) : value![0]!;
    const format = isHalf ? "float" : name;
    const kind = formatClass(format);
    const suffix = suffixOf(format);
    const flush = format === "float" ? target.ftz : "";
    const whole = target.emit.pure(`cvt.rni${flush}.${suffix}.${suffix}`, kind, target.emit.inRegister(wide, kind));
    return floatToInteger(target, whole, format, bits, true);
  });
};

const frexp: WorkLowering = (selection, call) => {
  const type = call.functionType.parameters[0]!;
  const name = formatOf(type);
  const { result } = call.functionType;
  const exponentType = elementOf(result.kind === "struct" ? result.fields![1]! : result);
  const bits = scalarBits(exponentType, selection.layout)!;
  const made = partsOf(selection, call.operands[0]!).map((one) => takeApartFloat(floatTarget(selection), one, name));
  return [
    ...made.map(({ fraction }) => fraction),
    ...made.map(({ exponent }) => resize(selection.emit, exponent, 32, Math.min(bits, 64), true)),
  ];
};

const ldexp: WorkLowering = (selection, call) => {
  const [type, exponentType] = call.functionType.parameters;
  const bits = scalarBits(elementOf(exponentType!), selection.layout)!;
  const exponents = partsOf(selection, call.operands[1]!);
  let at = 0;
  return byElement(selection, type!, call.operands.slice(0, 1), ([value]) => {
    const exponent = exponents[exponents.length === 1 ? 0 : at++]!;
    const wide = resize(selection.emit, exponent, Math.min(bits, 64), 32, true);
    return [scaleByPower(floatTarget(selection), value![0]!, wide, formatOf(type!))];
  });
};

const classTest: WorkLowering = (selection, call) => {
  const type = call.functionType.parameters[0]!;
  const mask = partsOf(selection, call.operands[1]!)[0]!;
  const bits = mask.kind === "literal" ? Number(mask.bits) : 0;
  return byElement(selection, type, call.operands.slice(0, 1), ([value]) => [
    isOfClass(floatTarget(selection), value![0]!, formatOf(type), bits),
  ]);
};

export const floatWorks: Works = {
  "fptosi.sat": saturatingConversion,
  "fptoui.sat": saturatingConversion,
  minmax: each(2, (selection, [a, b], name, call) =>
    extremeFloat(floatTarget(selection), nameWords(call)[0]!, a!, b!, name),
  ),
  copysign: each(2, (selection, [a, b], name) => copySign(floatTarget(selection), a!, b!, name)),
  fma: each(3, (selection, [a, b, c], name) => fused(floatTarget(selection), a!, b!, c!, name)),
  "is.fpclass": classTest,
  ldexp,
  frexp,
  round: roundOf,
  lround: roundOf,
  lrint: nearestInteger,
  canonicalize: canonical,
  powi: power,
  constrained,
  approximate,
  libdevice: libraryCall,
};
