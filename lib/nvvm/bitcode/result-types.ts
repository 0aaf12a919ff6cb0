// Types of results that bitcode omits: of element addresses, comparisons, and parts of aggregates.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { Type, TypeTable } from "../ir/type.js";
import type { Value } from "../ir/value.js";

/** Applies `make` to a scalar type, or to the element type of a vector. */
function mapVector(table: TypeTable, type: Type, make: (scalar: Type) => Type): Type {
  return type.kind === "vector" ? table.vector(type.count, make(type.element), type.scalable) : make(type);
}

/** i1, or a vector of it. */
export const comparisonType = (table: TypeTable, type: Type): Type => mapVector(table, type, () => table.integer(1));

/** The pointee of a typed pointer, or of each of a vector of them; undefined for opaque ones. */
export function pointeeOf(type: Type): Type | undefined {
  const scalar = type.kind === "vector" ? type.element : type;
  return scalar.kind === "pointer" ? scalar.pointee : undefined;
}

/** The type of part `index` of an aggregate. */
function partType(type: Type, index: number, offset: number): Type {
  if (type.kind === "array" && (index < type.count || index === 0)) return type.element;
  if (type.kind === "struct" && type.fields?.[index] !== undefined) return type.fields[index];
  if (type.kind !== "array" && type.kind !== "struct")
    return malformed("malformed", offset, "an index into a type that is neither an array nor a structure");
  if (Number.isNaN(index)) return malformed("malformed", offset, "the index of a structure's field is not a constant");
  return malformed("malformed", offset, `index ${index} is past the end of the aggregate`);
}

export function partAt(type: Type, indices: readonly number[], offset: number): Type {
  if (indices.length === 0) malformed("malformed", offset, "a part of an aggregate without an index");
  return indices.reduce((part, index) => partType(part, index, offset), type);
}

/** The number of a field, or NaN if the value is not a constant. */
function fieldNumber(value: Value): number {
  if (value.kind === "integer") return Number(value.value);
  if (value.kind === "zero") return 0;
  if (value.kind === "aggregate") {
    const [first] = value.elements;
    return first === undefined ? NaN : fieldNumber(first);
  }
  return NaN;
}

/** The address that `getelementptr source, base, indices` gives. */
export function elementPointerType(
  table: TypeTable,
  source: Type,
  base: Type,
  indices: readonly Value[],
  offset: number,
): Type {
  const pointer = base.kind === "vector" ? base.element : base;
  if (pointer.kind !== "pointer")
    return malformed("malformed", offset, "getelementptr of something that is not a pointer");
  let result: Type = pointer;
  if (pointer.pointee !== undefined) {
    let pointee = source;
    for (const index of indices.slice(1)) {
      if (pointee.kind === "vector") pointee = pointee.element;
      else pointee = partType(pointee, pointee.kind === "array" ? 0 : fieldNumber(index), offset);
    }
    result = table.pointer(pointer.space, pointee);
  }
  const vector = [base, ...indices.map(({ type }) => type)].find(({ kind }) => kind === "vector");
  return vector?.kind === "vector" ? table.vector(vector.count, result, vector.scalable) : result;
}
