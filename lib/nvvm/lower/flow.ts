// Control flow of one body: reachable blocks, predecessors, the dominator tree (Cooper, Harvey, Kennedy: "A Simple, Fast
// Dominance Algorithm") and dominance frontiers. Blocks are indices into the body's blocks.

import { once } from "../../base/once.js";
import type { Body } from "../ir/global.js";
import { successors, type Instruction } from "../ir/instruction.js";

/** The order and predecessors of blocks. */
export interface BlockOrder {
  /** Reachable blocks, each before its successors but for back edges. */
  readonly order: readonly number[];
  /** For reachable blocks: each reachable predecessor, once. */
  readonly predecessors: readonly (readonly number[])[];
  readonly successors: readonly (readonly number[])[];
  isReachable(block: number): boolean;
}

export interface Flow extends BlockOrder {
  /** Blocks that each block immediately dominates, in the order of `order`. */
  readonly dominated: readonly (readonly number[])[];
  /** The dominance frontier of a block. */
  frontier(block: number): readonly number[];
}

/** The order, and for each reachable block its postorder number; -1 for others. */
interface Walk extends BlockOrder {
  readonly left: Int32Array;
}

const none: readonly number[] = [];

function targetsOf(last: Instruction | undefined): readonly number[] {
  if (last === undefined) return none;
  const targets = successors(last);
  const [first, second] = targets;
  if (first === undefined) return none;
  if (second === undefined) return [first.index];
  if (targets.length === 2) return first === second ? [first.index] : [first.index, second.index];
  return [...new Set(targets.map(({ index }) => index))];
}

function walkOf({ blocks }: Body): Walk {
  const next = blocks.map(({ instructions }) => targetsOf(instructions.at(-1)));
  const left = new Int32Array(blocks.length).fill(-1);
  const postorder = walkInDepth(next, left);
  const order = postorder.reverse();
  const predecessors: number[][] = blocks.map(() => []);
  for (const block of order) for (const target of next[block]!) predecessors[target]!.push(block);
  return { order, predecessors, successors: next, left, isReachable: (block) => left[block]! >= 0 };
}

/** Blocks from the first on in postorder; `left` receives the position of each. */
function walkInDepth(next: Walk["successors"], left: Int32Array): number[] {
  const postorder: number[] = [];
  const seen = new Uint8Array(next.length);
  const blocks: number[] = [0];
  const taken: number[] = [0];
  seen[0] = 1;
  for (let top = 0; top >= 0;) {
    const target = next[blocks[top]!]![taken[top]!++];
    if (target === undefined) {
      left[blocks[top]!] = postorder.length;
      postorder.push(blocks[top]!);
      top--;
    } else if (seen[target] === 0) {
      seen[target] = 1;
      top++;
      blocks[top] = target;
      taken[top] = 0;
    }
  }
  return postorder;
}

/** The immediate dominator of each reachable block; for the first, itself. */
function dominatorsOf({ order, predecessors, left }: Walk): Int32Array {
  const parent = new Int32Array(left.length).fill(-1);
  parent[0] = 0;
  const meet = (one: number, other: number): number => {
    let [a, b] = [one, other];
    while (a !== b) {
      while (left[a]! < left[b]!) a = parent[a]!;
      while (left[b]! < left[a]!) b = parent[b]!;
    }
    return a;
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const block of order) {
      if (block === 0) continue;
      let above = -1;
      for (const one of predecessors[block]!) if (parent[one]! >= 0) above = above < 0 ? one : meet(above, one);
      if (parent[block] === above) continue;
      parent[block] = above;
      changed = true;
    }
  }
  return parent;
}

function frontiersOf({ order, predecessors }: Walk, parent: Int32Array): ReadonlyMap<number, readonly number[]> {
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
  return frontiers;
}

/** The part of the control flow that needs no dominators. */
export const blockOrderOf = (body: Body): BlockOrder => walkOf(body);

export function flowOf(body: Body): Flow {
  const walk = walkOf(body);
  const parent = dominatorsOf(walk);
  const dominated: number[][] = body.blocks.map(() => []);
  for (const block of walk.order) if (block !== 0) dominated[parent[block]!]!.push(block);
  // Only needed for variables in memory that become registers.
  const frontiers = once(() => frontiersOf(walk, parent));
  return { ...walk, dominated, frontier: (block) => frontiers().get(block) ?? none };
}

/** Blocks where values written in `writers` meet: the iterated dominance frontier. */
export function iteratedFrontier(flow: Flow, writers: Iterable<number>): ReadonlySet<number> {
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
