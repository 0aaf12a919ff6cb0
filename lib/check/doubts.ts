// Whether a body that is right may deserve advice: looked at while its instructions are made, with no more than registers'
// numbers at hand, so that the walk of advice.ts, which knows places and words, is for the few bodies that give it something
// to say. A doubt may turn out to be none; what there is to advise on is never without one.

import type { Code, FrameVariable } from "../isa/code.js";
import type { Guard, Instruction, Operand } from "../isa/instruction.js";
import type { Opcode, OperandShape } from "../isa/opcode.js";
import { isConstantBank } from "../isa/state-spaces.table.js";
import type { DataType } from "../isa/types.table.js";
import type { Operand as OperandNode } from "../ptx/tree.js";
import { fitsBits, planOf, type Plan } from "./advice.js";
import type { Constant } from "../ptx/constant.js";
import type { ModuleSymbol } from "./module.js";

/** What has been seen of one body. */
export interface Doubts {
  /** Whether there is one already. */
  found: boolean;
  /** Instructions so far. */
  count: number;
  /** By register: twice the number of the instruction that last wrote it, from 1, and one more when it has been read. */
  readonly uses: number[];
}

export const createDoubts = (): Doubts => ({ found: false, count: 0, uses: [] });

const READ = 1;
const WRITE = 2;

/** What is looked at in instructions of one opcode. */
export interface Habits {
  /** By place: READ, WRITE or both. */
  readonly roles: readonly number[];
  readonly plan: Plan | undefined;
}

const roleOf = ({ spec: { access } }: OperandShape): number =>
  (access === "write" ? 0 : READ) | (access === "read" ? 0 : WRITE);

export function habitsOf(opcode: Opcode): Habits {
  const plan = planOf(opcode);
  // Storing a byte that nothing wrote is no use of it: advice.ts.
  const roles = opcode.operands.map((shape, i) => (i === plan?.access?.stored ? 0 : roleOf(shape)));
  return { roles, plan };
}

/** Looks at the next instruction of the body. */
export function lookAt(
  doubts: Doubts,
  { opcode, guard, operands }: Instruction,
  habits: Habits,
  variables: readonly FrameVariable[],
  symbols: readonly ModuleSymbol[],
): void {
  beginLook(doubts, guard);
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i];
    if (operand !== undefined) noteOperand(doubts, operand, habits.roles[i]!, opcode.operands[i]!);
  }
  endLook(doubts, habits, operands, variables, symbols);
}

/** The same for whoever goes through the operands himself: the beginning of a look, and its end, with each operand noted between. */
export function beginLook(doubts: Doubts, guard: Guard | undefined): void {
  doubts.count++;
  if (guard !== undefined) noteRegister(doubts, guard.register, READ);
}

export function endLook(
  doubts: Doubts,
  { plan }: Habits,
  operands: readonly (Operand | undefined)[],
  variables: readonly FrameVariable[],
  symbols: readonly ModuleSymbol[],
): void {
  if (plan !== undefined && isDoubtful(plan, operands, variables, symbols)) doubts.found = true;
}

/** `role`: one of the roles of its opcode's habits. */
export function noteRegister(doubts: Doubts, register: number, role: number): void {
  const { uses, count } = doubts;
  while (uses.length <= register) uses.push(0);
  let use = uses[register]!;
  if ((role & READ) !== 0) use |= 1;
  if ((role & WRITE) !== 0) {
    if (use >> 1 === count) doubts.found = true;
    use = (count << 1) | (use & 1);
  }
  uses[register] = use;
}

/** Notes the registers of an operand. */
export function noteOperand(doubts: Doubts, operand: Operand, role: number, shape: OperandShape): void {
  switch (operand.kind) {
    case "register":
      noteRegister(doubts, operand.register, role);
      return;
    case "address":
      if (operand.base.kind === "register") noteRegister(doubts, operand.base.register, READ);
      for (const one of operand.rest) noteOperand(doubts, one, READ, shape);
      return;
    case "vector":
    case "list":
      for (const one of operand.elements) noteOperand(doubts, one, role, shape);
      return;
    case "pair":
      noteOperand(doubts, operand.first, role, shape);
      noteOperand(doubts, operand.second, roleOf(shape.pair!), shape);
      return;
    default:
  }
}

/** What a plan asks, with plain numbers: offsets that they cannot hold are in doubt. */
function isDoubtful(
  { access, shift, divisor }: Plan,
  operands: readonly (Operand | undefined)[],
  variables: readonly FrameVariable[],
  symbols: readonly ModuleSymbol[],
): boolean {
  if (access !== undefined) {
    const address = operands[access.address];
    if (address?.kind !== "address") return false;
    const { base } = address;
    const declared =
      base.kind === "variable" ? variables[base.variable] : base.kind === "symbol" ? symbols[base.symbol] : undefined;
    if (declared === undefined || !("layout" in declared)) return false;
    // The size of one is not in its declaration.
    if ("space" in declared && isConstantBank(declared.space)) return true;
    const { size, align } = declared.layout;
    const offset = Number(address.offset);
    return !(
      access.bytes <= align &&
      offset >= 0 &&
      offset % access.bytes === 0 &&
      (size === 0 || offset + access.bytes <= size)
    );
  }
  const place = shift?.count ?? divisor;
  const value = place === undefined ? undefined : operands[place];
  if (value?.kind !== "immediate") return false;
  return shift === undefined ? value.bits === 0n : value.bits >= BigInt(shift.bits);
}

const infinities: ReadonlySet<bigint> = new Set([0x7f80_0000n, 0xff80_0000n]);

/** Whether a constant may be another value than was written once it has the bits of its place. */
export function mayLoseBits(type: DataType | undefined, value: Constant, bits: bigint): boolean {
  if (type === undefined) return false;
  if (type.class === "float") return type.bits === 32 && value.kind !== "f32-bits" && infinities.has(bits);
  if (value.kind !== "integer" || type.class === "predicate" || type.bits >= 64) return false;
  return !(value.value === bits || fitsBits(value.value, type.bits));
}

/** The same of an instruction's operands as they are written. */
export function hasLargeConstant(nodes: readonly OperandNode[]): boolean {
  return nodes.some((node) => {
    if (node.kind === "vector") return hasLargeConstant(node.elements);
    if (node.kind === "pair") return hasLargeConstant([node.first, node.second]);
    return node.kind === "constant" && !(node.value.kind === "integer" && node.value.value < 128n);
  });
}

/** Whether the body is one that advice.ts should look at. */
export function isInDoubt({ found, uses }: Doubts, { variables, moduleRegisters }: Code): boolean {
  if (found) return true;
  for (let i = 0; i < variables.length; i++) {
    const { register } = variables[i]!;
    if (register !== undefined && register < uses.length) uses[register] = 0;
  }
  // Other functions may have written those of the module.
  for (const { register } of moduleRegisters ?? []) if (register < uses.length) uses[register] = 0;
  return uses.includes(1);
}
