// Interns the types of symbols that the assembler made, with the same words that types.ts reads from .ptxkit.decl.

import type { Layout, Parameter } from "../../isa/code.js";
import { opaqueFields } from "../../isa/opaque-fields.table.js";
import type { DataType } from "../../isa/types.table.js";
import { packLayout, parameterFlags } from "../code/layout-codec.js";
import type { CodeSymbol, ReferenceSymbol, VariableSymbol } from "../object.js";
import { finishType, putLarge, putWide, putWord, type TypeId, type TypeTable } from "./types.js";
import { internString, type StringId } from "./strings.js";

export function typeOfVariable(types: TypeTable, { layout, scope, aliasOf, unified }: VariableSymbol): TypeId {
  const from = types.start[types.count]!;
  let at = putLayout(types, from, layout);
  if (scope !== undefined) at = putText(types, at, scope);
  if (aliasOf !== undefined) at = putWord(types, putText(types, at, aliasOf.base), aliasOf.offset);
  return finishType(types, from, putUnified(types, at, unified));
}

export function typeOfFunction(types: TypeTable, { prototype, directives, unified }: CodeSymbol): TypeId {
  const from = types.start[types.count]!;
  let at = putWord(types, from, prototype.noreturn ? 1 : 0);
  at = putParameters(types, at, prototype.returns);
  at = putParameters(types, at, prototype.parameters);
  at = putWord(types, at, directives.length);
  for (let i = 0; i < directives.length; i++) at = putDirective(types, at, directives[i]!);
  return finishType(types, from, putUnified(types, at, unified));
}

const NO_FIELDS: NonNullable<ReferenceSymbol["fields"]> = [];

export function typeOfReference(types: TypeTable, { fields = NO_FIELDS }: ReferenceSymbol): TypeId {
  const from = types.start[types.count]!;
  let at = putWord(types, from, fields.length);
  for (const { name, value } of fields) {
    at = putWord(
      types,
      at,
      opaqueFields.findIndex((row) => row.name === name),
    );
    at = putWide(types, at, BigInt(value));
  }
  return finishType(types, from, at);
}

const LARGE = 2 ** 31;

/** Writes a bound or a size. */
const putNumber = (types: TypeTable, at: number, value: number): number =>
  value < LARGE ? putWord(types, at, value) : putLarge(types, at, value);

/** Writes a number of variable width, where no later word is found by its position. */
const putAny = (types: TypeTable, at: number, value: number): number =>
  value < LARGE ? putWord(types, at, value) : putWide(types, at, BigInt(value));

const putText = (types: TypeTable, at: number, text: string): number =>
  putWord(types, at, -internString(types.strings, text) - 1);

function putLayout(types: TypeTable, from: number, layout: Layout): number {
  const { type, dimensions, size } = layout;
  let at = putWord(types, from, -textOfType(types, type) - 1);
  at = putWord(types, at, packLayout(layout));
  at = putWord(types, at, dimensions.length);
  for (let i = 0; i < dimensions.length; i++) at = putNumber(types, at, (dimensions[i] ?? -1) + 1);
  return putNumber(types, at, size);
}

function textOfType({ strings, nameOf }: TypeTable, type: DataType): StringId {
  const known = nameOf.get(type);
  if (known !== undefined) return known;
  const text = internString(strings, type.name);
  nameOf.set(type, text);
  return text;
}

function putParameters(types: TypeTable, from: number, parameters: readonly Parameter[]): number {
  let at = putWord(types, from, parameters.length);
  for (let i = 0; i < parameters.length; i++) {
    const parameter = parameters[i]!;
    const { name, layout, pointer } = parameter;
    at = putWord(types, at, parameterFlags(parameter));
    at = putLayout(types, putText(types, at, name), layout);
    if (pointer?.space !== undefined) at = putText(types, at, pointer.space);
    if (pointer?.align !== undefined) at = putAny(types, at, pointer.align);
  }
  return at;
}

function putDirective(
  types: TypeTable,
  from: number,
  { name, values, strings }: CodeSymbol["directives"][number],
): number {
  let at = putWord(types, putText(types, from, name), values.length);
  for (let i = 0; i < values.length; i++) at = putAny(types, at, values[i]!);
  at = putWord(types, at, strings.length);
  for (let i = 0; i < strings.length; i++) at = putText(types, at, strings[i]!);
  return at;
}

function putUnified(types: TypeTable, from: number, unified: readonly [bigint, bigint] | undefined): number {
  if (unified === undefined) return from;
  return putWide(types, putWide(types, from, unified[0]), unified[1]);
}
