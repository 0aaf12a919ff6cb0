// Rows of loads, stores and fences.

import type { FenceInstruction, Instruction, LoadInstruction, StoreInstruction } from "../ir/instruction.js";
import type { Type } from "../ir/type.js";
import { resize } from "../lower/integer.js";
import { classOf, scalarBits } from "../lower/parts.js";
import { addressAt, loadParts, storeParts, type AccessWords } from "./access.js";
import { spaceSuffix } from "./copy.js";
import { widths, type Scalar } from "./machine.js";
import { emitFence, fenceBefore, scopeOf } from "./orders.js";
import { onlyUser, type Lowering, type Place, type Selection } from "./selection.js";
import { partsOf, placeOf } from "./values.js";

const alignOf = (selection: Selection, stated: number | undefined, type: Type): number =>
  stated ?? selection.layout.align(type);

/** Spaces that no other thread writes, in which order has no meaning. */
const isPrivate = (space: string): boolean => ["const", "param", "local"].includes(space);

function wordsOf(
  selection: Selection,
  instruction: LoadInstruction | StoreInstruction,
  place: Place,
  type: Type,
): AccessWords {
  const { ordering, scope, volatile, align } = instruction;
  const bytes = alignOf(selection, align, type);
  const other = isPrivate(place.space);
  if (ordering !== undefined && !other && selection.context.arch >= 70 && scopeOf(scope) !== "") {
    const isLoad = instruction.opcode === "load";
    const weak = ordering === "monotonic" || ordering === "unordered";
    const mode = weak ? ".relaxed" : isLoad ? ".acquire" : ".release";
    return {
      mode: `${mode}.${scopeOf(scope)}`,
      stays: true,
      align: Math.max(bytes, selection.layout.storeSize(type) ?? 1),
    };
  }
  const stays = volatile || ordering !== undefined;
  return { mode: stays && !other ? ".volatile" : "", stays, align: bytes };
}

export const lowerLoad: Lowering<LoadInstruction> = (selection, instruction) => {
  const { type, operands, attachments, ordering, scope } = instruction;
  const variables = selection.promotion.accesses.get(instruction);
  if (variables !== undefined) return selection.variables.read(variables);
  const place = placeOf(selection, operands[0]!);
  if (ordering !== undefined && !isPrivate(place.space)) fenceBefore(selection, ordering, scope);
  const words = wordsOf(selection, instruction, place, type);
  const wide = words.stays ? undefined : loadExtended(selection, instruction, place, words);
  if (wide !== undefined) return wide;
  const bits = scalarBits(type, selection.layout);
  if (bits === 128 && words.mode !== "" && words.mode !== ".volatile") return loadWhole(selection, place, words.mode);
  const unchanging = attachments.some(({ name }) => name === "invariant.load");
  const isReadOnly = unchanging && place.space === "global" && !words.stays;
  return loadParts(selection, selection.shapeOf(type), place, isReadOnly ? { ...words, mode: ".nc" } : words);
};

/** Atomic 128 bits: one instruction (PTX ISA 8.3). */
function loadWhole(selection: Selection, place: Place, mode: string): readonly Scalar[] {
  const { emit, context } = selection;
  context.needVersion(83);
  const whole = emit.read(`ld${mode}${spaceSuffix(place.space)}.b128`, "b128", addressAt(selection, place, 0));
  return emit.pureMany("mov.b128 {$0, $1}, $2;", ["b64", "b64"], whole);
}

/** A load of 8 or 16 bits that only an extension uses extends by itself. */
function loadExtended(
  selection: Selection,
  instruction: LoadInstruction,
  place: Place,
  words: AccessWords,
): readonly Scalar[] | undefined {
  const { type } = instruction;
  if (type.kind !== "integer" || (type.bits !== 8 && type.bits !== 16) || words.align * 8 < type.bits) return undefined;
  const user = onlyUser(selection, instruction);
  if (user?.opcode !== "zext" && user?.opcode !== "sext") return undefined;
  if (user.type.kind !== "integer" || user.type.bits > 64) return undefined;
  const { emit, extended } = selection;
  const kind = classOf(Math.max(user.type.bits, 16));
  const signed = user.opcode === "sext";
  const op = `ld${words.mode}${spaceSuffix(place.space)}.${signed ? "s" : "u"}${type.bits}`;
  const [value] = emit.unshared(op, [kind], addressAt(selection, place, 0));
  if (signed) value!.sign = type.bits;
  else Object.assign(value!, { zero: type.bits, sign: type.bits + 1 });
  extended.set(user, value!);
  return [resize(emit, value!, widths[kind], type.bits, false)];
}

export const lowerStore: Lowering<StoreInstruction> = (selection, instruction) => {
  const { operands, ordering, scope } = instruction;
  const [value, pointer] = operands;
  const variables = selection.promotion.accesses.get(instruction);
  if (variables !== undefined) {
    selection.variables.write(variables, partsOf(selection, value!));
    return undefined;
  }
  const place = placeOf(selection, pointer!);
  if (ordering !== undefined && !isPrivate(place.space)) fenceBefore(selection, ordering, scope);
  const words = wordsOf(selection, instruction, place, value!.type);
  const bits = scalarBits(value!.type, selection.layout);
  if (bits === 128 && words.mode !== "" && words.mode !== ".volatile")
    storeWhole(selection, instruction, place, words.mode);
  else if (!storeTruncated(selection, value as Instruction, place, words)) {
    storeParts(selection, selection.shapeOf(value!.type), partsOf(selection, value!), place, words);
  }
  return undefined;
};

function storeWhole(selection: Selection, { operands }: StoreInstruction, place: Place, mode: string): void {
  const { emit, context } = selection;
  context.needVersion(83);
  const parts = partsOf(selection, operands[0]!).map((one) => emit.inRegister(one, "b64"));
  const whole = emit.pure("mov.b128", "b128", { kind: "group", elements: parts });
  emit.effect(`st${mode}${spaceSuffix(place.space)}.b128`, [], [addressAt(selection, place, 0), whole]);
}

/** The low bytes of a wider register need no trunc: st accepts them. */
function storeTruncated(selection: Selection, value: Instruction, place: Place, words: AccessWords): boolean {
  if (value.kind !== "instruction" || value.opcode !== "trunc" || value.type.kind !== "integer") return false;
  const source = value.operands[0]!;
  const { bits } = value.type;
  if (![8, 16, 32].includes(bits) || words.align * 8 < bits) return false;
  if (source.type.kind !== "integer" || source.type.bits > 64) return false;
  const wide = partsOf(selection, source)[0]!;
  if (wide.kind === "literal") return false;
  const type = bits === 8 ? "u8" : `b${bits}`;
  selection.emit.effect(
    `st${words.mode}${spaceSuffix(place.space)}.${type}`,
    [],
    [addressAt(selection, place, 0), wide],
  );
  return true;
}

export const lowerFence: Lowering<FenceInstruction> = (selection, { ordering, scope }) => {
  emitFence(selection, ordering, scope);
  return undefined;
};
