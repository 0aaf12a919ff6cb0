// Groups kernels that must agree on the offset of dynamic shared memory: kernels that reach it through the same function, because
// that function's code contains the offset. The relation is transitive. Linear in calls, with sorts.

import type { SharedUses } from "./shared-reach.js";

/** The groups of kernels; a group has the position of its first kernel. */
export function groupKernels(uses: SharedUses): readonly (readonly number[])[] {
  const { kernels } = uses;
  // Kernels of a group are a linked list. A group's leader is its own leader, and `last` contains the end of its list.
  const leader = new Map(kernels.map((kernel) => [kernel, kernel]));
  const following = new Map<number, number>();
  const last = new Map(leader);
  const leaderOf = (kernel: number): number => {
    let at = kernel;
    for (let to = leader.get(at)!; to !== at; to = leader.get(at)!) {
      leader.set(at, leader.get(to)!);
      at = to;
    }
    return at;
  };
  for (const together of kernelsTogether(uses)) {
    const into = leaderOf(together[0]!);
    for (const kernel of together) {
      const from = leaderOf(kernel);
      if (from === into) continue;
      leader.set(from, into);
      following.set(last.get(into)!, from);
      last.set(into, last.get(from)!);
    }
  }
  const groups: (readonly number[])[] = [];
  const isDone = new Set<number>();
  for (const kernel of kernels) {
    const first = leaderOf(kernel);
    if (isDone.has(first)) continue;
    isDone.add(first);
    const group: number[] = [];
    for (let at: number | undefined = first; at !== undefined; at = following.get(at)) group.push(at);
    groups.push(group);
  }
  return groups;
}

/**
 * For each function that names dynamic memory, in order: kernels that reach it, ascending. The first kernel is always listed;
 * kernels that an earlier list has joined are represented by one of them.
 */
function kernelsTogether({ graph, kernels, firstKernel, dynamicUsers }: SharedUses): readonly (readonly number[])[] {
  const isKernel = new Uint8Array(graph.nodes);
  for (const kernel of kernels) isKernel[kernel] = 1;
  const { edges, first, next } = graph.callers;
  // For each node, 1 + the index of the user whose list has joined all kernels that reach the node; 0 if none has.
  const settledBy = new Int32Array(graph.nodes);
  return dynamicUsers.map((user, i) => {
    const found: number[] = [];
    const open: number[] = [];
    const meet = (at: number): void => {
      if (firstKernel[at] === -1 || settledBy[at] === i + 1) return;
      if (settledBy[at] !== 0) found.push(firstKernel[at]!);
      else {
        settledBy[at] = i + 1;
        if (isKernel[at] === 1) found.push(at);
        open.push(at);
      }
    };
    meet(user);
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (let call = first[at]!; call !== 0; call = next[call - 1]!) meet(edges[call - 1]!);
    return found.sort((a, b) => a - b);
  });
}
