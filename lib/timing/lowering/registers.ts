// The number of registers that ptxas would give a thread, estimated from PTX: the maximum of 32-bit registers live at once. In
// 34 kernels, a maximum of 28 always meant at most 32 registers; above that ptxas takes about a fifth more (source LOCAL).
// Parameters and predicates take none. Callers should prefer the true number from a cubin.

import type { Code } from "../../isa/code.js";
import type { Instruction } from "../../isa/instruction.js";
import { registersOf } from "./operands.js";

/** Larger functions are not analysed: the estimate is then 0, "unknown". */
const MAX_BITS = 2 ** 27;

/** The estimate, a multiple of 8 between 16 and `most`; 0 if the function is too large. */
export function estimateRegisters(code: Code, most: number): number {
  const live = maxLive(code);
  if (live === undefined) return 0;
  const wanted = live <= 28 ? Math.min(32, live + 6) : live * 1.2;
  return Math.min(most, Math.max(16, Math.ceil(wanted / 8) * 8));
}

/** Maximum number of 32-bit registers live before any instruction; undefined if the function is too large. */
export function maxLive(code: Code): number | undefined {
  const { instructions, registers } = code;
  const words = Math.ceil(registers.length / 32);
  if (words * 32 * instructions.length > MAX_BITS) return undefined;
  const weights = registers.map(({ type, vector }) =>
    type.class === "predicate" ? 0 : Math.ceil((type.bits * vector) / 32),
  );
  const uses = instructions.map((instruction) => registersOf(instruction));
  const after = new Uint32Array(words);
  const before = new Uint32Array(words * (instructions.length + 1));
  let most = 0;
  for (let changed = true; changed;) {
    changed = false;
    for (let i = instructions.length - 1; i >= 0; i--) {
      after.fill(0);
      for (const next of successors(code, instructions[i]!, i))
        for (let w = 0; w < words; w++) after[w]! |= before[next * words + w]!;
      const { reads, writes } = uses[i]!;
      // A guarded write may keep the old value.
      if (instructions[i]!.guard === undefined) for (const r of writes) after[r >> 5]! &= ~(1 << (r & 31));
      for (const r of reads) after[r >> 5]! |= 1 << (r & 31);
      for (let w = 0; w < words; w++) {
        if (before[i * words + w] === after[w]) continue;
        before[i * words + w] = after[w]!;
        changed = true;
      }
    }
  }
  for (let i = 0; i < instructions.length; i++) {
    let live = 0;
    for (let r = 0; r < weights.length; r++)
      if (((before[i * words + (r >> 5)]! >>> (r & 31)) & 1) !== 0) live += weights[r]!;
    if (live > most) most = live;
  }
  return most;
}

function successors(code: Code, { opcode, guard, operands }: Instruction, at: number): readonly number[] {
  const next = at + 1;
  switch (opcode.form.id) {
    case "bra": {
      const label = operands[0];
      const target = label?.kind === "label" ? label.target : next;
      return guard === undefined ? [target] : [target, next];
    }
    case "brx.idx": {
      const table = operands[1];
      const targets = table?.kind === "table" ? (code.branchTargets[table.index]?.targets ?? []) : [];
      return guard === undefined ? targets : [...targets, next];
    }
    case "ret":
    case "exit":
    case "trap":
      return guard === undefined ? [] : [next];
    default:
      return [next];
  }
}
