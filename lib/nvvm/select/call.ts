// Calls of functions, direct and by pointer, and the results of functions: values are passed in `.param` slots (abi.ts).

import { byvalType, callSignature, slotText, type Signature, type Slot } from "../abi.js";
import type { Function } from "../ir/global.js";
import type { CallInstruction } from "../ir/instruction.js";
import type { Value } from "../ir/value.js";
import { foldConstant } from "../globals/fold.js";
import { resize } from "../lower/integer.js";
import { storeParts } from "./access.js";
import { copyBytes } from "./copy.js";
import { word, type Operand, type Scalar } from "./machine.js";
import { loadSlot } from "./parameters.js";
import type { Lowering, Place, Selection } from "./selection.js";
import { wholeAddress } from "./short-pointers.js";
import { partsOf, placeOf, pointerClass, scalarOf } from "./values.js";

const paramPlace = (name: string): Place => ({ base: word(name), offset: 0, space: "param" });

/** Stores a value into a slot. */
function storeSlot(selection: Selection, slot: Slot, parts: readonly Scalar[], name: string): void {
  const { emit, shapeOf } = selection;
  const shape = shapeOf(slot.valueType);
  const place = paramPlace(name);
  if (slot.size !== undefined) {
    storeParts(selection, shape, parts, place, { mode: "", stays: false, align: slot.align });
    return;
  }
  const part = shape.parts[0]!;
  const isInteger = slot.valueType.kind === "integer";
  const width = slot.type === "b64" ? 64 : 32;
  const address = wholeAddress(selection, parts[0]!, slot.valueType);
  const value =
    isInteger && part.bits < width ? resize(emit, parts[0]!, part.bits, width, slot.extend === "sign") : address;
  const type = isInteger || part.bits >= 32 ? `b${width}` : "b16";
  emit.effect(`st.param.${type}`, [], [{ kind: "address", base: place.base, offset: 0 }, value]);
}

export const storeResult = (selection: Selection, slot: Slot, parts: readonly Scalar[]): void =>
  storeSlot(selection, slot, parts, "func_retval0");

/** The function that a callee finally refers to, if its type is the call's: through casts and aliases. */
export function calledFunction(selection: Selection, callee: Value): Function | undefined {
  if (callee.kind === "function") return callee;
  if (callee.kind !== "expression" && callee.kind !== "alias") return undefined;
  const folded = foldConstant(callee, selection.layout);
  return folded?.kind === "address" && folded.addend === 0n && folded.global.kind === "function"
    ? folded.global
    : undefined;
}

/** Alignment of parameters by `!callalign` or, for a direct call, the function's annotation. */
function alignmentsOf(
  selection: Selection,
  call: CallInstruction,
  fn: Function | undefined,
): ReadonlyMap<number, number> | undefined {
  const node = call.attachments.find(({ name }) => name === "callalign")?.node;
  if (node?.kind !== "node") return fn && selection.context.alignmentsOf(fn);
  const found = new Map<number, number>();
  for (const one of node.operands) {
    if (one?.kind !== "value" || one.value.kind !== "integer") continue;
    const number = Number(one.value.value);
    found.set(number >>> 16, number & 0xffff);
  }
  return found;
}

export const lowerCallOf: Lowering<CallInstruction> = (selection, call) => {
  const { emit, context } = selection;
  const fn = calledFunction(selection, call.callee);
  const direct = fn !== undefined && fn.valueType === call.functionType ? fn : undefined;
  const options = { ...context.abi, alignments: alignmentsOf(selection, call, fn) };
  const base = callSignature(call, options);
  const signature = direct === undefined ? base : withDeclaredSlots(selection, direct, call, base);
  emit.effect("{", [], []);
  const names: string[] = [];
  signature.parameters.forEach((slot, i) => {
    if (slot === undefined) return;
    const name = `param${i}`;
    names.push(name);
    emit.effect(`${slotText(slot, name)};`, [], []);
    passArgument(selection, call, slot, i, name);
  });
  if (signature.variadic) names.push(passFurther(selection, call));
  if (signature.result !== undefined) emit.effect(`${slotText(signature.result, "retval0")};`, [], []);
  emitCall(selection, call, direct, signature, names);
  const result =
    signature.result === undefined ? [] : loadSlot(selection, signature.result, paramPlace("retval0"), true);
  emit.effect("}", [], []);
  return result;
};

/** A direct call passes what the function's own header declares, even if call and header disagree on attributes. */
function withDeclaredSlots(selection: Selection, fn: Function, call: CallInstruction, base: Signature): Signature {
  const { context } = selection;
  const options = { ...context.abi, alignments: alignmentsOf(selection, call, fn) };
  const merged = fn.argumentAttributes.map((list, i) => [...list, ...(call.argumentAttributes[i] ?? [])]);
  const parameters = callSignature({ ...call, argumentAttributes: merged }, options).parameters;
  return { ...base, parameters };
}

function passArgument(selection: Selection, call: CallInstruction, slot: Slot, index: number, name: string): void {
  const argument = call.operands[index]!;
  if (!slot.byval) {
    storeSlot(selection, slot, partsOf(selection, argument), name);
    return;
  }
  const object = byvalType(argument.type, call.argumentAttributes[index]) ?? slot.valueType;
  const align = Math.min(slot.align, selection.layout.align(object));
  copyBytes(selection, paramPlace(name), placeOf(selection, argument), slot.size!, align);
}

/** Values after the last parameter, consecutively at their alignments. */
function passFurther(selection: Selection, call: CallInstruction): string {
  const { emit, layout, shapeOf } = selection;
  const named = call.functionType.parameters.length;
  const further = call.operands.slice(named);
  const objects = further.map((value, i) => byvalType(value.type, call.argumentAttributes[named + i]));
  let size = 0;
  const offsets = further.map((value, i) => {
    const type = objects[i] ?? value.type;
    const align = layout.align(type);
    const offset = Math.ceil(size / align) * align;
    size = offset + (layout.allocSize(type) ?? 0);
    return offset;
  });
  emit.effect(`.param .align 8 .b8 va[${Math.max(size, 1)}];`, [], []);
  further.forEach((value, i) => {
    const place = { ...paramPlace("va"), offset: offsets[i]! };
    const object = objects[i];
    if (object !== undefined) {
      const bytes = layout.allocSize(object) ?? 0;
      copyBytes(selection, place, placeOf(selection, value), bytes, Math.min(layout.align(object), 8));
      return;
    }
    const words = { mode: "", stays: false, align: Math.min(layout.align(value.type), 8) };
    storeParts(selection, shapeOf(value.type), partsOf(selection, value), place, words);
  });
  return "va";
}

function emitCall(
  selection: Selection,
  call: CallInstruction,
  direct: Function | undefined,
  signature: Signature,
  names: readonly string[],
): void {
  const { emit, context, declarations } = selection;
  const result = signature.result === undefined ? "" : "(retval0), ";
  const list = names.length === 0 ? "" : `, (${names.join(", ")})`;
  if (direct !== undefined) {
    const target = call.callee.kind === "alias" ? call.callee : direct;
    // A `$` in a name is not a placeholder.
    const name = context.nameOf(target).replaceAll("$", "$$$$");
    emit.effect(`call ${result}${name}${list};`, [], []);
    return;
  }
  const prototype = `prototype_${declarations.length}`;
  const slots = signature.parameters.flatMap((slot) => (slot === undefined ? [] : [slotText(slot, "_")]));
  if (signature.variadic) slots.push(".param .align 8 .b8 _[]");
  const returns = signature.result === undefined ? "" : `(${slotText(signature.result, "_")}) `;
  const takes = slots.length === 0 ? "()" : `(${slots.join(", ")})`;
  declarations.push(`${prototype}: .callprototype ${returns}_ ${takes};`);
  const target: Operand = emit.inRegister(scalarOf(selection, call.callee), pointerClass(selection));
  emit.effect(`call ${result}$0, ${names.length === 0 ? "()" : `(${names.join(", ")})`}, ${prototype};`, [], [target]);
}
