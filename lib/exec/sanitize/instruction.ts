// Input of an instruction's watch: the instruction, its operands' places, and the addresses that its meaning has bound.

import type { Operand } from "../../isa/instruction.js";
import { isConstantBank } from "../../isa/state-spaces.table.js";
import type { Opcode } from "../../isa/opcode.js";
import type { Watched } from "../operands/watched.js";
import type { Frame, Place } from "../state/frame.js";
import type { Group, Warp } from "../state/warp.js";
import type { LaunchContext } from "./context.js";
import type { Scope } from "./order.js";
import { shadowOf } from "./register-shadow.js";
import type { BoundTarget } from "../operands/target.js";
import { addLocal, addParameter, slotObject } from "./objects.js";

/** Checks an instruction before it executes, for the lanes whose guard holds: at least one. */
export type WatchLanes = (context: LaunchContext, warp: Warp, group: Group, active: number) => void;

export type WatchOf = (watched: Watched) => WatchLanes | undefined;

/** The operand of that name; undefined if the form has none, or it is omitted. */
export function operandNamed({ opcode, instruction }: Watched, name: string): Operand | undefined {
  const index = opcode.form.operands.findIndex((spec) => spec.name === name);
  return index < 0 ? undefined : instruction.operands[index];
}

export function targetNamed({ opcode, targets }: Watched, name: string): BoundTarget | undefined {
  const index = opcode.form.operands.findIndex((spec) => spec.name === name);
  return targets.find(({ operand }) => operand === index);
}

/** The place of a register; undefined for other operands. */
export function placeOfOperand({ places }: Watched, operand: Operand | undefined): Place | undefined {
  return operand?.kind === "register" ? places.register(operand.register, operand.selector) : undefined;
}

/** An integer operand of up to 32 bits, by lane. */
export function numberOf(watched: Watched, operand: Operand | undefined, fallback: number) {
  if (operand?.kind === "immediate") {
    const value = Number(BigInt.asUintN(32, operand.bits));
    return (): number => value;
  }
  const place = placeOfOperand(watched, operand);
  return (frame: Frame, lane: number): number =>
    place === undefined ? fallback : frame.unsigned[place.word + place.stride * lane]!;
}

export const scopeOf = ({ chosen }: Opcode): Scope => (chosen.includes("cta") ? 0 : chosen.includes("cluster") ? 1 : 2);

/** Returns the object that the instruction's address derives from in a lane. */
export function objectOfTarget(
  context: LaunchContext,
  watched: Watched,
  target: BoundTarget,
): (frame: Frame, lane: number) => number {
  const operand = watched.instruction.operands[target.operand];
  // Constant banks have their own addresses, each beginning at 0.
  if (operand?.kind !== "address" || watched.opcode.chosen.some((text) => text !== undefined && isConstantBank(text)))
    return () => 0;
  const { base } = operand;
  switch (base.kind) {
    case "register": {
      const { register } = target.shape;
      return (frame, lane) =>
        register === undefined ? 0 : shadowOf(frame).object[register.word + register.stride * lane]!;
    }
    case "symbol":
      return ({ warp, program: { fn } }) => slotObject(context.objects, warp.block.launch, fn.slots[base.symbol]!);
    case "variable":
      return (frame) => objectOfVariable(context, watched, frame, base.variable);
    case "absolute":
      return () => 0;
  }
}

/** The object of a frame's variable, or of a kernel's parameter. */
export function objectOfVariable(context: LaunchContext, { places }: Watched, frame: Frame, variable: number): number {
  const { locals } = shadowOf(frame);
  const known = locals.get(variable);
  if (known !== undefined) return known;
  const { name, layout } = frame.program.fn.code.variables[variable]!;
  const isParameter = places.isKernelParameter(variable);
  const base = (isParameter ? 0 : frame.localBase) + places.variableOffsets[variable]!;
  if (layout.size === 0) return 0;
  const id = isParameter
    ? addParameter(context.objects, name, base, layout.size)
    : addLocal(context.objects, name, base, layout.size);
  locals.set(variable, id);
  return id;
}
