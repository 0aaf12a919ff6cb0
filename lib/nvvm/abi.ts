// How functions pass values (NVVM IR 1.0 section 14.2; open points as in libNVVM, docs/nvvm.md): one `.param` slot for each
// parameter and result. Headers, prototypes, calls and returns are generated from these slots.

import type { Attribute, Function } from "./ir/global.js";
import type { CallInstruction } from "./ir/instruction.js";
import type { DataLayout } from "./ir/layout.js";
import type { FunctionType, Type } from "./ir/type.js";

/** One `.param` variable. */
export interface Slot {
  /** Type of the variable without the dot; "b8" for arrays. */
  readonly type: string;
  /** Bytes of an array; undefined for a scalar. */
  readonly size: number | undefined;
  /** Alignment in bytes; written for arrays only. */
  readonly align: number;
  /** Type of the passed value; for byval, the pointee. */
  readonly valueType: Type;
  /** The parameter is the object that an IR pointer points to. */
  readonly byval: boolean;
  /** Integers below 32 bits are extended to 32. */
  readonly extend: "zero" | "sign";
  /** `.ptr` of a kernel's pointer parameter: its state space and alignment. */
  readonly pointer: { readonly space: string; readonly align: number } | undefined;
}

export interface Signature {
  /** Undefined if nothing is returned. */
  readonly result: Slot | undefined;
  /** One for each IR parameter; undefined for an empty structure, which is not passed. */
  readonly parameters: readonly (Slot | undefined)[];
  /** Calls pass further values in one array. */
  readonly variadic: boolean;
}

export interface AbiOptions {
  readonly layout: DataLayout;
  /** Opaque pointers (dialect C): half and bfloat are arrays of 2 bytes, as in LLVM 17 and later, not `.b32`. */
  readonly opaque: boolean;
  /** Bytes by position from an `align` annotation or `!callalign`: 0 is the result, 1 the first parameter. */
  readonly alignments?: ReadonlyMap<number, number> | undefined;
}

const spaceNames: Readonly<Record<number, string>> = { 1: "global", 3: "shared", 4: "const", 5: "local" };

const findAttribute = (attributes: readonly Attribute[] | undefined, name: string): Attribute | undefined =>
  attributes?.find((one) => one.name === name);

const numberOf = (attribute: Attribute | undefined): number | undefined =>
  typeof attribute?.value === "number" ? attribute.value : undefined;

/** The type that a byval parameter passes; undefined if the parameter is not byval. */
export function byvalType(type: Type, attributes: readonly Attribute[] | undefined): Type | undefined {
  const attribute = findAttribute(attributes, "byval");
  if (attribute === undefined || type.kind !== "pointer") return undefined;
  return attribute.type ?? type.pointee;
}

function arraySlot(valueType: Type, align: number, options: AbiOptions, byval: boolean): Slot | undefined {
  const size = options.layout.allocSize(valueType) ?? 0;
  if (size === 0) return undefined;
  return { type: "b8", size, align, valueType, byval, extend: "zero", pointer: undefined };
}

const scalar = (type: string, bytes: number, valueType: Type, sign = false): Slot => ({
  type,
  size: undefined,
  align: bytes,
  valueType,
  byval: false,
  extend: sign ? "sign" : "zero",
  pointer: undefined,
});

function slotOf(
  type: Type,
  attributes: readonly Attribute[] | undefined,
  position: number,
  kernel: boolean,
  options: AbiOptions,
): Slot | undefined {
  const { layout } = options;
  const object = byvalType(type, attributes);
  const stated = options.alignments?.get(position) ?? numberOf(findAttribute(attributes, "alignstack"));
  if (object !== undefined) {
    const align = stated ?? numberOf(findAttribute(attributes, "align")) ?? layout.align(object);
    return arraySlot(object, align, options, true);
  }
  const array = (): Slot | undefined => arraySlot(type, stated ?? layout.align(type), options, false);
  switch (type.kind) {
    case "integer": {
      if (type.bits > 64) return array();
      const bytes = type.bits <= 8 ? 1 : type.bits <= 16 ? 2 : type.bits <= 32 ? 4 : 8;
      const sign = findAttribute(attributes, "signext") !== undefined;
      if (kernel) return scalar(`u${bytes * 8}`, bytes, type, sign);
      return scalar(bytes === 8 ? "b64" : "b32", Math.max(bytes, 4), type, sign);
    }
    case "pointer": {
      const bytes = layout.pointerBits / 8;
      if (!kernel) return scalar(`b${bytes * 8}`, bytes, type);
      const space = spaceNames[type.space];
      const align = numberOf(findAttribute(attributes, "align")) ?? 1;
      return {
        ...scalar(`u${bytes * 8}`, bytes, type),
        pointer: space === undefined ? undefined : { space, align },
      };
    }
    case "float": {
      if (type.name === "float") return scalar(kernel ? "f32" : "b32", 4, type);
      if (type.name === "double") return scalar(kernel ? "f64" : "b64", 8, type);
      if (kernel) return scalar("b16", 2, type);
      return options.opaque ? array() : scalar("b32", 4, type);
    }
    default:
      return array();
  }
}

/** The slots of a function of that type; `attributes` belong to the result and to each parameter. */
function signatureOf(
  type: FunctionType,
  resultAttributes: readonly Attribute[],
  argumentAttributes: readonly (readonly Attribute[])[],
  kernel: boolean,
  options: AbiOptions,
): Signature {
  return {
    result: type.result.kind === "void" ? undefined : slotOf(type.result, resultAttributes, 0, false, options),
    parameters: type.parameters.map((one, i) => slotOf(one, argumentAttributes[i], i + 1, kernel, options)),
    variadic: type.variadic,
  };
}

export const functionSignature = (fn: Function, kernel: boolean, options: AbiOptions): Signature =>
  signatureOf(fn.valueType, fn.resultAttributes, fn.argumentAttributes, kernel, options);

/** The slots of a call by its own type and attributes: the prototype of an indirect call. */
export const callSignature = (call: CallInstruction, options: AbiOptions): Signature =>
  signatureOf(call.functionType, call.resultAttributes, call.argumentAttributes, false, options);

const resultName = "func_retval0";
export const parameterName = (functionName: string, index: number): string => `${functionName}_param_${index}`;
export const variadicName = (functionName: string): string => `${functionName}_vararg`;

/** `.param .align 8 .b8 name[16]`. */
export function slotText(slot: Slot, name: string): string {
  if (slot.size !== undefined) return `.param .align ${slot.align} .b8 ${name}[${slot.size}]`;
  const pointer = slot.pointer;
  const words = pointer === undefined ? "" : ` .ptr .${pointer.space} .align ${pointer.align}`;
  return `.param .${slot.type}${words} ${name}`;
}

/** ` (.param .b32 func_retval0)`, or nothing. */
const resultText = (signature: Signature, name = resultName): string =>
  signature.result === undefined ? "" : `(${slotText(signature.result, name)}) `;

/** `(.param .b32 f_param_0, .param .b64 f_param_1)`. */
function parametersText(signature: Signature, functionName: string): string {
  const texts = signature.parameters.flatMap((slot, i) =>
    slot === undefined ? [] : [slotText(slot, parameterName(functionName, i))],
  );
  if (signature.variadic) texts.push(`.param .align 8 .b8 ${variadicName(functionName)}[]`);
  return `(${texts.join(", ")})`;
}

/** The text after the linkage: `.func (…) name(…)`, `.entry name(…)`. */
export function headerText(signature: Signature, name: string, kernel: boolean): string {
  if (kernel) return `.entry ${name}${parametersText(signature, name)}`;
  return `.func ${resultText(signature)}${name}${parametersText(signature, name)}`;
}
