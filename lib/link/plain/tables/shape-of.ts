// The shape of what a symbol of the assembler's is declared as: the numbers that shapes.ts reads from .ptxkit.decl.

import type { Layout, Parameter } from "../../../isa/code.js";
import { opaqueFields } from "../../../isa/opaque-fields.table.js";
import type { DataType } from "../../../isa/types.table.js";
import { packLayout, parameterFlags } from "../../../object/code/layout-codec.js";
import type { CodeSymbol, ReferenceSymbol, VariableSymbol } from "../../../object/object.js";
import { finishShape, putLarge, putWide, putWord, type ShapeId, type Shapes } from "./shapes.js";
import { internText, type TextId } from "./texts.js";

export function shapeOfVariable(shapes: Shapes, { layout, scope, aliasOf, unified }: VariableSymbol): ShapeId {
  const from = shapes.start[shapes.count]!;
  let at = putLayout(shapes, from, layout);
  if (scope !== undefined) at = putText(shapes, at, scope);
  if (aliasOf !== undefined) at = putWord(shapes, putText(shapes, at, aliasOf.base), aliasOf.offset);
  return finishShape(shapes, from, putUnified(shapes, at, unified));
}

export function shapeOfFunction(shapes: Shapes, { prototype, directives, unified }: CodeSymbol): ShapeId {
  const from = shapes.start[shapes.count]!;
  let at = putWord(shapes, from, prototype.noreturn ? 1 : 0);
  at = putParameters(shapes, at, prototype.returns);
  at = putParameters(shapes, at, prototype.parameters);
  at = putWord(shapes, at, directives.length);
  for (let i = 0; i < directives.length; i++) at = putDirective(shapes, at, directives[i]!);
  return finishShape(shapes, from, putUnified(shapes, at, unified));
}

const NO_FIELDS: NonNullable<ReferenceSymbol["fields"]> = [];

export function shapeOfReference(shapes: Shapes, { fields = NO_FIELDS }: ReferenceSymbol): ShapeId {
  const from = shapes.start[shapes.count]!;
  let at = putWord(shapes, from, fields.length);
  for (const { name, value } of fields) {
    at = putWord(
      shapes,
      at,
      opaqueFields.findIndex((row) => row.name === name),
    );
    at = putWide(shapes, at, BigInt(value));
  }
  return finishShape(shapes, from, at);
}

const LARGE = 2 ** 31;

/** A bound or a size. */
const putNumber = (shapes: Shapes, at: number, value: number): number =>
  value < LARGE ? putWord(shapes, at, value) : putLarge(shapes, at, value);

/** Where nothing is found by its place behind it. */
const putAny = (shapes: Shapes, at: number, value: number): number =>
  value < LARGE ? putWord(shapes, at, value) : putWide(shapes, at, BigInt(value));

const putText = (shapes: Shapes, at: number, text: string): number =>
  putWord(shapes, at, -internText(shapes.texts, text) - 1);

function putLayout(shapes: Shapes, from: number, layout: Layout): number {
  const { type, dimensions, size } = layout;
  let at = putWord(shapes, from, -textOfType(shapes, type) - 1);
  at = putWord(shapes, at, packLayout(layout));
  at = putWord(shapes, at, dimensions.length);
  for (let i = 0; i < dimensions.length; i++) at = putNumber(shapes, at, (dimensions[i] ?? -1) + 1);
  return putNumber(shapes, at, size);
}

function textOfType({ texts, textOf }: Shapes, type: DataType): TextId {
  const known = textOf.get(type);
  if (known !== undefined) return known;
  const text = internText(texts, type.name);
  textOf.set(type, text);
  return text;
}

function putParameters(shapes: Shapes, from: number, parameters: readonly Parameter[]): number {
  let at = putWord(shapes, from, parameters.length);
  for (let i = 0; i < parameters.length; i++) {
    const parameter = parameters[i]!;
    const { name, layout, pointer } = parameter;
    at = putWord(shapes, at, parameterFlags(parameter));
    at = putLayout(shapes, putText(shapes, at, name), layout);
    if (pointer?.space !== undefined) at = putText(shapes, at, pointer.space);
    if (pointer?.align !== undefined) at = putAny(shapes, at, pointer.align);
  }
  return at;
}

function putDirective(
  shapes: Shapes,
  from: number,
  { name, values, strings }: CodeSymbol["directives"][number],
): number {
  let at = putWord(shapes, putText(shapes, from, name), values.length);
  for (let i = 0; i < values.length; i++) at = putAny(shapes, at, values[i]!);
  at = putWord(shapes, at, strings.length);
  for (let i = 0; i < strings.length; i++) at = putText(shapes, at, strings[i]!);
  return at;
}

function putUnified(shapes: Shapes, from: number, unified: readonly [bigint, bigint] | undefined): number {
  if (unified === undefined) return from;
  return putWide(shapes, putWide(shapes, from, unified[0]), unified[1]);
}
