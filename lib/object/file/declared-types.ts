// Decodes types of `.ptxkit.decl` to values: layouts, prototypes with directives, and fields of references. docs/format.md,
// "Declarations".

import type { Layout, Parameter, Prototype } from "../../isa/code.js";
import { opaqueFields, type OpaqueField } from "../../isa/opaque-fields.table.js";
import { dataType } from "../../isa/types.table.js";
import { computedSize, MAX_PACKED, parameterOf, unpackLayout } from "../code/layout-codec.js";
import type { CodeSymbol } from "../object.js";
import { failAt, readList, readNumber, readText, readWide, type Cursor } from "./declaration-words.js";

export function readLayout(cursor: Cursor): Layout {
  const { state, at } = cursor;
  const name = readText(cursor, "type");
  const type =
    dataType(name) ?? failAt(state, at, "malformed", `there is no type ${JSON.stringify(name.slice(0, 40))}`);
  const packed = readNumber(cursor, "alignment and vector length");
  if (packed > MAX_PACKED) failAt(state, at + 1, "malformed", `an alignment of 2^${packed >> 2} bytes`);
  const dimensions = readList(cursor, "dimensions", 1, () => {
    const bound = readNumber(cursor, "dimension");
    return bound === 0 ? undefined : bound - 1;
  });
  const size = readNumber(cursor, "size");
  const layout = unpackLayout(type, packed, dimensions, size);
  const computed = computedSize(layout);
  if (type.class !== "opaque" && type.class !== "predicate" && size !== computed)
    failAt(state, cursor.at - 1, "malformed", `a size of ${size} bytes for what takes ${computed}`);
  return layout;
}

function readParameter(cursor: Cursor): Parameter {
  const flags = readNumber(cursor, "kind of a parameter");
  return parameterOf(flags, {
    name: readText(cursor, "name of a parameter"),
    layout: readLayout(cursor),
    space: () => readText(cursor, "space of a pointer"),
    align: () => readNumber(cursor, "alignment of a pointer"),
  });
}

export function readPrototype(cursor: Cursor): Prototype {
  const noreturn = readNumber(cursor, "noreturn");
  if (noreturn > 1) failAt(cursor.state, cursor.at - 1, "out-of-range", `noreturn ${noreturn}: there are 2`);
  const list = () => readList(cursor, "parameters", 6, () => readParameter(cursor));
  const returns = list();
  return { returns, parameters: list(), noreturn: noreturn === 1 };
}

export const readDirectives = (cursor: Cursor): CodeSymbol["directives"] =>
  readList(cursor, "directives", 3, () => ({
    name: readText(cursor, "directive"),
    values: readList(cursor, "values", 1, () => readNumber(cursor, "value of a directive")),
    strings: readList(cursor, "texts of a directive", 1, () => readText(cursor, "text of a directive")),
  }));

export const readFields = (cursor: Cursor): readonly OpaqueField[] =>
  readList(cursor, "fields", 2, () => {
    const { state, at } = cursor;
    const row = opaqueFields[readNumber(cursor, "field")];
    const value = readWide(cursor, "value of a field");
    if (row === undefined) return failAt(state, at, "out-of-range", `a field: there are ${opaqueFields.length}`);
    if (value > 0xffff_ffffn) failAt(state, at, "out-of-range", `${row.name} = ${value} does not fit 32 bits`);
    return { name: row.name, value: Number(value) };
  });
