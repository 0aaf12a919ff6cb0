// Types of results that the text omits: of getelementptr, compares, vector and aggregate operations.

import type { Type, VectorType } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import type { Parser } from "./state.js";
import { pointerTo } from "./types.js";

const vectorOf = (type: Type): VectorType | undefined => (type.kind === "vector" ? type : undefined);

/** i1, or a vector of it with the operands' length. */
export function compareType({ types }: Parser, operand: Type): Type {
  const one = types.integer(1);
  const vector = vectorOf(operand);
  return vector === undefined ? one : types.vector(vector.count, one, vector.scalable);
}

/**
 * The pointer type of a getelementptr; undefined if the indices do not fit the type. The base's type is as written: a global
 * may come later in the text.
 */
export function elementPointerType(p: Parser, source: Type, base: Type, indices: readonly Value[]): Type | undefined {
  let vector = vectorOf(base);
  const pointer = vector?.element ?? base;
  if (pointer.kind !== "pointer") return undefined;
  for (const index of indices) {
    // A global is not a valid index, whatever its type will be.
    if (index.type === undefined) return undefined;
    const wide = vectorOf(index.type);
    if ((wide?.element ?? index.type).kind !== "integer") return undefined;
    vector ??= wide;
  }
  let type: Type | undefined = source;
  for (const index of indices.slice(1)) type = type === undefined ? undefined : stepInto(type, index);
  if (type === undefined) return undefined;
  const made = pointerTo(p, pointer.space, type);
  return vector === undefined ? made : p.types.vector(vector.count, made, vector.scalable);
}

function stepInto(type: Type, index: Value): Type | undefined {
  if (type.kind === "array" || type.kind === "vector") return type.element;
  if (type.kind !== "struct") return undefined;
  const field = fieldOf(index);
  return field === undefined ? undefined : type.fields?.[field];
}

/** The number of a constant that selects a structure's field: i32, or a vector of equal ones. */
function fieldOf(index: Value): number | undefined {
  if (index.kind === "integer") return index.type.bits === 32 ? Number(index.value) : undefined;
  if (index.kind === "zero") return 0;
  if (index.kind !== "aggregate") return undefined;
  const [first] = index.elements.map(fieldOf);
  return index.elements.every((element) => fieldOf(element) === first) ? first : undefined;
}

/** The type at some indices of an aggregate; undefined if there is none. */
export function memberType(aggregate: Type, indices: readonly number[]): Type | undefined {
  let type: Type | undefined = aggregate;
  for (const index of indices) {
    if (type?.kind === "struct") type = type.fields?.[index];
    else if (type?.kind === "array") type = index < type.count ? type.element : undefined;
    else return undefined;
  }
  return type;
}

/** The elements that a shuffle's mask selects, -1 for undefined ones; undefined if the value is not a mask. */
export function maskOf(mask: Value): readonly number[] | undefined {
  if (mask.type.kind !== "vector" || mask.type.element.kind !== "integer" || mask.type.element.bits !== 32)
    return undefined;
  const { count } = mask.type;
  switch (mask.kind) {
    case "zero":
      return new Array<number>(count).fill(0);
    case "undef":
    case "poison":
      return new Array<number>(count).fill(-1);
    case "aggregate":
      return mask.elements.map((element) => (element.kind === "integer" ? Number(element.value) : -1));
    default:
      return undefined;
  }
}
