// Drops unreachable blocks, for example after a branch's condition folded, and then dead instructions and phis. Effects, guards
// and exits keep instructions live.

import { refill } from "../../base/lists.js";
import { registersOf, type MachineBlock, type MachineInstruction, type Operand, type Phi } from "./machine.js";

/** The blocks reachable from the first, in their order; their phis drop the others. */
export function dropUnreached(blocks: readonly MachineBlock[]): readonly MachineBlock[] {
  const reached = new Set<MachineBlock>([blocks[0]!]);
  for (const block of reached) for (const { target } of block.exits) reached.add(target);
  if (reached.size === blocks.length) return blocks;
  const origins = new Map<MachineBlock, Set<number>>();
  for (const block of reached) {
    for (const { target } of block.exits) {
      const list = origins.get(target);
      if (list === undefined) origins.set(target, new Set([block.origin]));
      else list.add(block.origin);
    }
  }
  for (const block of reached) {
    for (const { incoming } of block.phis) {
      for (const origin of incoming.keys()) if (!origins.get(block)?.has(origin)) incoming.delete(origin);
    }
  }
  return blocks.filter((block) => reached.has(block));
}

export function dropUnused(blocks: readonly MachineBlock[], registers: number): void {
  const makers = new Array<MachineInstruction | Phi | undefined>(registers);
  const marked = new Uint8Array(registers);
  const work: number[] = [];
  const kept = new Set<MachineInstruction | Phi>();
  const need = (operand: Operand): void => {
    for (const { id } of registersOf(operand)) {
      if (marked[id] === 1) continue;
      marked[id] = 1;
      work.push(id);
    }
  };
  const keep = (instruction: MachineInstruction): void => {
    if (kept.has(instruction)) return;
    kept.add(instruction);
    instruction.operands.forEach(need);
    if (instruction.guard !== undefined) need(instruction.guard);
  };
  for (const block of blocks) {
    for (const phi of block.phis) makers[phi.result.id] = phi;
    for (const instruction of block.instructions) {
      if (instruction.effect) keep(instruction);
      else for (const { id } of instruction.results) makers[id] = instruction;
    }
    for (const { guard } of block.exits) if (guard !== undefined) need(guard);
    if (block.table !== undefined) need(block.table);
  }
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    const maker = makers[id];
    if (maker === undefined) continue;
    if ("incoming" in maker) {
      kept.add(maker);
      for (const value of maker.incoming.values()) need(value);
    } else keep(maker);
  }
  const isKept = (one: MachineInstruction | Phi): boolean => kept.has(one);
  for (const block of blocks) {
    if (!block.instructions.every(isKept)) {
      const rest = block.instructions.filter(isKept);
      refill(block.instructions, rest);
    }
    if (!block.phis.every(isKept)) {
      const rest = block.phis.filter(isKept);
      refill(block.phis, rest);
    }
  }
}
