// What foreign tools are told of the kernels of a plain link's image (plain-link.ts): `.nv.info.<kernel>`, made by
// object/kernel-info.ts from the kernel's shape, once for all kernels of one shape.

import { LARGE_PARAMETERS, targetFacts } from "../../formats/cuda/index.js";
import { assert } from "../base/assert.js";
import type { Layout, Parameter } from "../isa/code.js";
import { dataType } from "../isa/types.table.js";
import { functionInfo } from "../object/kernel-info.js";
import type { CodeSymbol } from "../object/object.js";
import { kernelInfo } from "../object/parameters.js";
import { parameterBytes, type ShapeId, type Shapes } from "./plain-shapes.js";
import { textOf } from "./plain-texts.js";

/** Where in the attributes of a kernel that has parameters their section's symbol stands: 4 bytes from here. */
export const PARAMETER_SYMBOL = 4;

/** Bytes of the constant bank in front of the parameters of a kernel. */
export function parameterBase(shapes: Shapes, shape: ShapeId, sm: number): number {
  const facts = targetFacts(sm);
  return parameterBytes(shapes, shape) > LARGE_PARAMETERS ? facts.largeParameterBase : facts.parameterBase;
}

/** Makes the attributes of kernels; the symbol of the parameters' section is 0 in them. */
export function kernelAttributes(shapes: Shapes, sm: number): (shape: ShapeId) => Uint8Array {
  const known = new Map<ShapeId, Uint8Array>();
  return (shape) => {
    const made = known.get(shape);
    if (made !== undefined) return made;
    const symbol = declaredKernel(shapes, shape);
    const bytes = functionInfo({
      symbol,
      kernel: kernelInfo(symbol, 0),
      parameterSymbol: 0,
      parameterBase: parameterBase(shapes, shape, sm),
      externs: [],
      code: undefined,
      sm,
    });
    known.set(shape, bytes);
    return bytes;
  };
}

/** A kernel of that shape. */
function declaredKernel({ texts, words, start }: Shapes, shape: ShapeId): CodeSymbol {
  let at = start[shape]! + 1;
  const number = (): number => words[at++]!;
  const text = (): string => textOf(texts, -number() - 1);
  const list = <T>(item: () => T): readonly T[] => Array.from({ length: number() }, item);
  const layout = (): Layout => {
    const type = dataType(text());
    assert(type !== undefined, "a shape has a type that is none");
    const packed = number();
    const dimensions = list(number).map((dimension) => (dimension === 0 ? undefined : dimension - 1));
    const vector = ([1, 2, 4, 8] as const)[packed & 3]!;
    return { type, vector, dimensions, align: 2 ** (packed >> 2), size: number() };
  };
  const parameter = (): Parameter => {
    const flags = number();
    const common = { name: text(), space: (flags & 1) !== 0 ? "reg" : "param", layout: layout() } as const;
    if ((flags & 2) === 0) return common;
    const space = (flags & 4) !== 0 ? text() : undefined;
    return { ...common, pointer: { space, align: (flags & 8) !== 0 ? number() : undefined } };
  };
  const returns = list(parameter);
  const prototype = { returns, parameters: list(parameter), noreturn: false };
  const directives = list(() => ({ name: text(), values: list(number), strings: list(text) }));
  return {
    kind: "function",
    name: "",
    linkage: "visible",
    placement: { kind: "undefined" },
    origin: { module: 0, line: 0 },
    entry: true,
    prototype,
    directives,
  };
}
