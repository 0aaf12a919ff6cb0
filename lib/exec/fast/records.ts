// What the driver knows of a function's blocks, as records in the arena: context.table.ts, BLOCK.

import type { Instruction } from "../../isa/instruction.js";
import { SPIN_COST } from "../step.js";
import { BLOCK, BLOCK_BYTES, ENDING } from "./context.table.js";
import type { Unit } from "./unit.js";

/** Fills in all but the functions: no block is compiled. */
export function fillRecords({ program, graph }: Unit, view: DataView): void {
  const { blocks, blockAt } = graph;
  blocks.forEach(({ start, end, target, isExchange }, i) => {
    const steps = program.steps.slice(start, end);
    const isConditional = target !== undefined && steps.at(-1)!.guard >= 0;
    const set = (field: number, value: number): void => view.setInt32(BLOCK_BYTES * i + field, value, true);
    set(
      BLOCK.cost,
      steps.reduce((sum, { spins }) => sum + (spins ? SPIN_COST : 1), 0),
    );
    set(BLOCK.instructions, end - start);
    set(BLOCK.unguarded, steps.filter(({ guard }) => guard < 0).length);
    set(BLOCK.isConditional, isConditional ? 1 : 0);
    set(BLOCK.taken, blockAt[target ?? end]!);
    set(BLOCK.takenPc, target ?? end);
    set(BLOCK.next, blockAt[end]!);
    set(BLOCK.nextPc, end);
    set(BLOCK.firstPc, start);
    set(BLOCK.ending, endingOf(program.fn.code.instructions[start]!));
    set(BLOCK.lastPc, end - 1);
    set(BLOCK.mayRefuse, isExchange ? 1 : 0);
  });
  // The end of the code.
  const length = blockAt.length - 1;
  for (const field of [BLOCK.firstPc, BLOCK.lastPc]) view.setInt32(BLOCK_BYTES * blocks.length + field, length, true);
}

/** bar.sync 0 in all its spellings, ret and exit; 0 for all else. */
function endingOf({ opcode, operands, guard }: Instruction): number {
  const { form, chosen } = opcode;
  if (guard !== undefined) return 0;
  if (form.opcode === "ret" || form.opcode === "exit") return ENDING.exit;
  if ((form.opcode !== "bar" && form.opcode !== "barrier") || !chosen.includes("sync")) return 0;
  if (["warp", "cluster", "red", "arrive"].some((word) => chosen.includes(word))) return 0;
  const isPlain = form.operands.every(({ name }, i) => {
    const operand = operands[i];
    return operand === undefined || (name === "a" && operand.kind === "immediate" && operand.bits === 0n);
  });
  return isPlain ? ENDING.barrier : 0;
}
