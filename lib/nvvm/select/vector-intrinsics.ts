// Intrinsics of whole vectors: reductions, and those that only rename elements.

import type { CallInstruction } from "../ir/instruction.js";
import type { FloatName } from "../ir/type.js";
import { floatBinary } from "../lower/float.js";
import { extremeFloat } from "../lower/float-functions.js";
import { binary } from "../lower/integer.js";
import { extreme } from "../lower/overflow.js";
import { scalarBits } from "../lower/parts.js";
import { binaryWords, type Words } from "../lower/wide.js";
import { elementOf, floatTarget } from "./arithmetic.js";
import { literal, type Scalar } from "./machine.js";
import type { Selection } from "./selection.js";
import { partsOf } from "./values.js";
import type { WorkLowering, Works } from "./work.js";

/** The parts of each element. */
function elementsOf(selection: Selection, call: CallInstruction, index: number): readonly Words[] {
  const type = call.operands[index]!.type;
  const parts = partsOf(selection, call.operands[index]!);
  if (type.kind !== "vector") return [parts];
  const each = parts.length / type.count;
  return Array.from({ length: type.count }, (_, i) => parts.slice(i * each, (i + 1) * each));
}

const numberOf = (selection: Selection, call: CallInstruction, index: number): number => {
  const value = partsOf(selection, call.operands[index]!)[0];
  return value?.kind === "literal" ? Number(BigInt.asIntN(64, value.bits)) : 0;
};

/** An operation of integers of any width. */
const arithmetic = (emit: Selection["emit"], operation: string, a: Words, b: Words, bits: number): Words =>
  bits > 64 ? binaryWords(emit, operation, a, b, bits) : [binary(emit, operation, a[0]!, b[0]!, bits)];

/** Sequentially, from the first element; sums and products of floats start with a scalar. */
const reduce: WorkLowering = (selection, call, intrinsic) => {
  const operation = intrinsic.choices.at(-1)!;
  const { emit, layout } = selection;
  const type = call.functionType.result;
  const vector = call.operands.length - 1;
  const elements = [...(vector > 0 ? elementsOf(selection, call, 0) : []), ...elementsOf(selection, call, vector)];
  const element = elementOf(type);
  const target = floatTarget(selection);
  const combine = (a: Words, b: Words): Words => {
    if (element.kind === "float") {
      const name = element.name as FloatName;
      if (operation === "fadd" || operation === "fmul") return [floatBinary(target, operation, a[0]!, b[0]!, name)];
      const words = { fmax: "maxnum", fmin: "minnum", fmaximum: "maximum", fminimum: "minimum" };
      return [extremeFloat(target, words[operation as keyof typeof words], a[0]!, b[0]!, name)];
    }
    const bits = scalarBits(element, layout)!;
    if (/^[su](max|min)$/.test(operation)) return extreme(emit, operation, a, b, bits);
    return arithmetic(emit, operation, a, b, bits);
  };
  return elements.reduce(combine);
};

/** Whether all vectors of a call have the same element type; selection refuses others. */
function haveOneElement({ functionType: { result, parameters } }: CallInstruction): boolean {
  const vectors = [result, ...parameters].filter(({ kind }) => kind === "vector");
  return vectors.every((type) => elementOf(type) === elementOf(result));
}

/** Replaces elements of the first, from an index on, by those of the second. */
const insert: WorkLowering = (selection, call) => {
  if (!haveOneElement(call)) return undefined;
  const [into, part] = [0, 1].map((i) => elementsOf(selection, call, i));
  const at = numberOf(selection, call, 2);
  return into!.flatMap((one, i) => part![i - at] ?? one);
};

const extract: WorkLowering = (selection, call) => {
  if (!haveOneElement(call)) return undefined;
  const type = call.functionType.result;
  const count = type.kind === "vector" ? type.count : 1;
  const at = numberOf(selection, call, 1);
  return elementsOf(selection, call, 0)
    .slice(at, at + count)
    .flat();
};

const splice: WorkLowering = (selection, call) => {
  const [first, second] = [0, 1].map((i) => elementsOf(selection, call, i));
  const at = numberOf(selection, call, 2);
  const start = at < 0 ? first!.length + at : at;
  return [...first!, ...second!].slice(start, start + first!.length).flat();
};

const interleave: WorkLowering = (selection, call) => {
  if (!haveOneElement(call)) return undefined;
  const vectors = call.operands.map((_, i) => elementsOf(selection, call, i));
  return vectors[0]!.flatMap((_, i) => vectors.flatMap((vector) => vector[i]!));
};

/** Of n results, the first has each nth element from the first on, the second from the second on, and so on. */
const deinterleave: WorkLowering = (selection, call) => {
  const { result, parameters } = call.functionType;
  const parts = result.kind === "struct" ? (result.fields ?? []) : [];
  if (parts.some((part) => elementOf(part) !== elementOf(parameters[0]!))) return undefined;
  const all = elementsOf(selection, call, 0);
  return parts.flatMap((_, n) => all.filter((_, i) => i % parts.length === n).flat());
};

/** Adds to the first vector's elements those of the longer second; LLVM does not specify which ones. */
const partialReduce: WorkLowering = (selection, call) => {
  if (!haveOneElement(call)) return undefined;
  const { emit, layout } = selection;
  const bits = scalarBits(elementOf(call.functionType.result), layout)!;
  const [sums, others] = [0, 1].map((i) => elementsOf(selection, call, i));
  if (others!.length % sums!.length !== 0) return undefined;
  return sums!.flatMap((sum, lane) =>
    others!.filter((_, i) => i % sums!.length === lane).reduce((a, b) => arithmetic(emit, "add", a, b, bits), sum),
  );
};

const step: WorkLowering = (selection, call): readonly Scalar[] =>
  selection.shapeOf(call.functionType.result).parts.map(({ class: kind }, i) => literal(kind, i));

export const vectorWorks: Works = {
  reduce,
  "partial.reduce": partialReduce,
  "vector.insert": insert,
  "vector.extract": extract,
  "vector.splice": splice,
  "vector.reverse": (selection, call) => elementsOf(selection, call, 0).toReversed().flat(),
  "vector.interleave": interleave,
  "vector.deinterleave": deinterleave,
  step,
};
