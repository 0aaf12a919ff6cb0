// Details of a fault in addition to its message: the instruction in PTX, the function and its callers, the values of the
// instruction's registers in the faulting lane, and the other lanes of the group that fail in the same way.

import { hasTrait, typeOf } from "../../isa/opcode.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { spaceOf } from "../../load/address-space.js";
import type { LoadedFunction } from "../../load/process.js";
import { BIND_SPACES } from "../operands/access.js";
import { callersOf, createInstructionText } from "../machine/instruction-text.js";
import type { Fault } from "../state/result.js";
import type { Frame } from "../state/frame.js";
import type { Group } from "../state/warp.js";
import { firstLane } from "../machine/warp.js";
import { lanesIn } from "../machine/walk.js";

export type Explanation = Pick<Fault, "column" | "ptx" | "function" | "callers" | "operands" | "lanes">;

export function explainFault({ frame, pc, mask }: Group, lane = firstLane(mask)): Explanation {
  const { fn } = frame.program;
  const instruction = fn.code.instructions[pc];
  const callers = callersOf(frame);
  const common = { function: fn.name, ...(callers.length === 0 ? {} : { callers }) };
  if (instruction === undefined) return common;
  const { process } = frame.warp.block.launch;
  const column = fn.code.locations[instruction.location]?.column;
  const lanes = failingLanes(frame, instruction, mask) & ~(1 << lane);
  return {
    ...common,
    ...(column === undefined || column === 0 ? {} : { column }),
    ptx: {
      file: fn.file,
      line: instruction.line,
      column: 1,
      instruction: createInstructionText(process)(fn, pc),
    },
    operands: operandsOf(frame, fn, instruction, lane),
    ...(lanes === 0 ? {} : { lanes: lanes >>> 0 }),
  };
}

const registersIn = (operand: Operand | undefined): readonly number[] => {
  switch (operand?.kind) {
    case "register":
      return [operand.register];
    case "vector":
    case "list":
      return operand.elements.flatMap(registersIn);
    case "pair":
      return [...registersIn(operand.first), ...registersIn(operand.second)];
    case "address":
    case "address-of":
      return [
        ...(operand.base.kind === "register" ? [operand.base.register] : []),
        ...(operand.kind === "address" ? operand.rest.flatMap(registersIn) : []),
      ];
    default:
      return [];
  }
};

function operandsOf(
  frame: Frame,
  fn: LoadedFunction,
  { opcode, operands, guard }: Instruction,
  lane: number,
): Readonly<Record<string, string>> {
  // Written operands have no value of interest, and generated code may not store them.
  const read = operands.filter((_, i) => opcode.form.operands[i]?.access !== "write");
  const registers = new Set([...read.flatMap(registersIn), ...(guard === undefined ? [] : [guard.register])]);
  return Object.fromEntries(
    [...registers].map((register) => [fn.code.registers[register]!.name, bitsOf(frame, register, lane)]),
  );
}

function bitsOf({ program, words, unsigned }: Frame, register: number, lane: number): string {
  const { word, stride } = program.registerPlace(register);
  if (stride === 0) return ((words[word]! >>> lane) & 1) === 0 ? "false" : "true";
  const { bits } = program.fn.code.registers[register]!.type;
  const mask = bits < 32 ? (1 << bits) - 1 : -1;
  const digits = Array.from({ length: stride }, (_, i) =>
    ((unsigned[word + stride * lane + i]! & mask) >>> 0).toString(16).padStart(Math.min(8, bits / 4), "0"),
  );
  return `0x${digits.reverse().join("")}`;
}

const accessing = ["load", "store", "atomic"] as const;

/** Lanes of a load, store or atomic operation whose address is in no memory, or misaligned. */
function failingLanes(frame: Frame, { opcode, operands }: Instruction, mask: number): number {
  if (!accessing.some((trait) => hasTrait(opcode, trait))) return 0;
  const type = typeOf(opcode);
  const operand = operands.find((each) => each?.kind === "address");
  if (type === undefined || operand?.kind !== "address" || operand.base.kind !== "register") return 0;
  const vector = operands.find((each) => each?.kind === "vector");
  const bytes = (type.bits / 8) * (vector?.kind === "vector" ? vector.elements.length : 1);
  const written = opcode.chosen.flatMap((text) => BIND_SPACES[text?.split("::")[0] ?? ""] ?? [])[0];
  const { word, stride } = frame.program.registerPlace(operand.base.register);
  const { process } = frame.warp.block.launch;
  let failing = 0;
  for (const lane of lanesIn(mask)) {
    const at = word + stride * lane;
    const high = stride === 2 && written !== "shared" ? frame.words[at + 1]! * 2 ** 32 : 0;
    const address = high + frame.unsigned[at]! + Number(operand.offset);
    const space = written ?? spaceOf(address, process.space) ?? "global";
    const isAllocated =
      space === "global"
        ? process.memory.find(address, bytes) !== undefined
        : space !== "shared" || written === undefined || address + bytes <= frame.warp.block.shared.byteLength;
    if (!isAllocated || address % bytes !== 0) failing |= 1 << lane;
  }
  return failing;
}
