// The parts of any value, and the address of a pointer.
//
// A pointer has up to two forms: its bits in registers (`partsOf`), and a place (`placeOf`): base register or symbol, byte
// offset and state space, for memory instructions. A generic pointer that visibly comes from one space (a variable, an
// alloca, a cast) has a place in that space, as LLVM's InferAddressSpaces would find; its generic bits are made as well,
// and whichever is not needed is dropped.

import { foldConstant } from "../globals/fold.js";
import type { Alias, GlobalValue } from "../ir/global.js";
import type { Instruction } from "../ir/instruction.js";
import type { Constant, ConstantExpression, Value } from "../ir/value.js";
import { classOf, scalarBits, type RegisterClass } from "../lower/parts.js";
import { literal, word, type Register, type Scalar } from "./machine.js";
import type { Place, Selection } from "./selection.js";

export const spaceNames: Readonly<Record<number, string>> = {
  0: "",
  1: "global",
  3: "shared",
  4: "const",
  5: "local",
  101: "param",
};

export const pointerClass = (selection: Selection): RegisterClass => classOf(selection.layout.pointerBits);

/** Parts of a value that the dominator-tree walk has reached, or of a constant. */
export function partsOf(selection: Selection, value: Value): readonly Scalar[] {
  const known = selection.values.get(value);
  if (known !== undefined) return known;
  switch (value.kind) {
    case "integer":
    case "float":
    case "null":
    case "zero":
    case "undef":
    case "poison":
    case "none":
    case "aggregate":
    case "bytes":
    case "expression":
    case "variable":
    case "function":
    case "alias":
    case "ifunc":
      return constantParts(selection, value);
    default:
      // A value without code: in an unreachable block, or a token or metadata.
      return undefinedParts(selection, value);
  }
}

/** Zeros, for undef and poison. */
function undefinedParts(selection: Selection, value: Value): readonly Scalar[] {
  return selection.shapeOf(value.type).parts.map((part) => literal(part.class, 0n));
}

/** The only part of a scalar. */
export function scalarOf(selection: Selection, value: Value): Scalar {
  return partsOf(selection, value)[0]!;
}

function constantParts(selection: Selection, constant: Constant): readonly Scalar[] {
  switch (constant.kind) {
    case "integer":
    case "float": {
      const bits = constant.kind === "integer" ? constant.value : constant.bits;
      const parts = selection.shapeOf(constant.type).parts;
      return parts.map((part, i) => literal(part.class, bits >> BigInt(64 * i)));
    }
    case "aggregate":
      return constant.elements.flatMap((element) => partsOf(selection, element));
    case "bytes":
      return Array.from(constant.bytes, (byte) => literal("b16", byte));
    case "variable":
    case "function":
    case "alias":
    case "ifunc":
      return [genericBits(selection, placeOf(selection, constant), constant.type.space)];
    case "expression":
      return expressionParts(selection, constant);
    default:
      return undefinedParts(selection, constant);
  }
}

function expressionParts(selection: Selection, constant: ConstantExpression): readonly Scalar[] {
  const folded = foldConstant(constant, selection.layout);
  if (folded?.kind === "bits") {
    const bits = scalarBits(constant.type, selection.layout);
    if (bits !== undefined) {
      return selection
        .shapeOf(constant.type)
        .parts.map((part, i) => literal(part.class, folded.bits >> BigInt(64 * i)));
    }
  }
  return selection.lower(selection, asInstruction(constant)) ?? undefinedParts(selection, constant);
}

/** A constant expression is lowered like the instruction with its opcode. */
function asInstruction(constant: ConstantExpression): Instruction {
  const { opcode, type, operands, start, end, predicate, sourceType, indices } = constant;
  const made = { opcode, type, operands, start, end, predicate, sourceType, indices };
  return {
    ...made,
    kind: "instruction",
    flags: 0,
    index: -1,
    attachments: [],
    operandStarts: [],
  } as unknown as Instruction;
}

/** The variable or function that a name finally refers to; undefined for an alias at an offset. */
function aliased(global: GlobalValue): GlobalValue | undefined {
  let at: Constant = global;
  for (let steps = 0; steps < 64; steps++) {
    if (at.kind !== "alias" && at.kind !== "ifunc")
      return at.kind === "variable" || at.kind === "function" ? at : undefined;
    at = (at as Alias).aliasee;
  }
  return undefined;
}

/** The address that memory instructions of this pointer use. */
export function placeOf(selection: Selection, pointer: Value): Place {
  const known = selection.places.get(pointer);
  if (known !== undefined) return known;
  const constant = constantPlace(selection, pointer);
  if (constant !== undefined) return constant;
  const space = pointer.type.kind === "pointer" ? (spaceNames[pointer.type.space] ?? "") : "";
  const bits = scalarOf(selection, pointer);
  const base = selection.emit.inRegister(bits, pointerClass(selection));
  return { base, offset: 0, space };
}

function constantPlace(selection: Selection, pointer: Value): Place | undefined {
  if (pointer.kind === "function") return { base: word(selection.context.nameOf(pointer)), offset: 0, space: "code" };
  if (pointer.kind === "variable") {
    const space = selection.context.spaceOf(pointer);
    return { base: word(selection.context.nameOf(pointer)), offset: 0, space };
  }
  if (pointer.kind === "alias" || pointer.kind === "ifunc") {
    const global = aliased(pointer);
    if (global?.kind === "function" && pointer.kind === "alias") {
      return { base: word(selection.context.nameOf(pointer)), offset: 0, space: "code" };
    }
    return placeOf(selection, global ?? (pointer as Alias).aliasee);
  }
  if (pointer.kind !== "expression") return undefined;
  const folded = foldConstant(pointer, selection.layout);
  if (pointer.type.kind !== "pointer" || folded?.kind !== "address" || folded.from !== 0) return undefined;
  if (folded.bytes * 8 < selection.layout.bitsIn(pointer.type.space)) return undefined;
  const place = placeOf(selection, folded.global);
  const offset = place.offset + Number(folded.addend);
  // A bitcast between spaces does not convert: the generic pointer is then not known to be in the space.
  const typed = spaceNames[pointer.type.space];
  if (!folded.generic && typed === "" && place.space !== "code") return undefined;
  return { ...place, offset };
}

/** The address in the place's own space, in a register. */
export function specificBits(selection: Selection, { base, offset }: Place): Register {
  const { emit } = selection;
  const kind = pointerClass(selection);
  const register = base.kind === "register" ? base : emit.pure(`mov.${kind}`, kind, base);
  return offset === 0 ? register : emit.pure(`add.s${kind.slice(1)}`, kind, register, literal(kind, offset));
}

/** A place's address for a pointer of the IR space `space`: generic (cvta) where that is 0. */
export function genericBits(selection: Selection, place: Place, space: number): Register {
  const { emit } = selection;
  const kind = pointerClass(selection);
  if (space !== 0 || place.space === "" || place.space === "code") return specificBits(selection, place);
  const start = specificBits(selection, { ...place, offset: 0 });
  if (place.space === "param") selection.context.needVersion(77);
  const generic = emit.pure(`cvta.${place.space}.u${kind.slice(1)}`, kind, start);
  return specificBits(selection, { base: generic, offset: place.offset, space: "" });
}

/** The place with offset in the range of PTX's address operands. */
export function addressable(selection: Selection, place: Place): Place {
  if (place.offset >= -0x80000000 && place.offset <= 0x7fffffff) return place;
  return { ...place, base: specificBits(selection, place), offset: 0 };
}
