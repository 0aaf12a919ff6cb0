// Intrinsics that pass a value through, query the compiler, or stop.

import { placeOf as placeInSource } from "../../ptx/source.js";
import type { CallInstruction } from "../ir/instruction.js";
import type { Value } from "../ir/value.js";
import { foldConstant } from "../globals/fold.js";
import { literal, widths, word } from "./machine.js";
import type { Selection } from "./selection.js";
import { genericBits, partsOf, placeOf, pointerClass, scalarOf, specificBits } from "./values.js";
import type { WorkLowering, Works } from "./work.js";

const spaceOfWord: Readonly<Record<string, string>> = {
  global: "global",
  shared: "shared",
  constant: "const",
  local: "local",
  param: "param",
};

/** Between the generic address and that of the space in the intrinsic's name. */
const convert =
  (toGeneric: boolean): WorkLowering =>
  (selection, call, intrinsic) => {
    const { emit, places } = selection;
    const space = spaceOfWord[intrinsic.choices[0] ?? "param"] ?? "param";
    const kind = pointerClass(selection);
    const pointer = call.operands[0]!;
    const place = placeOf(selection, pointer);
    if (place.space === space) {
      places.set(call, place);
      return [toGeneric ? genericBits(selection, place, 0) : specificBits(selection, place)];
    }
    const bits = emit.inRegister(scalarOf(selection, pointer), kind);
    if (space === "param") selection.context.needVersion(77);
    const result = emit.pure(`cvta${toGeneric ? "" : ".to"}.${space}.u${widths[kind]}`, kind, bits);
    places.set(call, { base: toGeneric ? bits : result, offset: 0, space });
    return [result];
  };

const value: WorkLowering = (selection, call) => {
  const [first] = call.operands;
  const place = selection.places.get(first!);
  if (place !== undefined) selection.places.set(call, place);
  return partsOf(selection, first!);
};

const objectSize: WorkLowering = (selection, call) => {
  const least = call.operands[1];
  const isLeast = least?.kind === "integer" && least.value === 1n;
  return selection.shapeOf(call.functionType.result).parts.map(({ class: kind }) => literal(kind, isLeast ? 0n : -1n));
};

/** The text that a pointer refers to, up to its NUL. */
function stringOf(selection: Selection, pointer: Value): string | undefined {
  const constant = pointer.kind === "expression" || pointer.kind === "variable" ? pointer : sourceOf(pointer);
  if (constant?.kind !== "expression" && constant?.kind !== "variable") return undefined;
  const folded = foldConstant(constant, selection.layout);
  if (folded?.kind !== "address" || folded.global.kind !== "variable") return undefined;
  const { initializer } = folded.global;
  const bytes =
    initializer?.kind === "bytes"
      ? [...initializer.bytes]
      : initializer?.kind === "aggregate"
        ? initializer.elements.map((one) => (one.kind === "integer" ? Number(one.value) : 0))
        : [];
  const from = bytes.slice(Number(folded.addend));
  const end = from.indexOf(0);
  return String.fromCharCode(...(end < 0 ? from : from.slice(0, end)));
}

/** The constant under casts by call or instruction. */
function sourceOf(pointer: Value): Value | undefined {
  if (pointer.kind !== "instruction") return undefined;
  const isCast = ["bitcast", "addrspacecast", "getelementptr"].includes(pointer.opcode);
  const isConversion =
    pointer.opcode === "call" && pointer.callee.kind === "function" && pointer.callee.name.startsWith("llvm.nvvm.ptr.");
  if (!isCast && !isConversion) return undefined;
  const [first] = pointer.operands;
  return first!.kind === "instruction" ? sourceOf(first!) : first;
}

/** The compiler's answer to `__nvvm_reflect`; 0 for unknown queries. */
export function reflected(selection: Selection, call: CallInstruction): bigint {
  const { float, arch, module } = selection.context;
  const flush = module.namedMetadata.get("llvm.module.flags")?.nodes.some((node) => {
    if (node?.kind !== "node") return false;
    const [, name, one] = node.operands;
    const isName = name?.kind === "string" && name.text === "nvvm-reflect-ftz";
    return isName && one?.kind === "value" && one.value.kind === "integer" && one.value.value !== 0n;
  });
  const answers: Readonly<Record<string, bigint>> = {
    __CUDA_FTZ: float.ftz || flush === true ? 1n : 0n,
    __CUDA_ARCH: BigInt(arch * 10),
    __CUDA_PREC_DIV: float.precDiv ? 1n : 0n,
    __CUDA_PREC_SQRT: float.precSqrt ? 1n : 0n,
  };
  return answers[stringOf(selection, call.operands[0]!) ?? ""] ?? 0n;
}

const reflect: WorkLowering = (selection, call) => [literal("b32", reflected(selection, call))];

const trap: WorkLowering = (selection, call) => {
  const name = call.callee.kind === "function" ? call.callee.name : "";
  selection.emit.effect(name.includes("debugtrap") ? "brkpt" : "trap", [], []);
  return undefined;
};

/** The address of a texture or surface reference, as tex and suld use it. */
const handle: WorkLowering = (selection, call) => {
  const variable = call.operands.at(-1)!;
  const folded =
    variable.kind === "expression" || variable.kind === "variable"
      ? foldConstant(variable, selection.layout)
      : undefined;
  if (folded?.kind !== "address") return [specificBits(selection, placeOf(selection, variable))];
  // ptxas accepts no other type of mov for a handle.
  return [selection.emit.pure("mov.u64", "b64", word(selection.context.nameOf(folded.global)))];
};

const stack =
  (isSave: boolean): WorkLowering =>
  (selection, call) => {
    const { emit, context } = selection;
    const kind = pointerClass(selection);
    context.needVersion(73);
    if (isSave) return [emit.read(`stacksave.u${widths[kind]}`, kind)];
    emit.effect(`stackrestore.u${widths[kind]}`, [], [emit.inRegister(scalarOf(selection, call.operands[0]!), kind)]);
    return undefined;
  };

/** `llvm.nvvm.compiler.error` and `.warn`: messages that the module makes the compiler report, if the call is not dead. */
const message: WorkLowering = (selection, call) => {
  const { sink, module } = selection.context;
  const text = stringOf(selection, call.operands[0]!) ?? "";
  const isError = call.callee.kind === "function" && call.callee.name.includes("compiler.error");
  const place = placeInSource(module.source, call);
  if (isError) sink.report("nvvm-compiler-error", `the module refuses to be compiled: ${text}`, place);
  else sink.report("nvvm-compiler-warning", `the module warns: ${text}`, place);
  return undefined;
};

export const otherWorks: Works = {
  message,
  ignored: (selection, call) =>
    selection.shapeOf(call.functionType.result).parts.map(({ class: kind }) => literal(kind, 0n)),
  value,
  true: () => [literal("p", 1n)],
  "is.constant": (selection, call) => {
    const parts = partsOf(selection, call.operands[0]!);
    return [literal("p", parts.every(({ kind }) => kind === "literal") ? 1n : 0n)];
  },
  objectsize: objectSize,
  stacksave: stack(true),
  stackrestore: stack(false),
  trap,
  reflect,
  handle,
  "to.generic": convert(true),
  "from.generic": convert(false),
};
