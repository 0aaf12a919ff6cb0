// Operands of an instruction with their values in a lane.

import type { Frame } from "../exec/state/frame.js";
import type { Instruction, Operand } from "../isa/instruction.js";
import { modifier, type OperandShape } from "../isa/opcode.js";
import type { DataType } from "../isa/types.table.js";
import { dataType } from "../isa/types.table.js";
import { specialRegister } from "../exec/machine/special.js";
import { registerValue, type Value, valueText } from "./values.js";

/** A register or special register that an instruction reads or writes, with the type that the instruction uses. */
interface Named {
  readonly name: string;
  readonly value: (frame: Frame, lane: number) => Value;
}

export interface OperandNames {
  readonly reads: readonly Named[];
  readonly writes: readonly Named[];
}

/** Operands by name, in the order of the instruction; the guard comes first. */
export function operandsOf(frame: Frame, instruction: Instruction): OperandNames {
  const reads = new Map<string, Named>();
  const writes = new Map<string, Named>();
  const add = (operand: Operand | undefined, shape: OperandShape | undefined, type: DataType | undefined): void => {
    switch (operand?.kind) {
      case "register": {
        const { register } = operand;
        const selector =
          operand.selector !== undefined && /^[xyzwrgba]$/.test(operand.selector) ? operand.selector : undefined;
        const own = frame.program.fn.code.registers[register]?.name ?? "?";
        const name = selector === undefined ? own : `${own}.${selector}`;
        const named = {
          name,
          value: (at: Frame, lane: number): Value => registerValue(at, register, lane, type, selector),
        };
        const access = shape?.spec.access ?? "read";
        if (access !== "write") reads.set(name, named);
        if (access !== "read") writes.set(name, named);
        return;
      }
      case "special":
        reads.set(`%${operand.name.replace(/^%/, "")}`, specialNamed(operand.name));
        return;
      case "vector":
      case "list":
        operand.elements.forEach((element, i) => add(element, shape, shape?.elements?.[i] ?? type));
        return;
      case "pair":
        add(operand.first, shape, type);
        add(operand.second, shape?.pair ?? shape, shape?.pair?.type ?? type);
        return;
      case "address":
      case "address-of":
        if (operand.base.kind === "register")
          add({ kind: "register", register: operand.base.register }, undefined, undefined);
        if (operand.kind === "address")
          operand.rest.forEach((each, i) => add(each, shape?.rest[i], shape?.rest[i]?.type));
        return;
      default:
        return;
    }
  };
  if (instruction.guard !== undefined)
    add({ kind: "register", register: instruction.guard.register }, undefined, undefined);
  instruction.operands.forEach((operand, i) => {
    const shape = instruction.opcode.operands[i];
    add(operand, shape, shape?.type ?? dataType(modifier(instruction.opcode, "type") ?? ""));
  });
  return { reads: [...reads.values()], writes: [...writes.values()] };
}

function specialNamed(name: string): Named {
  const special = specialRegister(name);
  return {
    name: `%${name.replace(/^%/, "")}`,
    value(frame, lane) {
      const type = dataType(special?.bits === 64 ? "u64" : "u32")!;
      const value = special?.value(frame, lane) ?? 0;
      return { type, bits: BigInt.asUintN(type.bits, BigInt(value)) };
    },
  };
}

/** The operands' values in a lane as text. */
export const textsOf = (named: readonly Named[], frame: Frame, lane: number): Readonly<Record<string, string>> =>
  Object.fromEntries(named.map(({ name, value }) => [name, valueText(value(frame, lane))]));
