// Lint: a register that is read and never written, or that one instruction writes twice. This file decides whether a body may
// have one; the walk in lint-body.ts locates it.

import type { Code } from "../../isa/code.js";
import type { Operand } from "../../isa/instruction.js";
import type { Opcode, OperandShape } from "../../isa/opcode.js";
import { accessPlaces } from "./access.js";

/** How one body has used its registers so far. */
export interface RegisterUses {
  /** Whether an instruction wrote a register twice. */
  writesTwice: boolean;
  /** Number of instructions so far. */
  count: number;
  /** By register: twice the number of the instruction that last wrote it, from 1, plus 1 if it has been read. */
  readonly uses: number[];
}

export const createRegisterUses = (): RegisterUses => ({ writesTwice: false, count: 0, uses: [] });

export const READ = 1;
const WRITE = 2;

/** The use of an operand: READ, WRITE or both. */
const roleOf = ({ spec: { access } }: OperandShape): number =>
  (access === "write" ? 0 : READ) | (access === "read" ? 0 : WRITE);

/**
 * Operand number of a stored byte, or -1. Storing an unwritten byte does not count as a read: compilers copy the byte of an empty
 * class, whatever it contains.
 */
export function storedByte(opcode: Opcode): number {
  const places = accessPlaces(opcode);
  return opcode.form.traits.has("store") && places?.bytes === 1 ? places.value : -1;
}

/** The use of registers in each operand of an opcode. */
export function registerRoles(opcode: Opcode): readonly number[] {
  const byte = storedByte(opcode);
  return opcode.operands.map((shape, i) => (i === byte ? 0 : roleOf(shape)));
}

export function noteRegister(body: RegisterUses, register: number, role: number): void {
  const { uses, count } = body;
  while (uses.length <= register) uses.push(0);
  let use = uses[register]!;
  if ((role & READ) !== 0) use |= 1;
  if ((role & WRITE) !== 0) {
    if (use >> 1 === count) body.writesTwice = true;
    use = (count << 1) | (use & 1);
  }
  uses[register] = use;
}

/** Records the registers of an operand. */
export function noteOperand(body: RegisterUses, operand: Operand, role: number, shape: OperandShape): void {
  switch (operand.kind) {
    case "register":
      noteRegister(body, operand.register, role);
      return;
    case "address":
      if (operand.base.kind === "register") noteRegister(body, operand.base.register, READ);
      for (const one of operand.rest) noteOperand(body, one, READ, shape);
      return;
    case "vector":
    case "list":
      for (const one of operand.elements) noteOperand(body, one, role, shape);
      return;
    case "pair":
      noteOperand(body, operand.first, role, shape);
      noteOperand(body, operand.second, roleOf(shape.pair!), shape);
      return;
    default:
  }
}

/** Whether a register is read and never written, or written twice by one instruction. `body` must not be used afterwards. */
export function hasRegisterFinding({ writesTwice, uses }: RegisterUses, { variables, moduleRegisters }: Code): boolean {
  if (writesTwice) return true;
  for (let i = 0; i < variables.length; i++) {
    const { register } = variables[i]!;
    if (register !== undefined && register < uses.length) uses[register] = 0;
  }
  // Other functions may have written the module's registers.
  for (const { register } of moduleRegisters ?? []) if (register < uses.length) uses[register] = 0;
  return uses.includes(1);
}
