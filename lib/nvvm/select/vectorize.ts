// Combines loads of adjacent words into one vector load, as LLVM's load-store vectorizer does: with one base register, no write
// to memory in between, and an alignment of the first that suits all.

import { refill } from "../../base/lists.js";
import type { MachineBlock, MachineInstruction, Register } from "./machine.js";

interface Load {
  readonly instruction: MachineInstruction;
  readonly base: Register;
  readonly offset: number;
  readonly index: number;
}

const bytesOf: Readonly<Record<string, number>> = { b16: 2, b32: 4, b64: 8 };

/** The bytes that a plain scalar load reads; undefined for other instructions. */
function loadOf(instruction: MachineInstruction, index: number): Load | undefined {
  const { align, guard, results, operands } = instruction;
  if (align === undefined || guard !== undefined || results.length !== 1) return undefined;
  const [address] = operands;
  if (address?.kind !== "address" || address.base.kind !== "register" || address.base.mutable) return undefined;
  return { instruction, base: address.base, offset: address.offset, index };
}

const sizeOf = ({ op }: MachineInstruction): number => bytesOf[op.slice(op.lastIndexOf(".") + 1)] ?? 0;

/** The loads after `first` that continue it, so that there are 4 or 2 in total. */
function runOf(first: Load, loads: readonly Load[]): readonly Load[] {
  const size = sizeOf(first.instruction);
  if (size === 0) return [];
  const run = [first];
  while (run.length < 4) {
    const wanted = first.offset + run.length * size;
    const next = loads.find(({ offset }) => offset === wanted);
    if (next === undefined) break;
    run.push(next);
  }
  for (const count of [4, 2]) {
    const bytes = count * size;
    if (run.length >= count && bytes <= 16 && first.instruction.align! >= bytes) return run.slice(0, count);
  }
  return [];
}

export function joinLoads({ instructions }: MachineBlock): void {
  const groups = new Map<string, Load[]>();
  const replaced = new Map<number, MachineInstruction | undefined>();
  const finish = (): void => {
    for (const loads of groups.values()) {
      const free = new Set(loads);
      for (const first of loads.toSorted((a, b) => a.offset - b.offset)) {
        if (!free.has(first)) continue;
        const run = runOf(first, [...free]);
        if (run.length === 0) continue;
        for (const one of run) {
          free.delete(one);
          replaced.set(one.index, undefined);
        }
        const { instruction } = first;
        const at = instruction.op.lastIndexOf(".");
        replaced.set(Math.min(...run.map(({ index }) => index)), {
          ...instruction,
          op: `${instruction.op.slice(0, at)}.v${run.length}${instruction.op.slice(at)}`,
          results: run.flatMap((one) => one.instruction.results),
        });
      }
    }
    groups.clear();
  };
  instructions.forEach((instruction, index) => {
    const load = loadOf(instruction, index);
    if (load === undefined) {
      if (instruction.effect) finish();
      return;
    }
    const key = `${instruction.op} ${load.base.id}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [load]);
    else group.push(load);
  });
  finish();
  if (replaced.size === 0) return;
  const rest = instructions.flatMap((instruction, index) => {
    if (!replaced.has(index)) return [instruction];
    const other = replaced.get(index);
    return other === undefined ? [] : [other];
  });
  refill(instructions, rest);
}
