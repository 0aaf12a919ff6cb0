// Control flow of one body: reachable blocks, predecessors, the dominator tree and dominance frontiers. Blocks are indices into
// the body's blocks.

import { once } from "../../base/once.js";
import type { Body } from "../ir/global.js";
import { successors, type Instruction } from "../ir/instruction.js";
import { createFrontiers, immediateDominators } from "./dominators.js";

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
  /** Blocks where values written in `writers` meet: the iterated dominance frontier. */
  meets(writers: Iterable<number>): ReadonlySet<number>;
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

/** The part of the control flow that needs no dominators. */
export const blockOrderOf = (body: Body): BlockOrder => walkOf(body);

export function flowOf(body: Body): Flow {
  const walk = walkOf(body);
  const dominators = immediateDominators(walk);
  const dominated: number[][] = body.blocks.map(() => []);
  for (const block of walk.order) if (block !== 0) dominated[dominators[block]!]!.push(block);
  // Only needed for variables in memory that become registers.
  const frontiers = once(() => createFrontiers(walk, dominators, dominated));
  return { ...walk, dominated, meets: (writers) => frontiers()(writers) };
}
