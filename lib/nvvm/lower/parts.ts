// Values as registers: each first-class value is a list of parts, one register each. Structures, arrays and vectors are split
// into leaves; an integer above 64 bits into words of 64, the lowest first. In memory the parts form leaves. A leaf is one
// scalar at its own offset, or a vector of elements that do not fill bytes (`<8 x i1>`, `<3 x i5>`), which LLVM packs bit by
// bit, element 0 in the lowest bits.

import type { DataLayout } from "../ir/layout.js";
import type { Type } from "../ir/type.js";

/** Registers have no number type: PTX accepts a `.b32` register for any 32-bit operand, floats included. */
export type RegisterClass = "p" | "b16" | "b32" | "b64" | "b128";

export interface Part {
  readonly class: RegisterClass;
  /** Bits of the value; those of the register above them are undefined. */
  readonly bits: number;
}

/** A contiguous unit in memory: consecutive parts of a value. */
export interface Leaf {
  /** Index of the first part, and number of parts. */
  readonly first: number;
  readonly count: number;
  /** Byte offset from the value's start. */
  readonly offset: number;
  /** Bits of the whole leaf. */
  readonly bits: number;
  /** Bits of each part, if the leaf is a packed vector; undefined for a scalar. */
  readonly elementBits: number | undefined;
}

export interface Shape {
  readonly parts: readonly Part[];
  readonly leaves: readonly Leaf[];
}

/** Values with more parts are refused: they would need as many registers. */
const mostParts = 65536;

/** The class of a scalar of that many bits, at most 64. */
export const classOf = (bits: number): RegisterClass =>
  bits <= 1 ? "p" : bits <= 16 ? "b16" : bits <= 32 ? "b32" : "b64";

const floatBits: Readonly<Record<string, number>> = { half: 16, bfloat: 16, float: 32, double: 64 };

/** Bits of an integer, float or pointer in a register; undefined for other types. A short pointer fills a whole address. */
export function scalarBits(type: Type, layout: DataLayout): number | undefined {
  if (type.kind === "integer") return type.bits;
  if (type.kind === "float") return floatBits[type.name] ?? 128;
  return type.kind === "pointer" ? layout.pointerBits : undefined;
}

/** Creates `shapeOf` for one layout; shapes are cached by type. */
export function createShapes(layout: DataLayout): (type: Type) => Shape {
  const known = new Map<Type, Shape>();

  function addScalar(bits: number, offset: number, parts: Part[], leaves: Leaf[]): void {
    const first = parts.length;
    for (let at = 0; at < bits; at += 64) {
      const here = Math.min(bits - at, 64);
      parts.push({ class: bits > 64 ? "b64" : classOf(here), bits: here });
    }
    leaves.push({ first, count: parts.length - first, offset, bits, elementBits: undefined });
  }

  /** Zeros fill the register of a short pointer, which has 32 bits in memory. */
  function addPointer(bits: number, offset: number, parts: Part[], leaves: Leaf[]): void {
    leaves.push({ first: parts.length, count: 1, offset, bits, elementBits: undefined });
    parts.push({ class: classOf(layout.pointerBits), bits });
  }

  function add(type: Type, offset: number, parts: Part[], leaves: Leaf[]): void {
    if (parts.length > mostParts) return;
    const bits = scalarBits(type, layout);
    if (type.kind === "pointer") addPointer(layout.bitsIn(type.space), offset, parts, leaves);
    else if (bits !== undefined) addScalar(bits, offset, parts, leaves);
    else if (type.kind === "struct") {
      const offsets = layout.offsets(type);
      type.fields?.forEach((field, i) => add(field, offset + offsets[i]!, parts, leaves));
    } else if (type.kind === "array") {
      const size = layout.allocSize(type.element) ?? 0;
      for (let i = 0; i < type.count && parts.length <= mostParts; i++)
        add(type.element, offset + i * size, parts, leaves);
    } else if (type.kind === "vector") {
      const { element: one } = type;
      const element = (one.kind === "pointer" ? layout.bitsIn(one.space) : scalarBits(one, layout)) ?? 0;
      if (one.kind === "pointer")
        for (let i = 0; i < type.count && parts.length <= mostParts; i++)
          addPointer(element, offset + (i * element) / 8, parts, leaves);
      else if (element % 8 === 0)
        for (let i = 0; i < type.count && parts.length <= mostParts; i++)
          addScalar(element, offset + (i * element) / 8, parts, leaves);
      else {
        const first = parts.length;
        for (let i = 0; i < type.count && parts.length <= mostParts; i++) addScalar(element, 0, parts, []);
        const total = element * type.count;
        leaves.push({ first, count: parts.length - first, offset, bits: total, elementBits: element });
      }
    }
  }

  return (type) => {
    let shape = known.get(type);
    if (shape === undefined) {
      const parts: Part[] = [];
      const leaves: Leaf[] = [];
      add(type, 0, parts, leaves);
      known.set(type, (shape = { parts, leaves }));
    }
    return shape;
  };
}

/** Number of parts of a value of the type. */
function partCount(type: Type, shapeOf: (type: Type) => Shape): number {
  return shapeOf(type).parts.length;
}

/** The first part of the element that the indices of extractvalue or insertvalue select, and its type. */
export function partsInside(
  type: Type,
  indices: readonly number[],
  shapeOf: (type: Type) => Shape,
): { readonly first: number; readonly type: Type } {
  let first = 0;
  let inside = type;
  for (const index of indices) {
    if (inside.kind === "struct") {
      for (const field of inside.fields!.slice(0, index)) first += partCount(field, shapeOf);
      inside = inside.fields![index]!;
    } else if (inside.kind === "array" || inside.kind === "vector") {
      first += index * partCount(inside.element, shapeOf);
      inside = inside.element;
    }
  }
  return { first, type: inside };
}
