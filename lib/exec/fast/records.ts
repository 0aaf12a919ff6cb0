// The driver's records of a function's blocks in the arena (context.table.ts, BLOCK).

import type { Instruction } from "../../isa/instruction.js";
import { SPIN_COST } from "../machine/step.js";
import { BLOCK, BLOCK_BYTES, ENDING, NO_TARGET } from "./context.table.js";
import { CALL_OR_RETURN } from "./driver.js";
import type { Unit } from "./unit.js";

/** Fills in the records. No block is compiled yet, so a block has a function only if it is nothing but a call or return. */
export function fillRecords({ program, graph }: Unit, view: DataView): void {
  const { blocks, blockAt } = graph;
  blocks.forEach(({ start, end, target, isTerminated, isEmpty, isExchange }, i) => {
    const steps = program.steps.slice(start, end);
    const isConditional = isTerminated && steps.at(-1)!.guard >= 0;
    const set = (field: number, value: number): void => view.setInt32(BLOCK_BYTES * i + field, value, true);
    set(
      BLOCK.cost,
      steps.reduce((sum, { spins }) => sum + (spins ? SPIN_COST : 1), 0),
    );
    set(BLOCK.instructions, end - start);
    set(BLOCK.unguarded, steps.filter(({ guard }) => guard < 0).length);
    set(BLOCK.isConditional, isConditional ? 1 : 0);
    const leaves = isTerminated && target === undefined;
    set(BLOCK.taken, leaves ? i : blockAt[target ?? end]!);
    set(BLOCK.takenPc, leaves ? NO_TARGET : (target ?? end));
    set(BLOCK.next, blockAt[end]!);
    set(BLOCK.nextPc, end);
    set(BLOCK.firstPc, start);
    const ending = endingOf(program.fn.code.instructions[end - 1]!);
    const isEnd = isEmpty && program.fn.symbol.entry && ending !== ENDING.call;
    set(BLOCK.ending, isEnd ? ENDING.end : ending);
    if (isEmpty && !isEnd) set(BLOCK.fn, CALL_OR_RETURN);
    set(BLOCK.lastPc, end - 1);
    set(BLOCK.mayRefuse, isExchange ? 1 : 0);
  });
  // The end of the code.
  const length = blockAt.length - 1;
  for (const field of [BLOCK.firstPc, BLOCK.lastPc]) view.setInt32(BLOCK_BYTES * blocks.length + field, length, true);
}

const terminators = [
  ["exit", ENDING.exit],
  ["return", ENDING.ret],
  ["call", ENDING.call],
] as const;

/** The ENDING of a block with that last instruction, unless it ends a kernel; 0 if it has none. */
function endingOf(instruction: Instruction): number {
  const { traits } = instruction.opcode.form;
  const terminator = terminators.find(([trait]) => traits.has(trait));
  if (terminator !== undefined) return terminator[1];
  return isBlockBarrier(instruction) ? ENDING.barrier : 0;
}

/** bar.sync 0 in all its spellings. */
export function isBlockBarrier({ opcode, operands, guard }: Instruction): boolean {
  const { form, chosen } = opcode;
  if (guard !== undefined || !form.traits.has("barrier")) return false;
  if (!chosen.includes("sync") || chosen.includes("red") || chosen.includes("arrive")) return false;
  return form.operands.every(({ name }, i) => {
    const operand = operands[i];
    return operand === undefined || (name === "a" && operand.kind === "immediate" && operand.bits === 0n);
  });
}
