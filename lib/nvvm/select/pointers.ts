// Rows that make pointers: getelementptr and alloca.
//
// A getelementptr is a base register plus a constant offset, which memory instructions take directly; sums of its
// variable indices are shared among those with the same base and indices.

import { flag, type AllocaInstruction, type ElementPointerInstruction, type Instruction } from "../ir/instruction.js";
import type { Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { resize } from "../lower/integer.js";
import { scalarBits } from "../lower/parts.js";
import { literal, widths, word, type Register, type Scalar } from "./machine.js";
import type { Lowering, Place, Selection } from "./selection.js";
import { genericBits, partsOf, placeOf, pointerClass, scalarOf, specificBits } from "./values.js";

/** Offsets extracted from an index must leave room for others. */
const mostOffset = 2 ** 30;

/** An index as a scalar times a size, plus bytes. */
interface Scaled {
  readonly value: Value;
  /** How it is extended to a pointer's width; undefined if it has that width. */
  readonly letter: "s" | "u" | undefined;
  /** To be added to the value. */
  readonly plus: number;
}

const numberOf = (value: Value): number | undefined =>
  value.kind === "integer"
    ? Number(BigInt.asIntN(value.type.bits, value.value))
    : value.kind === "zero"
      ? 0
      : undefined;

/** A sum with a constant that commutes with the extension of its operand. */
function openSum(value: Value, needed: number): { readonly rest: Value; readonly plus: number } | undefined {
  if (value.kind !== "instruction") return undefined;
  const isSum = value.opcode === "add" || (value.opcode === "or" && (value.flags & flag.disjoint) !== 0);
  if (!isSum || (value.opcode === "add" && (value.flags & needed) !== needed)) return undefined;
  const plus = numberOf(value.operands[1]!);
  return plus === undefined ? undefined : { rest: value.operands[0]!, plus };
}

function scaledIndex(index: Value, pointerBits: number, layoutBits: number): Scaled {
  if (layoutBits < pointerBits) {
    const sum = openSum(index, flag.nsw);
    return sum === undefined
      ? { value: index, letter: "s", plus: 0 }
      : { value: sum.rest, letter: "s", plus: sum.plus };
  }
  const outer = layoutBits === pointerBits ? openSum(index, 0) : undefined;
  const inner = outer?.rest ?? index;
  const plus = outer?.plus ?? 0;
  if (inner.kind === "instruction" && (inner.opcode === "sext" || inner.opcode === "zext")) {
    const source = inner.operands[0]!;
    const signed = inner.opcode === "sext" || (inner.flags & flag.nneg) !== 0;
    if (source.type.kind === "integer" && source.type.bits > 1) {
      const sum = openSum(source, inner.opcode === "sext" ? flag.nsw : flag.nuw);
      const letter = signed && inner.opcode === "sext" ? "s" : "u";
      return { value: sum?.rest ?? source, letter, plus: plus + (sum?.plus ?? 0) };
    }
  }
  return { value: inner, letter: undefined, plus };
}

/** base + index · size. */
function addScaled(selection: Selection, base: Register, scaled: Scaled, size: number): Register {
  const { emit, layout } = selection;
  const kind = pointerClass(selection);
  const bits = layout.pointerBits;
  const value = scalarOf(selection, scaled.value);
  const from = scalarBits(scaled.value.type, layout)!;
  const { letter } = scaled;
  if (letter !== undefined && bits === 64 && from === 32 && value.kind === "register" && size < 2 ** 31) {
    return emit.pure(`mad.wide.${letter}32`, kind, value, literal("b32", size), base);
  }
  const wide = resize(emit, value, Math.min(from, 64), bits, letter !== "u");
  return addProduct(selection, base, wide, size);
}

function addProduct(selection: Selection, base: Register, wide: Scalar, size: number): Register {
  const { emit } = selection;
  const kind = pointerClass(selection);
  const type = `s${widths[kind]}`;
  const shift = Math.log2(size);
  if (size === 1) return emit.pure(`add.${type}`, kind, base, wide);
  if (wide.kind === "register" && !Number.isInteger(shift)) {
    return emit.pure(`mad.lo.${type}`, kind, wide, literal(kind, size), base);
  }
  const product =
    wide.kind === "literal"
      ? literal(kind, wide.bits * BigInt(size))
      : emit.pure(`shl.b${widths[kind]}`, kind, wide, literal("b32", shift));
  return emit.pure(`add.${type}`, kind, base, product);
}

/** The address that indices select, starting from another. */
function stepPlace(selection: Selection, start: Place, sourceType: Type, indices: readonly Value[]): Place {
  const { layout } = selection;
  let { base, offset } = start;
  let type: Type = sourceType;
  const add = (index: Value, size: number): void => {
    const number = numberOf(index);
    if (number !== undefined) offset += number * size;
    else if (size !== 0) {
      const bits = scalarBits(index.type, layout)!;
      let scaled = scaledIndex(index, layout.pointerBits, bits);
      if (Math.abs(scaled.plus * size) > mostOffset)
        scaled = { value: index, letter: bits < layout.pointerBits ? "s" : undefined, plus: 0 };
      offset += scaled.plus * size;
      base = addScaled(selection, specificBits(selection, { base, offset: 0, space: start.space }), scaled, size);
    }
  };
  indices.forEach((index, i) => {
    if (i === 0) add(index, layout.allocSize(type) ?? 0);
    else if (type.kind === "struct") {
      const field = Number(index.kind === "integer" ? index.value : 0n);
      offset += layout.offsets(type)[field]!;
      type = type.fields![field]!;
    } else if (type.kind === "array" || type.kind === "vector") {
      type = type.element;
      add(index, layout.allocSize(type) ?? 0);
    }
  });
  return { base, offset, space: start.space };
}

export const lowerElementPointer: Lowering<ElementPointerInstruction> = (selection, instruction) => {
  const { type, operands, sourceType } = instruction;
  if (type.kind === "vector") return vectorPointers(selection, instruction, type.count);
  if (type.kind !== "pointer") return undefined;
  const [base, ...indices] = operands;
  const place = stepPlace(selection, placeOf(selection, base!), sourceType, indices);
  if (Number.isSafeInteger(place.offset)) selection.places.set(instruction, place);
  return [genericBits(selection, place, type.space)];
};

/** A vector of pointers: each element's own sum. */
function vectorPointers(
  selection: Selection,
  { operands, sourceType }: ElementPointerInstruction,
  count: number,
): readonly Scalar[] {
  const { emit, layout } = selection;
  const kind = pointerClass(selection);
  const element = (value: Value, i: number): Scalar => {
    const parts = partsOf(selection, value);
    return value.type.kind === "vector" ? parts[i]! : parts[0]!;
  };
  return Array.from({ length: count }, (_, i) => {
    let sum = emit.inRegister(element(operands[0]!, i), kind);
    let type: Type = sourceType;
    operands.slice(1).forEach((index, k) => {
      const bits = scalarBits(index.type.kind === "vector" ? index.type.element : index.type, layout)!;
      const value = element(index, i);
      if (k > 0 && type.kind === "struct") {
        const field = Number(value.kind === "literal" ? value.bits : 0n);
        const offset = layout.offsets(type)[field]!;
        if (offset !== 0) sum = emit.pure(`add.s${widths[kind]}`, kind, sum, literal(kind, offset));
        type = type.fields![field]!;
        return;
      }
      if (k > 0 && (type.kind === "array" || type.kind === "vector")) type = type.element;
      const wide = resize(emit, value, Math.min(bits, 64), layout.pointerBits, true);
      sum = addProduct(selection, sum, wide, layout.allocSize(type) ?? 0);
    });
    return sum;
  });
}

export const depotName = "__local_depot";

export const lowerAlloca: Lowering<AllocaInstruction> = (selection, instruction) => {
  const { layout, frame, emit, promotion } = selection;
  if (promotion.allocas.has(instruction)) return undefined;
  const { allocatedType, operands, align: stated, type } = instruction;
  const align = Math.max(stated ?? 1, layout.align(allocatedType));
  const size = layout.allocSize(allocatedType) ?? 0;
  const count = operands[0] === undefined ? 1 : numberOf(operands[0]);
  const space = type.kind === "pointer" ? type.space : 0;
  let place: Place;
  if (count === undefined) place = dynamicPlace(selection, instruction, size, align);
  else {
    const offset = Math.ceil(frame.size / align) * align;
    frame.size = offset + Math.max(size * count, 1);
    frame.align = Math.max(frame.align, align);
    place = { base: word(depotName), offset, space: "local" };
  }
  selection.places.set(instruction, place);
  emit.from = instruction;
  return [genericBits(selection, place, space)];
};

/** Memory whose size is known only at run time: PTX's alloca (PTX ISA 7.3). */
function dynamicPlace(selection: Selection, { operands }: Instruction, size: number, align: number): Place {
  const { emit, layout, context } = selection;
  const kind = pointerClass(selection);
  context.needVersion(73);
  const [count] = operands;
  const bits = scalarBits(count!.type, layout)!;
  const wide = resize(emit, scalarOf(selection, count!), Math.min(bits, 64), layout.pointerBits, false);
  const bytes = emit.pure(`mul.lo.s${widths[kind]}`, kind, emit.inRegister(wide, kind), literal(kind, size));
  const base = emit.register(kind);
  emit.effect(`alloca.u${widths[kind]} $0, $1, ${align};`, [base], [bytes]);
  return { base, offset: 0, space: "local" };
}
