// Derives where the value of an address register comes from, from the text of a function alone. Unoptimised code reaches
// variables through generic addresses in registers. So does code that compilers cannot follow. Most of these registers are
// written once, from the address of one variable and constants. Then the place of an access is as well known as if it named the
// variable.

import type { Instruction, Operand } from "../../isa/instruction.js";
import { hasModifier, typeOf } from "../../isa/opcode.js";
import { type AddressSpace, windowBase } from "../../load/address-space.js";
import type { LoadedFunction } from "../../load/process.js";
import { isInteger } from "../meanings/meaning.js";
import type { Program } from "../state/frame.js";
import { isParameter } from "./operands.js";
import type { RegisterUse } from "../operands/registers.js";

export type Origin =
  /** An offset in a variable of the frame, as a local or a generic address. */
  | { readonly kind: "frame"; readonly variable: number; readonly offset: number; readonly isGeneric: boolean }
  /** The address of a symbol plus constants. */
  | { readonly kind: "symbol"; readonly value: number }
  /** A generic address, most likely in local memory. */
  | { readonly kind: "local" };

/** The origin of a register's value at one instruction; undefined if it is not known. */
export type OriginOf = (register: number) => Origin | undefined;

/** Longest chain of definitions that is followed. */
const LONGEST_CHAIN = 64;

const NEVER = -1;
const SEVERAL = -2;

/** For each register the pc of the only instruction that writes it, for all lanes; NEVER or SEVERAL otherwise. */
function definitionsOf(
  instructions: readonly Instruction[],
  registers: number,
  registersAt: (pc: number) => RegisterUse,
): Int32Array {
  const definitions = new Int32Array(registers).fill(NEVER);
  instructions.forEach(({ guard }, pc) => {
    for (const register of registersAt(pc).writes)
      definitions[register] = definitions[register] === NEVER && guard === undefined ? pc : SEVERAL;
  });
  return definitions;
}

/** Control flow, as far as origins depend on it. */
interface Lines {
  /** Numbers instructions so that control reaches one from an earlier one of the same number only through all between. */
  readonly lineOf: Int32Array;
  /** Every lane past an instruction before this index has executed that instruction. */
  readonly firstBranch: number;
}

function linesOf({ instructions, branchTargets }: LoadedFunction["code"]): Lines {
  const lineOf = new Int32Array(instructions.length + 1);
  for (const { targets } of branchTargets) for (const target of targets) lineOf[target] = 1;
  let firstBranch = instructions.length;
  instructions.forEach(({ operands }, pc) => {
    for (const operand of operands) {
      if (operand?.kind !== "label" && operand?.kind !== "table") continue;
      firstBranch = Math.min(firstBranch, pc);
      if (operand.kind === "label") lineOf[operand.target] = 1;
    }
  });
  for (let pc = 1; pc < lineOf.length; pc++) lineOf[pc]! += lineOf[pc - 1]!;
  return { lineOf, firstBranch };
}

export function createOrigins(
  program: Program,
  space: AddressSpace,
  registersAt: (pc: number) => RegisterUse,
): (pc: number) => OriginOf {
  const { code, slots } = program.fn;
  const { instructions } = code;
  let known: (Lines & { readonly definitions: Int32Array }) | undefined;
  const text = (): NonNullable<typeof known> =>
    (known ??= { ...linesOf(code), definitions: definitionsOf(instructions, code.registers.length, registersAt) });
  /** Whether every lane at `pc` has executed `from`. */
  const isBehind = (from: number, pc: number): boolean => {
    const { lineOf, firstBranch } = text();
    return from < pc && (lineOf[from] === lineOf[pc] || (from < firstBranch && lineOf[from] === lineOf[0]));
  };

  const originOf = (register: number, pc: number, left: number): Origin | undefined => {
    const from = text().definitions[register]!;
    if (from < 0 || left === 0 || !isBehind(from, pc)) return undefined;
    const instruction = instructions[from]!;
    // Half of a register is not an address; neither is a sum of floats.
    const type = typeOf(instruction.opcode);
    if (type?.bits !== space.bits || instruction.operands[0]?.kind !== "register") return undefined;
    const ofOperand = (operand: Operand | undefined): Origin | undefined => {
      if (operand?.kind === "register") return originOf(operand.register, from, left - 1);
      return operand?.kind === "address-of" ? ofAddress(operand) : undefined;
    };
    const ofAddress = ({ base, offset }: Operand & { readonly kind: "address-of" }): Origin | undefined => {
      switch (base.kind) {
        case "symbol":
          return shifted({ kind: "symbol", value: slots[base.symbol]!.value }, offset);
        case "variable":
          return isParameter(program, base.variable)
            ? undefined
            : shifted({ kind: "frame", variable: base.variable, offset: 0, isGeneric: false }, offset);
        case "register":
          return shifted(originOf(base.register, from, left - 1), offset);
        case "absolute":
          return undefined;
      }
    };
    return made[instruction.opcode.form.opcode]?.(instruction, ofOperand, space);
  };
  return (pc) => (register) => originOf(register, pc, LONGEST_CHAIN);
}

function shifted(origin: Origin | undefined, by: bigint): Origin | undefined {
  const bytes = Number(BigInt.asIntN(64, by));
  if (Math.abs(bytes) >= 2 ** 31) return undefined;
  switch (origin?.kind) {
    case "frame":
      return { ...origin, offset: origin.offset + bytes };
    case "symbol":
      return { kind: "symbol", value: origin.value + bytes };
    default:
      return origin;
  }
}

type Make = (
  instruction: Instruction,
  ofOperand: (operand: Operand | undefined) => Origin | undefined,
  space: AddressSpace,
) => Origin | undefined;

const isLocal = (origin: Origin | undefined): boolean =>
  origin?.kind === "local" || (origin?.kind === "frame" && origin.isGeneric);

const sum =
  (sign: 1n | -1n): Make =>
  ({ opcode, operands }, ofOperand) => {
    if (!isInteger(typeOf(opcode)!) || hasModifier(opcode, "cc") || hasModifier(opcode, "sat")) return undefined;
    const [, a, b] = operands;
    if (b?.kind === "immediate") return shifted(ofOperand(a), sign * b.bits);
    if (isLocal(ofOperand(a)) || (sign === 1n && isLocal(ofOperand(b)))) return { kind: "local" };
    return a?.kind === "immediate" && sign === 1n ? shifted(ofOperand(b), a.bits) : undefined;
  };

/** By opcode: the origin of the result. */
const made: Readonly<Record<string, Make | undefined>> = {
  mov: ({ operands }, ofOperand) => ofOperand(operands[1]),
  add: sum(1n),
  sub: sum(-1n),
  cvta: ({ opcode, operands }, ofOperand, layout) => {
    const origin = ofOperand(operands[1]);
    const isTo = hasModifier(opcode, "to");
    if (hasModifier(opcode, "local")) {
      if (origin?.kind === "frame") return origin.isGeneric === isTo ? { ...origin, isGeneric: !isTo } : undefined;
      return isTo ? undefined : { kind: "local" };
    }
    if (origin?.kind !== "symbol") return undefined;
    if (hasModifier(opcode, "global")) return origin;
    const space = (["shared", "const"] as const).find((each) => hasModifier(opcode, each));
    return space && { kind: "symbol", value: origin.value + (isTo ? -1 : 1) * windowBase(space, layout) };
  },
};
