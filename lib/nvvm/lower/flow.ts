// Control flow of one body: reachable blocks, predecessors, the dominator tree (Cooper, Harvey, Kennedy: "A Simple, Fast
// Dominance Algorithm") and dominance frontiers. Blocks are indices into the body's blocks.

import type { Body } from "../ir/global.js";
import { successors } from "../ir/instruction.js";

export interface Flow {
  /** Reachable blocks, each before its successors but for back edges. */
  readonly order: readonly number[];
  /** Of reachable blocks: each predecessor that can be reached, once. */
  readonly predecessors: readonly (readonly number[])[];
  readonly successors: readonly (readonly number[])[];
  /** Blocks that each one immediately dominates, in the order of `order`. */
  readonly dominated: readonly (readonly number[])[];
  isReachable(block: number): boolean;
  dominates(above: number, below: number): boolean;
  /** The dominance frontier of a block. */
  frontier(block: number): readonly number[];
}

export function flowOf(body: Body): Flow {
  const count = body.blocks.length;
  const next = body.blocks.map(({ instructions }) => {
    const last = instructions.at(-1);
    return last === undefined ? [] : [...new Set(successors(last).map(({ index }) => index))];
  });
  const postorder: number[] = [];
  const position = new Int32Array(count).fill(-1);
  const seen = new Uint8Array(count);
  const stack: { readonly block: number; at: number }[] = [{ block: 0, at: 0 }];
  seen[0] = 1;
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const target = next[top.block]![top.at++];
    if (target === undefined) {
      position[top.block] = postorder.length;
      postorder.push(top.block);
      stack.pop();
    } else if (seen[target] === 0) {
      seen[target] = 1;
      stack.push({ block: target, at: 0 });
    }
  }
  const order = postorder.toReversed();
  const predecessors: number[][] = body.blocks.map(() => []);
  for (const block of order) for (const target of next[block]!) predecessors[target]!.push(block);

  const parent = new Int32Array(count).fill(-1);
  parent[0] = 0;
  function meet(left: number, right: number): number {
    let a = left;
    let b = right;
    while (a !== b) {
      while (position[a]! < position[b]!) a = parent[a]!;
      while (position[b]! < position[a]!) b = parent[b]!;
    }
    return a;
  }
  for (let changed = true; changed;) {
    changed = false;
    for (const block of order.slice(1)) {
      let above = -1;
      for (const one of predecessors[block]!) if (parent[one]! >= 0) above = above < 0 ? one : meet(above, one);
      if (parent[block] !== above) {
        parent[block] = above;
        changed = true;
      }
    }
  }
  const dominated: number[][] = body.blocks.map(() => []);
  for (const block of order.slice(1)) dominated[parent[block]!]!.push(block);

  // A block dominates those that are inside its interval of a walk over the tree.
  const opened = new Int32Array(count);
  const closed = new Int32Array(count);
  let clock = 0;
  const walk: { readonly block: number; at: number }[] = [{ block: 0, at: 0 }];
  opened[0] = clock++;
  while (walk.length > 0) {
    const top = walk.at(-1)!;
    const child = dominated[top.block]![top.at++];
    if (child === undefined) {
      closed[top.block] = clock++;
      walk.pop();
    } else {
      opened[child] = clock++;
      walk.push({ block: child, at: 0 });
    }
  }
  const frontiers = new Map<number, number[]>();
  for (const block of order) {
    if (predecessors[block]!.length < 2 && block !== 0) continue;
    for (const one of predecessors[block]!) {
      for (let runner = one; block === 0 || runner !== parent[block]; runner = parent[runner]!) {
        const list = frontiers.get(runner);
        if (list === undefined) frontiers.set(runner, [block]);
        else if (list.at(-1) !== block) list.push(block);
        if (runner === 0) break;
      }
    }
  }
  return {
    order,
    predecessors,
    successors: next,
    dominated,
    isReachable: (block) => seen[block] === 1,
    dominates: (above, below) => opened[above]! <= opened[below]! && closed[above]! >= closed[below]!,
    frontier: (block) => frontiers.get(block) ?? [],
  };
}

/** Blocks where values that are written in `writers` meet: the iterated dominance frontier. */
export function meetings(flow: Flow, writers: Iterable<number>): ReadonlySet<number> {
  const found = new Set<number>();
  const work = [...writers];
  while (work.length > 0) {
    for (const block of flow.frontier(work.pop()!)) {
      if (found.has(block)) continue;
      found.add(block);
      work.push(block);
    }
  }
  return found;
}
