// The loops that ptxas unrolls. Found by the size of the code that ptxas 13.0 makes for sm_90 of one loop at a time, with and
// without `.pragma "nounroll"`. Single-block loops whose trip count is known at their entry become four copies of their body
// (and two and one for the rest) if the body is small. Loads raise the bound, since their copies overlap; two atomics of 32-bit
// integers prevent unrolling. Of 60 kernels with loops, most of them already unrolled by the compiler, eight are affected.

import type { Code } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import type { LoweredInstruction } from "./lowered.js";
import { operandRegisters } from "./operands.js";

/** Copies of the body. */
export const UNROLLED = 4;

/**
 * Limits on the instructions of a body without loads, added for each load of shared memory, and of a body that loads from
 * global memory.
 */
const MAX_PLAIN = 21;
const MORE_PER_SHARED_LOAD = 4;
const MAX_SHARED_LOADS = 32;
const MAX_FAR = 48;

type Lowered = Pick<LoweredInstruction, "kind" | "ops" | "form" | "instruction" | "order">;

/** Whether the region from `from` to `to` is a loop that is unrolled. */
export function isUnrolled(code: Code, lowered: readonly Lowered[], from: number, to: number): boolean {
  if (!closesLoop(lowered[to]!, from)) return false;
  if (code.pragmas.some(({ before, text }) => before >= from && before <= to && text === "nounroll")) return false;
  const body = lowered.slice(from, to + 1);
  if (body.filter(isJoined).length > 1) return false;
  return isCounted(body) && sizeOf(body) <= mostOf(body);
}

/**
 * Atomics whose operands a warp may sum before: 32-bit integers. Exchanges, floating point and 64 bits do not prevent
 * unrolling.
 */
function isJoined({ kind, instruction: { opcode } }: Lowered): boolean {
  if (kind !== "atomic" && kind !== "reduce") return false;
  const says = (pattern: RegExp): boolean => opcode.chosen.some((word) => word !== undefined && pattern.test(word));
  return says(/^(add|min|max|and|or|xor)$/) && says(/^[usb]32$/);
}

function closesLoop({ form, instruction }: Lowered, from: number): boolean {
  const label = instruction.operands.find((operand) => operand?.kind === "label");
  return form === "bra" && instruction.guard !== undefined && label?.kind === "label" && label.target === from;
}

/** The exit depends on one register that each iteration changes by a constant, and on nothing else that the loop changes. */
function isCounted(body: readonly Lowered[]): boolean {
  const test = body.findLast(({ instruction }) => writes(instruction, body.at(-1)!.instruction.guard!.register));
  if (test === undefined || !/^setp(\.|$)/.test(test.form) || test.instruction.guard !== undefined) return false;
  const changed = operandRegisters(test.instruction).reads.map((register) => stepsOf(body, register));
  return changed.includes("constant") && !changed.includes("other");
}

/** How the body changes a register. */
function stepsOf(body: readonly Lowered[], register: number): "constant" | "other" | "none" {
  const changes = body.filter(({ instruction }) => writes(instruction, register));
  if (changes.length === 0) return "none";
  return changes.length === 1 && isStep(changes[0]!.instruction, register) ? "constant" : "other";
}

/** `add r, r, immediate`. */
function isStep({ opcode, operands, guard }: Instruction, register: number): boolean {
  const [, first, second] = operands;
  return (
    /^(add|sub)\.int/.test(opcode.form.id) &&
    guard === undefined &&
    first?.kind === "register" &&
    first.register === register &&
    second?.kind === "immediate"
  );
}

const writes = (instruction: Instruction, register: number): boolean =>
  operandRegisters(instruction).writes.includes(register);

/**
 * The size by the compiler's count: an offset to an address of global memory is an addition, and the conversion of a pair counts
 * twice.
 */
function sizeOf(body: readonly Lowered[]): number {
  const offsets = new Set<string>();
  let size = 0;
  for (const { kind, form, ops, instruction, order } of body) {
    if (kind !== "free") size += Math.max(1, ops.length) + (form === "cvt.pair" ? 1 : 0);
    for (const operand of instruction.operands)
      if (operand?.kind === "address" && operand.offset !== 0n && order.space === "global")
        offsets.add(`${JSON.stringify(operand.base)}+${operand.offset}`);
  }
  return size + offsets.size;
}

function mostOf(body: readonly Lowered[]): number {
  const loads = body.filter(({ kind }) => kind === "load");
  const isNear = ({ order }: Lowered): boolean => order.space === "shared";
  if (loads.some((load) => !isNear(load))) return MAX_FAR;
  return loads.length > MAX_SHARED_LOADS ? 0 : MAX_PLAIN + MORE_PER_SHARED_LOAD * loads.length;
}

/**
 * Instructions of a loop's body, counted from its start, that only the last copy has: the branch back, its test, and increments
 * that only these and addresses read. The compiler folds those into the addresses' offsets.
 */
export function onlyInLastCopy(body: readonly Lowered[]): ReadonlySet<number> {
  const last = body.length - 1;
  const found = new Set([last]);
  const test = body.findLastIndex(({ instruction }) => writes(instruction, body[last]!.instruction.guard!.register));
  if (test >= 0) found.add(test);
  body.forEach(({ instruction }, at) => {
    const [register] = operandRegisters(instruction).writes;
    if (register === undefined || stepsOf(body, register) !== "constant") return;
    const isFolded = body.every(
      (other, i) => i === at || i === test || !readsOutsideAddress(other.instruction, register),
    );
    if (isFolded) found.add(at);
  });
  return found;
}

function readsOutsideAddress(instruction: Instruction, register: number): boolean {
  const isBase = instruction.operands.some(
    (operand) => operand?.kind === "address" && operand.base.kind === "register" && operand.base.register === register,
  );
  return !isBase && operandRegisters(instruction).reads.includes(register);
}
