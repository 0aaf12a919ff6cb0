// Which block every path to another passes: the dominator tree of a body (Lengauer and Tarjan 1979, the simple version with
// path compression), queried by depth-first numbers.

import type { Body } from "../ir/global.js";
import { successors } from "../ir/instruction.js";

export interface Dominance {
  isReachable(block: number): boolean;
  /** Whether every path from the entry to `to` passes `from`; a block dominates itself. */
  dominates(from: number, to: number): boolean;
}

/** Edges of a body's blocks, by block number. */
export interface Edges {
  readonly to: readonly (readonly number[])[];
  readonly from: readonly (readonly number[])[];
}

export function edgesOf({ blocks }: Body): Edges {
  const from: number[][] = blocks.map(() => []);
  const to = blocks.map((block, index) => {
    const last = block.instructions.at(-1);
    const targets = last === undefined ? [] : successors(last).map((target) => target.index);
    for (const target of targets) from[target]?.push(index);
    return targets;
  });
  return { to, from };
}

export function findDominance({ to, from }: Edges): Dominance {
  const count = to.length;
  // Depth-first numbers from 1; 0 is a block that nothing reaches.
  const number = new Int32Array(count);
  const vertex = new Int32Array(count + 1);
  const parent = new Int32Array(count + 1);
  let last = 0;
  const next = new Int32Array(count);
  const stack: number[] = [];
  const visit = (block: number, above: number): void => {
    number[block] = ++last;
    vertex[last] = block;
    parent[last] = above;
    stack.push(block);
  };
  if (count > 0) visit(0, 0);
  while (stack.length > 0) {
    const block = stack[stack.length - 1]!;
    const target = to[block]![next[block]!++];
    if (target === undefined) stack.pop();
    else if (number[target] === 0) visit(target, number[block]!);
  }
  const idom = immediateDominators(last, parent, (at) =>
    from[vertex[at]!]!.map((block) => number[block]!).filter((one) => one > 0),
  );
  return intervals(number, idom, last);
}

/** By depth-first number; of 1 it is 0. */
function immediateDominators(
  last: number,
  parent: Int32Array,
  predecessors: (at: number) => readonly number[],
): Int32Array {
  const semi = new Int32Array(last + 1).map((_, i) => i);
  const label = semi.slice();
  const ancestor = new Int32Array(last + 1);
  const idom = new Int32Array(last + 1);
  const buckets: (number[] | undefined)[] = [];
  const path: number[] = [];

  function lowest(at: number): number {
    if (ancestor[at] === 0) return label[at]!;
    let above = at;
    while (ancestor[ancestor[above]!] !== 0) {
      path.push(above);
      above = ancestor[above]!;
    }
    while (path.length > 0) {
      const one = path.pop()!;
      const up = ancestor[one]!;
      if (semi[label[up]!]! < semi[label[one]!]!) label[one] = label[up]!;
      ancestor[one] = ancestor[up]!;
    }
    return label[at]!;
  }

  for (let at = last; at >= 2; at--) {
    for (const before of predecessors(at)) semi[at] = Math.min(semi[at]!, semi[lowest(before)]!);
    (buckets[semi[at]!] ??= []).push(at);
    const above = parent[at]!;
    ancestor[at] = above;
    for (const one of buckets[above] ?? []) {
      const low = lowest(one);
      idom[one] = semi[low]! < semi[one]! ? low : above;
    }
    buckets[above] = undefined;
  }
  for (let at = 2; at <= last; at++) if (idom[at] !== semi[at]) idom[at] = idom[idom[at]!]!;
  return idom;
}

/** Numbers each block of the tree before and behind those below it. */
function intervals(number: Int32Array, idom: Int32Array, last: number): Dominance {
  // Children have higher numbers than their parent: sizes add up from the back, and positions follow from the front.
  const size = new Int32Array(last + 1).fill(1);
  for (let at = last; at >= 2; at--) size[idom[at]!]! += size[at]!;
  const first = new Int32Array(last + 1);
  const free = new Int32Array(last + 1);
  for (let at = 1; at <= last; at++) {
    const above = idom[at]!;
    first[at] = above === 0 ? 0 : free[above]!;
    if (above !== 0) free[above]! += size[at]!;
    free[at] = first[at]! + 1;
  }
  return {
    isReachable: (block) => number[block] !== 0,
    dominates(from, to) {
      const [a, b] = [number[from]!, number[to]!];
      return a !== 0 && b !== 0 && first[b]! >= first[a]! && first[b]! < first[a]! + size[a]!;
    },
  };
}
