// The function's own arguments: loaded from their slots at the start of the body. A byval argument is memory. It is read in
// place if the body only reads it; otherwise it is a copy in the frame (kernels) or the slot's own address, which is in local
// memory in PTX (PTX ISA 5.1.6.4).

import { functionSignature, parameterName, type Slot } from "../abi.js";
import type { Argument } from "../ir/value.js";
import type { Value } from "../ir/value.js";
import { resize } from "../lower/integer.js";
import { classOf, scalarBits, type RegisterClass } from "../lower/parts.js";
import { loadParts } from "./access.js";
import { copyBytes } from "./copy.js";
import { widths, word, type Scalar } from "./machine.js";
import { depotName } from "./pointers.js";
import type { Place, Selection } from "./selection.js";
import { genericBits, pointerClass } from "./values.js";

export function openArguments(selection: Selection): void {
  const { fn, context, kernel, values } = selection;
  const signature = functionSignature(fn, kernel, { ...context.abi, alignments: context.alignmentsOf(fn) });
  fn.arguments.forEach((argument, i) => {
    const slot = signature.parameters[i];
    if (slot === undefined) {
      values.set(argument, []);
      return;
    }
    const place: Place = { base: word(parameterName(context.nameOf(fn), i)), offset: 0, space: "param" };
    if (slot.byval) openObject(selection, argument, slot, place);
    else values.set(argument, loadSlot(selection, slot, place, false));
  });
}

/** The value of a slot: of a parameter or a call's result. */
export function loadSlot(selection: Selection, slot: Slot, place: Place, stays: boolean): readonly Scalar[] {
  const shape = selection.shapeOf(slot.valueType);
  if (slot.size !== undefined) return loadParts(selection, shape, place, { mode: "", stays, align: slot.align });
  const { emit } = selection;
  const part = shape.parts[0]!;
  const bytes = part.bits <= 8 ? 1 : part.bits <= 16 ? 2 : part.bits <= 32 ? 4 : 8;
  const kind: RegisterClass = classOf(Math.max(bytes * 8, 16));
  const type = bytes === 1 ? "u8" : `b${bytes * 8}`;
  const address = { kind: "address", base: place.base, offset: place.offset } as const;
  const op = `ld.param.${type}`;
  const value = stays ? emit.read(op, kind, address) : emit.pure(op, kind, address);
  if (bytes === 1) value.zero = 8;
  if (part.class === "p") return [resize(emit, value, widths[kind], 1, false)];
  // The upper half of a short pointer's slot is undefined.
  return [widths[part.class] > widths[kind] ? resize(emit, value, part.bits, widths[part.class], false) : value];
}

function openObject(selection: Selection, argument: Argument, slot: Slot, passed: Place): void {
  const { emit, frame, kernel, places, values, layout } = selection;
  const kind = pointerClass(selection);
  let place = passed;
  if (!isOnlyRead(selection, argument)) {
    if (kernel) {
      const offset = Math.ceil(frame.size / slot.align) * slot.align;
      frame.size = offset + slot.size!;
      frame.align = Math.max(frame.align, slot.align);
      place = { base: word(depotName), offset, space: "local" };
      copyBytes(selection, place, passed, slot.size!, slot.align);
    } else place = { base: emit.pure(`mov.${kind}`, kind, passed.base), offset: 0, space: "local" };
  }
  places.set(argument, place);
  const space = argument.type.kind === "pointer" ? argument.type.space : 0;
  if (place.space !== "param") values.set(argument, [genericBits(selection, place, space)]);
  else values.set(argument, [emit.pure(`mov.${kind}`, kind, passed.base)]);
  if (scalarBits(argument.type, layout) === undefined) values.set(argument, []);
}

/** Whether a pointer, and those derived from it by getelementptr, are only used by plain loads. */
function isOnlyRead({ body, flow }: Selection, argument: Argument): boolean {
  const pointers = new Set<Value>([argument]);
  for (const index of flow.order) {
    for (const one of body.blocks[index]!.instructions) {
      const uses = one.operands.some((operand) => pointers.has(operand));
      if (!uses) continue;
      if (one.opcode === "getelementptr" || one.opcode === "bitcast") pointers.add(one);
      else if (one.opcode === "call") {
        if (one.callee.kind !== "function" || !/^llvm\.(lifetime|dbg|invariant|assume)/.test(one.callee.name))
          return false;
      } else if (one.opcode !== "load" || one.ordering !== undefined) return false;
    }
  }
  return true;
}
