// Rows of casts, and of aggregates and vectors, which are mostly renaming of parts.

import type {
  AggregateInstruction,
  CastInstruction,
  ShuffleInstruction,
  VectorInstruction,
} from "../ir/instruction.js";
import type { FloatName, Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { joinElements, regroup, takeApart, type Element } from "../lower/bits.js";
import { convertFloat } from "../lower/float.js";
import { floatToInteger, integerToFloat } from "../lower/float-integer.js";
import { choose, compare } from "../lower/integer.js";
import { classOf, partsInside, scalarBits } from "../lower/parts.js";
import { resizeWords, type Words } from "../lower/wide.js";
import { byElement, elementOf, floatTarget } from "./arithmetic.js";
import { literal, type Scalar } from "./machine.js";
import type { Lowering, Place, Selection } from "./selection.js";
import { isShort, ofShortBits, shortBits, wholeAddress } from "./short-pointers.js";
import { genericBits, partsOf, placeOf, pointerClass, spaceNames } from "./values.js";

const nameOf = (type: Type): FloatName => (elementOf(type) as { readonly name: FloatName }).name;

type Cast = (selection: Selection, value: Words, from: Type, to: Type) => Words;

const resized =
  (signed: boolean): Cast =>
  ({ emit, layout }, value, from, to) =>
    resizeWords(emit, value, scalarBits(from, layout)!, scalarBits(to, layout)!, signed);

const casts: Readonly<Record<string, Cast>> = {
  trunc: resized(false),
  zext: resized(false),
  sext: resized(true),
  ptrtoint: (selection, value, from, to) =>
    isShort(selection, from)
      ? resizeWords(selection.emit, [shortBits(selection, value[0]!)], 32, scalarBits(to, selection.layout)!, false)
      : resized(false)(selection, value, from, to),
  inttoptr: (selection, value, from, to) => {
    if (!isShort(selection, to)) return resized(false)(selection, value, from, to);
    const [bits] = resizeWords(selection.emit, value, scalarBits(from, selection.layout)!, 32, false);
    return [ofShortBits(selection, bits!)];
  },
  fptrunc: (selection, [value], from, to) => [convertFloat(floatTarget(selection), value!, nameOf(from), nameOf(to))],
  fpext: (selection, [value], from, to) => [convertFloat(floatTarget(selection), value!, nameOf(from), nameOf(to))],
  fptoui: (selection, [value], from, to) =>
    floatToInteger(floatTarget(selection), value!, nameOf(from), scalarBits(to, selection.layout)!, false),
  fptosi: (selection, [value], from, to) =>
    floatToInteger(floatTarget(selection), value!, nameOf(from), scalarBits(to, selection.layout)!, true),
  uitofp: (selection, value, from, to) => [
    integerToFloat(floatTarget(selection), value, scalarBits(from, selection.layout)!, nameOf(to), false),
  ],
  sitofp: (selection, value, from, to) => [
    integerToFloat(floatTarget(selection), value, scalarBits(from, selection.layout)!, nameOf(to), true),
  ],
  addrspacecast: (selection, [value], from, to) => [castSpace(selection, value!, from, to)],
};

/** cvta between a space and the generic one. */
function castSpace(selection: Selection, value: Scalar, from: Type, to: Type): Scalar {
  if (from.kind !== "pointer" || to.kind !== "pointer" || from.space === to.space) return value;
  const kind = pointerClass(selection);
  const suffix = `u${kind.slice(1)}`;
  const register = selection.emit.inRegister(wholeAddress(selection, value, from), kind);
  if (from.space !== 0 && to.space !== 0) return value;
  const space = spaceNames[from.space === 0 ? to.space : from.space];
  if (space === undefined || space === "") return value;
  return selection.emit.pure(`cvta${from.space === 0 ? ".to" : ""}.${space}.${suffix}`, kind, register);
}

export const lowerCast: Lowering<CastInstruction> = (selection, instruction) => {
  const { opcode, type, operands } = instruction;
  const from = operands[0]!.type;
  if (opcode === "bitcast") return lowerBitcast(selection, instruction);
  const extended = selection.extended.get(instruction);
  if (extended !== undefined) return [extended];
  if (opcode === "addrspacecast" && type.kind === "pointer") {
    const place = castPlace(selection, instruction);
    if (place !== undefined) {
      selection.places.set(instruction, place);
      return [genericBits(selection, place, type.space)];
    }
  }
  const cast = casts[opcode]!;
  return byElement(selection, type, operands, ([value]) => cast(selection, value!, elementOf(from), elementOf(type)));
};

/** If a pointer's address is known in one space, a cast between that space and the generic one keeps it. */
function castPlace(selection: Selection, { type, operands }: CastInstruction): Place | undefined {
  const [operand] = operands;
  if (type.kind !== "pointer" || operand!.type.kind !== "pointer") return undefined;
  const place = placeOf(selection, operand!);
  if (place.space === "" || place.space === "code") return undefined;
  return type.space === 0 || spaceNames[type.space] === place.space ? place : undefined;
}

const lowerBitcast: Lowering<CastInstruction> = (selection, instruction) => {
  const { type, operands } = instruction;
  const [operand] = operands;
  const parts = partsOf(selection, operand!);
  const from = operand!.type;
  if (type.kind === "pointer" && from.kind === "pointer") {
    const place = selection.places.get(operand!);
    // Between spaces a bitcast keeps the bits; their meaning is up to the program.
    if (place !== undefined && type.space === from.space) selection.places.set(instruction, place);
    return parts;
  }
  return reinterpret(selection, parts, from, type);
};

/** The same bits as another type. */
export function reinterpret(selection: Selection, parts: readonly Scalar[], from: Type, to: Type): readonly Scalar[] {
  const { emit, layout } = selection;
  const source = scalarBits(elementOf(from), layout)!;
  const target = scalarBits(elementOf(to), layout)!;
  if (source === target) return parts;
  const total = source * (from.kind === "vector" ? from.count : 1);
  if (source > 64) return takeApart(emit, parts, total, target);
  const elements = parts.map((value): Element => ({ value, bits: source }));
  return target > 64 ? joinElements(emit, elements) : regroup(emit, elements, target);
}

export const lowerAggregate: Lowering<AggregateInstruction> = (selection, { opcode, operands, indices }) => {
  const whole = partsOf(selection, operands[0]!);
  const { first, type } = partsInside(operands[0]!.type, indices, selection.shapeOf);
  const count = selection.shapeOf(type).parts.length;
  if (opcode === "extractvalue") return whole.slice(first, first + count);
  return [...whole.slice(0, first), ...partsOf(selection, operands[1]!), ...whole.slice(first + count)];
};

/** A variable index: a chain of selp over all elements. */
export const lowerVector: Lowering<VectorInstruction> = (selection, { opcode, operands }) => {
  const { emit, layout } = selection;
  const insert = opcode === "insertelement";
  const vector = operands[0]!.type;
  if (vector.kind !== "vector") return undefined;
  const whole = partsOf(selection, operands[0]!);
  const index = operands[insert ? 2 : 1]!;
  const count = whole.length / vector.count;
  const at = (i: number): readonly Scalar[] => whole.slice(i * count, (i + 1) * count);
  const inserted = insert ? partsOf(selection, operands[1]!) : [];
  const isAt = partsOf(selection, index)[0]!;
  const bits = scalarBits(index.type, layout)!;
  if (isAt.kind === "literal") {
    const i = isAt.bits < BigInt(vector.count) ? Number(isAt.bits) : 0;
    if (!insert) return at(i);
    return [...whole.slice(0, i * count), ...inserted, ...whole.slice((i + 1) * count)];
  }
  const isElement = (i: number): Scalar =>
    compare(emit, "eq", isAt, literal(classOf(Math.min(bits, 64)), i), Math.min(bits, 64));
  if (insert) {
    return Array.from({ length: vector.count }, (_, i) => {
      const here = isElement(i);
      return at(i).map((one, k) => choose(emit, here, inserted[k]!, one));
    }).flat();
  }
  let result = at(0);
  for (let i = 1; i < vector.count; i++) {
    const here = isElement(i);
    const element = at(i);
    result = result.map((one, k) => choose(emit, here, element[k]!, one));
  }
  return result;
};

export const lowerShuffle: Lowering<ShuffleInstruction> = (selection, { operands, mask, type }) => {
  const both = operands.flatMap((operand: Value) => partsOf(selection, operand));
  const from = operands[0]!.type;
  if (from.kind !== "vector") return undefined;
  const count = both.length / (2 * from.count);
  const zeros = selection.shapeOf(elementOf(type)).parts.map((part) => literal(part.class, 0n));
  return mask.flatMap((index) => (index < 0 ? zeros : both.slice(index * count, (index + 1) * count)));
};
