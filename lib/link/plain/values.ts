// Shapes of a plain link (shapes.ts) as the values that other parts of the linker take.

import { assert } from "../../base/assert.js";
import type { Layout, Parameter } from "../../isa/code.js";
import { dataType } from "../../isa/types.table.js";
import type { CodeSymbol } from "../../object/object.js";
import type { ShapeId, Shapes } from "./shapes.js";
import { textOf } from "./texts.js";

function reader({ texts, words }: Shapes, from: number) {
  let at = from;
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
  return { number, text, list, layout };
}

/** The layout of a variable of that shape, and the function in which it was declared. */
export function declaredVariable(shapes: Shapes, shape: ShapeId, hasScope: boolean) {
  const { layout, text } = reader(shapes, shapes.start[shape]!);
  return { layout: layout(), ...(hasScope ? { scope: text() } : {}) };
}

/** A function of that shape without a name. */
export function declaredFunction(shapes: Shapes, shape: ShapeId, entry: boolean): CodeSymbol {
  const { number, text, list, layout } = reader(shapes, shapes.start[shape]! + 1);
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
    entry,
    prototype,
    directives,
  };
}
