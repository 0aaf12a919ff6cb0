// `__nvvm_reflect`: queries of NVIDIA's bitcode libraries to the compiler (libNVVM, "NVVM Reflect"; LLVM, "NVPTX, Reflection
// Parameters"). The argument is the address of a constant string, the result a compile-time number.

import type { Instruction } from "../ir/instruction.js";
import type { Module } from "../ir/module.js";
import type { IntegerConstant, Value } from "../ir/value.js";

/** The queries, by libNVVM's names. */
export interface ReflectOptions {
  /** 90 for sm_90. */
  readonly arch: number;
  readonly ftz: boolean;
  readonly precDiv: boolean;
  readonly precSqrt: boolean;
}

const parameters: Readonly<Record<string, (options: ReflectOptions) => number>> = {
  __CUDA_ARCH: ({ arch }) => arch * 10,
  __CUDA_FTZ: ({ ftz }) => Number(ftz),
  __CUDA_PREC_DIV: ({ precDiv }) => Number(precDiv),
  __CUDA_PREC_SQRT: ({ precSqrt }) => Number(precSqrt),
};

/** The function's names in different versions. */
const names = /^(?:__nvvm_reflect(?:_ocl)?|llvm\.nvvm\.reflect(?:\..*)?)$/;

export const isReflect = (name: string): boolean => names.test(name);

/** The result of a call of it; undefined for other instructions, and if its argument is not a constant string. */
export function reflectValue(instruction: Instruction, options: ReflectOptions): IntegerConstant | undefined {
  if (instruction.opcode !== "call" || instruction.type.kind !== "integer") return undefined;
  const { callee, operands, type } = instruction;
  if (callee.kind !== "function" || !isReflect(callee.name)) return undefined;
  const query = operands[0] === undefined ? undefined : stringAt(operands[0]);
  if (query === undefined) return undefined;
  const value = Object.hasOwn(parameters, query) ? parameters[query]!(options) : 0;
  return { kind: "integer", type, value: BigInt(value) };
}

/** Casts and addresses of a first element through which a string is found. */
const steps = new Set(["bitcast", "addrspacecast", "getelementptr"]);
const MAX_STEPS = 16;

/** The text of a constant string by its address, without the terminating NUL. */
function stringAt(address: Value): string | undefined {
  let value = address;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (value.kind === "variable") return value.initializer === undefined ? undefined : textOf(value.initializer);
    const next = value.kind === "expression" || value.kind === "instruction" ? stepOf(value) : undefined;
    if (next === undefined) return undefined;
    value = next;
  }
  return undefined;
}

function stepOf(value: Extract<Value, { readonly kind: "expression" | "instruction" }>): Value | undefined {
  const { opcode, operands } = value;
  const [base, ...indices] = operands;
  // Conversions between spaces are calls in IR of LLVM 3: llvm.nvvm.ptr.constant.to.gen and similar.
  if (value.kind === "instruction" && value.opcode === "call")
    return value.callee.kind === "function" && value.callee.name.startsWith("llvm.nvvm.ptr.") ? base : undefined;
  if (!steps.has(opcode)) return undefined;
  return indices.every((index) => index.kind === "zero" || (index.kind === "integer" && index.value === 0n))
    ? base
    : undefined;
}

function textOf(initializer: Value): string | undefined {
  if (initializer.kind === "zero") return "";
  let bytes: readonly number[];
  if (initializer.kind === "bytes") bytes = [...initializer.bytes];
  else if (initializer.kind === "aggregate")
    bytes = initializer.elements.map((each) => (each.kind === "integer" ? Number(each.value) : 0));
  else return undefined;
  const zero = bytes.indexOf(0);
  return Buffer.from(zero < 0 ? bytes : bytes.slice(0, zero)).toString("latin1");
}

/** The module flag that selects `__CUDA_FTZ` unless an option does. */
export function ftzFlag({ namedMetadata }: Module): boolean | undefined {
  for (const node of namedMetadata.get("llvm.module.flags")?.nodes ?? []) {
    if (node?.kind !== "node") continue;
    const [, name, value] = node.operands;
    if (name?.kind !== "string" || name.text !== "nvvm-reflect-ftz") continue;
    return value?.kind === "value" && value.value.kind === "integer" && value.value.value !== 0n;
  }
  return undefined;
}
