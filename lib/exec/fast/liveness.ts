// Registers whose values are live after each block: the classic backward analysis, on bit sets. Dead values in generated code's
// locals are never written to the frame.

import type { Graph } from "./graph.js";

/** A set of registers. */
export type RegisterSet = Uint32Array;

export const has = (set: RegisterSet, register: number): boolean =>
  ((set[register >>> 5]! >>> (register & 31)) & 1) !== 0;

const add = (set: RegisterSet, register: number): void => {
  set[register >>> 5]! |= 1 << (register & 31);
};

export const remove = (set: RegisterSet, register: number): void => {
  set[register >>> 5]! &= ~(1 << (register & 31));
};

/** The effect of one instruction on the set of live registers. */
export interface Effect {
  readonly reads: readonly number[];
  /** Registers written for every lane, so that their old values are dead. */
  readonly kills: readonly number[];
}

export function applyBackward(set: RegisterSet, { reads, kills }: Effect): void {
  for (const register of kills) remove(set, register);
  for (const register of reads) add(set, register);
}

/** Most words of all sets. In larger functions (a hundred thousand registers and blocks, say) every register counts as live. */
const MAX_WORDS = 2 ** 24;

export interface Liveness {
  /** Registers that are live after that block. */
  out(block: number): RegisterSet;
  /** Registers that are live where the function begins: read before they are written. */
  readonly atEntry: RegisterSet;
}

export function livenessOf(
  { blocks, blockAt }: Graph,
  registers: number,
  effectOf: (pc: number) => Effect,
  successorsOf: (block: number) => readonly number[],
): Liveness {
  const size = Math.max(1, Math.ceil(registers / 32));
  if (size * blocks.length > MAX_WORDS) {
    const all = new Uint32Array(size).fill(0xffffffff);
    return { out: () => all.slice(), atEntry: all };
  }
  const into: RegisterSet[] = blocks.map(() => new Uint32Array(size));
  const predecessors: number[][] = blocks.map(() => []);
  blocks.forEach((_, b) => {
    for (const successor of successorsOf(b)) predecessors[successor]!.push(b);
  });
  const out = (b: number): RegisterSet => {
    const set = new Uint32Array(size);
    for (const successor of successorsOf(b)) {
      const wanted = into[successor]!;
      for (let i = 0; i < size; i++) set[i]! |= wanted[i]!;
    }
    return set;
  };
  const work = blocks.map((_, b) => b);
  const waits = new Uint8Array(blocks.length).fill(1);
  for (let b = work.pop(); b !== undefined; b = work.pop()) {
    waits[b] = 0;
    const set = out(b);
    const { start, end } = blocks[b]!;
    for (let pc = end - 1; pc >= start; pc--) applyBackward(set, effectOf(pc));
    if (set.every((word, i) => word === into[b]![i])) continue;
    into[b] = set;
    for (const predecessor of predecessors[b]!)
      if (waits[predecessor] === 0) {
        waits[predecessor] = 1;
        work.push(predecessor);
      }
  }
  return { out, atEntry: into[blockAt[0]!] ?? new Uint32Array(size) };
}
