// Calls of intrinsics: by the templates of the table, or by the row that the table names (`does`).

import { placeOf as placeInSource } from "../../ptx/source.js";
import type { CallInstruction } from "../ir/instruction.js";
import { typeText, type FunctionType, type Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { fillTemplate, type FloatOptions, type TemplateOperands } from "../intrinsics/template.js";
import { findIntrinsic, templateFor } from "../intrinsics/find.js";
import { widen, narrow } from "../lower/float.js";
import { joinElements, regroup, type Element } from "../lower/bits.js";
import { byElement, elementOf, floatTarget } from "./arithmetic.js";
import { integerWorks } from "./integer-intrinsics.js";
import { floatWorks } from "./float-intrinsics.js";
import { literal, type Operand, type Register, type Scalar } from "./machine.js";
import { memoryWorks } from "./memory-intrinsics.js";
import { otherWorks } from "./other-intrinsics.js";
import type { Selection } from "./selection.js";
import { partsOf, placeOf, specificBits } from "./values.js";
import { variadicWorks } from "./varargs.js";
import { vectorWorks } from "./vector-intrinsics.js";
import type { WorkLowering, Works } from "./work.js";

const works: Works = {
  ...integerWorks,
  ...floatWorks,
  ...memoryWorks,
  ...vectorWorks,
  ...otherWorks,
  ...variadicWorks,
};

export function lowerIntrinsic(
  selection: Selection,
  call: CallInstruction,
  name: string,
): readonly Scalar[] | undefined {
  const intrinsic = findIntrinsic(name);
  if (intrinsic === undefined) return undefined;
  const { does } = intrinsic.row;
  const work = does === undefined ? lowerTemplate : works[does];
  const made = work?.(selection, call, intrinsic);
  const wanted = selection.shapeOf(call.functionType.result).parts.length;
  if (work !== undefined && (made?.length ?? 0) === wanted) return made;
  refuseTypes(selection, call, name);
  return selection.shapeOf(call.functionType.result).parts.map(({ class: kind }) => literal(kind, 0n));
}

/** No row of the table supports the call's types: an error, and no code. */
function refuseTypes({ context }: Selection, call: CallInstruction, name: string): void {
  const types = call.functionType.parameters.map(typeText).join(", ");
  const message = `'${name}' is not supported for ${typeText(call.functionType.result)} (${types})`;
  const { source } = context.module;
  context.sink.report("nvvm-intrinsic", message, placeInSource(source, call), {
    remedy: "convert the operands to types that PTX supports for it",
  });
}

const lowerTemplate: WorkLowering = (selection, call, intrinsic) => {
  const { ptx } = intrinsic;
  const { functionType } = call;
  if (typeof ptx === "string")
    return fillAndEmit(
      selection,
      call,
      ptx,
      call.operands.map((one) => partsOf(selection, one)),
    );
  const element = elementOf(functionType.parameters[0] ?? functionType.result);
  const template = templateFor(intrinsic, functionType);
  if (template !== undefined) {
    if (functionType.result.kind !== "vector") {
      return fillAndEmit(
        selection,
        call,
        template,
        call.operands.map((one) => partsOf(selection, one)),
      );
    }
    return byElement(selection, functionType.result, call.operands, (parts) =>
      fillAndEmit(selection, scalarCall(call), template, parts),
    );
  }
  // Half formats have no template of their own and use f32's.
  if (element.kind !== "float") return undefined;
  const single = templateFor(intrinsic, singleType(selection, functionType));
  if (single === undefined) return undefined;
  const target = floatTarget(selection);
  return byElement(selection, functionType.result, call.operands, (parts) => {
    const wide = parts.map(([one]) => [widen(target, one!, element.name)]);
    const [result] = fillAndEmit(selection, singleCall(selection, call), single, wide);
    return functionType.result.kind === "integer" ? [result!] : [narrow(target, result!, element.name)];
  });
};

const asSingle = (selection: Selection, type: Type): Type => {
  const element = elementOf(type);
  return element.kind === "float" ? selection.context.module.types.float("float") : element;
};

const singleType = (selection: Selection, type: FunctionType): FunctionType => ({
  ...type,
  result: asSingle(selection, type.result),
  parameters: type.parameters.map((one) => asSingle(selection, one)),
});

const singleCall = (selection: Selection, call: CallInstruction): CallInstruction => ({
  ...call,
  functionType: singleType(selection, call.functionType),
});

/** The call of one element. */
const scalarCall = (call: CallInstruction): CallInstruction => ({
  ...call,
  functionType: {
    ...call.functionType,
    result: elementOf(call.functionType.result),
    parameters: call.functionType.parameters.map(elementOf),
  },
});

const halves = new Set<string>(["half", "bfloat", "i16"]);
/** `<2 x half>` is one register in templates. */
const isPair = (type: Type): boolean =>
  type.kind === "vector" && type.count === 2 && halves.has(typeText(type.element));

/** Opcodes whose result depends only on the operands. */
const pureOpcode =
  /^(?:add|sub|mul|mul24|mad|mad24|fma|div|rem|rcp|sqrt|rsqrt|ex2|lg2|sin|cos|tanh|cvt|abs|neg|min|max|clz|popc|brev|prmt|sad|shf|shl|shr|and|or|xor|not|lop3|selp|setp|slct|dp[24]a|testp|copysign|isspacep|szext|bmsk|bfind|fns|bfe|bfi)\b/;
const changing = /%(?:clock|globaltimer|pm\d|smid|warpid)/;

const areAllPure = (lines: readonly string[]): boolean =>
  lines.every(
    (line) => /^(?:\{|\}|\.reg\b)/.test(line) || pureOpcode.test(line) || (/^mov\b/.test(line) && !changing.test(line)),
  );

interface FilledText {
  /** Lines with `$0`, `$1`, … for results and then operands. */
  readonly text: string;
  readonly isPure: boolean;
}

/**
 * Cached by everything that determines them; calls of one intrinsic mostly differ only in their registers, which have no names
 * here.
 */
const filledTexts = new Map<string, FilledText>();
/** Immediate operands are part of the text, and there can be any number of them. */
const MAX_FILLED = 4096;

function filledText(template: string, operands: TemplateOperands, options: FloatOptions): FilledText {
  const { arguments: values, results, spaces, pointerBits } = operands;
  const { ftz, precSqrt, precDiv } = options;
  const key = [template, values.join(), results.join(), spaces.join(), pointerBits, ftz, precSqrt, precDiv].join("\n");
  const known = filledTexts.get(key);
  if (known !== undefined) return known;
  if (filledTexts.size >= MAX_FILLED) filledTexts.clear();
  const lines = fillTemplate(template, operands, options);
  const text = lines.map((line) => (/[{};]$/.test(line) ? line : `${line};`)).join("\n");
  const made = { text, isPure: areAllPure(lines) };
  filledTexts.set(key, made);
  return made;
}

interface Filling {
  readonly operands: Operand[];
  readonly texts: string[];
  readonly spaces: string[];
}

function fillAndEmit(
  selection: Selection,
  call: CallInstruction,
  template: string,
  parts: readonly (readonly Scalar[])[],
): readonly Scalar[] {
  const { emit, context, shapeOf } = selection;
  const { result } = call.functionType;
  const fields = resultFields(result);
  const registers = fields.map((type): readonly Register[] =>
    isPair(type) ? [emit.register("b32")] : shapeOf(type).parts.map(({ class: kind }) => emit.register(kind)),
  );
  const flat = registers.flat();
  const filling: Filling = { operands: [], texts: [], spaces: [] };
  call.functionType.parameters.forEach((type, i) => {
    addArgument(selection, call, template, type, i, parts[i] ?? [], flat.length, filling);
  });
  let at = 0;
  const results = registers.map((list) => {
    const names = list.map(() => `$${at++}`);
    return names.length === 1 ? names[0]! : `{${names.join(", ")}}`;
  });
  const { text, isPure } = filledText(
    template,
    { arguments: filling.texts, results, spaces: filling.spaces, pointerBits: selection.layout.pointerBits },
    { ftz: floatTarget(selection).ftz !== "", precSqrt: context.float.precSqrt, precDiv: context.float.precDiv },
  );
  let made: readonly Register[] = flat;
  if (flat.length > 0 && isPure)
    made = emit.pureMany(
      text,
      flat.map((one) => one.class),
      ...filling.operands,
    );
  else emit.effect(text, flat, filling.operands);
  return partsOfFields(selection, fields, made);
}

const resultFields = (result: Type): readonly Type[] => {
  if (result.kind === "void") return [];
  return result.kind === "struct" ? (result.fields ?? []) : [result];
};

/** Splits pairs into their halves. */
function partsOfFields(
  selection: Selection,
  fields: readonly Type[],
  registers: readonly Register[],
): readonly Scalar[] {
  const { emit, shapeOf } = selection;
  let at = 0;
  return fields.flatMap((type): readonly Scalar[] => {
    if (isPair(type)) return regroup(emit, [{ value: registers[at++]!, bits: 32 }], 16);
    const count = shapeOf(type).parts.length;
    at += count;
    return registers.slice(at - count, at);
  });
}

function addArgument(
  selection: Selection,
  call: CallInstruction,
  template: string,
  type: Type,
  index: number,
  parts: readonly Scalar[],
  results: number,
  filling: Filling,
): void {
  const { emit } = selection;
  const { operands, texts, spaces } = filling;
  const value: Value | undefined = call.operands[index];
  const add = (operand: Operand): string => {
    operands.push(operand);
    return `$${results + operands.length - 1}`;
  };
  spaces[index] = "";
  if (type.kind === "metadata" || value === undefined) texts[index] = "";
  else if (type.kind === "pointer" && template.includes(`<space${index}>`)) {
    const place = placeOf(selection, value);
    spaces[index] = place.space === "code" ? "" : place.space;
    const base = specificBits(selection, { ...place, offset: 0 });
    texts[index] = `${add(base)}${place.offset === 0 ? "" : `+${place.offset}`}`;
  } else if (isPair(type)) {
    const elements = parts.map((one): Element => ({ value: one, bits: 16 }));
    texts[index] = add(emit.inRegister(joinElements(emit, elements)[0]!, "b32"));
  } else {
    const names = parts.map((one) => {
      const asText = one.kind === "literal" && isNumber(type, call, index);
      return asText ? `${BigInt.asIntN(64, signed(one, type))}` : add(emit.inRegister(one, one.class));
    });
    texts[index] = names.length === 1 ? names[0]! : `{${names.join(", ")}}`;
  }
}

const signed = (one: Scalar, type: Type): bigint =>
  one.kind === "literal" && type.kind === "integer"
    ? type.bits === 1
      ? one.bits
      : BigInt.asIntN(type.bits, one.bits)
    : 0n;

/** Integers may be immediates, but not as the only operands of an instruction with a result. */
function isNumber(type: Type, call: CallInstruction, index: number): boolean {
  if (type.kind !== "integer") return false;
  if (type.bits === 1) return call.functionType.parameters.length > 1 && isImmediate(call, index);
  return index > 0 || call.functionType.result.kind === "void";
}

/** An i1 that must be constant; a predicate operand is a register. */
function isImmediate(call: CallInstruction, index: number): boolean {
  const name = call.callee.kind === "function" ? call.callee.name : "";
  return findIntrinsic(name)?.signature.parameters[index]?.constant === true;
}
