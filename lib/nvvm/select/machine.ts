// PTX under construction: blocks of instructions over virtual registers in SSA form. Nothing here knows IR values.
//
// An instruction that is pure may be shared (number.ts) and dropped (clean-up.ts); one with an effect stays where it is.
// Registers that are assigned more than once (loops made by lowering) are mutable; what reads or writes one is not shared.

import type { Instruction as IrInstruction } from "../ir/instruction.js";
import type { RegisterClass } from "../lower/parts.js";

export interface Register {
  readonly kind: "register";
  readonly class: RegisterClass;
  /** In order of creation, from 0. */
  readonly id: number;
  readonly mutable: boolean;
  /** The unsigned value is below 2 to this power; the class's width if nothing is known. */
  zero: number;
  /** The signed value fits this many bits; the class's width if nothing is known. */
  sign: number;
}

export interface Literal {
  readonly kind: "literal";
  readonly class: RegisterClass;
  /** Unsigned, below 2 to the class's width. */
  readonly bits: bigint;
}

/** A symbol, a special register, a label. */
export interface Word {
  readonly kind: "word";
  readonly text: string;
}

/** `[base+offset]`. */
export interface Address {
  readonly kind: "address";
  readonly base: Register | Literal | Word;
  readonly offset: number;
}

/** `{a, b}`. */
export interface Group {
  readonly kind: "group";
  readonly elements: readonly Operand[];
}

export type Operand = Register | Literal | Word | Address | Group;

/** A part of an IR value. */
export type Scalar = Register | Literal;

export interface MachineInstruction {
  /**
   * `add.s32`; or, where it has a `$` or ends in `;` or a brace, the whole text with `$0`, `$1`, … for results and then operands. Several lines are
   * one instruction that nothing may come between.
   */
  readonly op: string;
  readonly results: readonly Register[];
  readonly operands: readonly Operand[];
  readonly guard: Register | undefined;
  readonly negated: boolean;
  /** Stays even if its results are unused. */
  readonly effect: boolean;
  readonly from: IrInstruction | undefined;
  /** For a plain load of one register that may be combined with its neighbours: alignment of its address in bytes. */
  readonly align?: number;
  /** Results tied to operands (inline assembly), by their numbers. leave-ssa.ts assigns both the same register, or copies. */
  readonly tied?: readonly (readonly [result: number, operand: number])[];
  /** For an instruction of several lines: each line's byte offset in the module, if it is not that of `from`. */
  readonly places?: (line: number) => number;
}

export interface Phi {
  readonly result: Register;
  /** By the index of the IR block that control comes from. */
  readonly incoming: Map<number, Scalar>;
}

export interface Exit {
  /** Taken if it is true (false, if `negated`); always, if undefined. */
  readonly guard: Register | undefined;
  readonly negated: boolean;
  readonly target: MachineBlock;
}

export interface MachineBlock {
  readonly id: number;
  /** Index of the IR block that contains it. */
  readonly origin: number;
  readonly instructions: MachineInstruction[];
  readonly phis: Phi[];
  /** In order; the last has no guard. Empty if the last instruction leaves the function. */
  exits: readonly Exit[];
  /** `brx.idx`: the exits are its targets in order. */
  table: Scalar | undefined;
  /** The IR instruction that ends it. */
  from: IrInstruction | undefined;
}

export const widths: Readonly<Record<RegisterClass, number>> = { p: 1, b16: 16, b32: 32, b64: 64, b128: 128 };

export const literal = (kind: RegisterClass, bits: bigint | number): Literal => ({
  kind: "literal",
  class: kind,
  bits: BigInt.asUintN(widths[kind], BigInt(bits)),
});

export const word = (text: string): Word => ({ kind: "word", text });

/** The literal as a signed number of its class. */
export const signedOf = (value: Literal): bigint => BigInt.asIntN(widths[value.class], value.bits);

export const isLiteral = (operand: Operand, bits: bigint): boolean =>
  operand.kind === "literal" && operand.bits === bits;

/** All registers that an operand reads. */
export function registersOf(operand: Operand): readonly Register[] {
  switch (operand.kind) {
    case "register":
      return [operand];
    case "address":
      return operand.base.kind === "register" ? [operand.base] : [];
    case "group":
      return operand.elements.flatMap(registersOf);
    default:
      return [];
  }
}

/** The operand with each of its registers replaced. */
export function mapRegisters(operand: Operand, map: (register: Register) => Scalar): Operand {
  switch (operand.kind) {
    case "register":
      return map(operand);
    case "address": {
      if (operand.base.kind !== "register") return operand;
      return { ...operand, base: map(operand.base) };
    }
    case "group":
      return { ...operand, elements: operand.elements.map((one) => mapRegisters(one, map)) };
    default:
      return operand;
  }
}

/** A key that is equal for equal operands. */
export function operandKey(operand: Operand): string {
  switch (operand.kind) {
    case "register":
      return `r${operand.id}`;
    case "literal":
      return `${operand.class}:${operand.bits}`;
    case "word":
      return operand.text;
    case "address":
      return `[${operandKey(operand.base)}+${operand.offset}]`;
    case "group":
      return `{${operand.elements.map(operandKey).join()}}`;
  }
}
