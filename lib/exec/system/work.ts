// Work that kernels enqueue while they run: launches of kernels, copies and fills (CUDA C++ programming guide, "CUDA dynamic
// parallelism"). A grid cannot wait for its children, so all of them run after its blocks have ended. Those of one block run in
// the order in which it launched them, whatever their streams, and blocks are in grid order. Every stream and event within a
// block allows that order. Tail launches follow the others. Requests are plain values, because host threads send them to each
// other.

import type { NestedWork } from "../state/launch.js";

/** The requests of a grid, in the order of execution. */
export function inOrder(work: readonly NestedWork[]): readonly NestedWork[] {
  const sorted = [...work].sort((a, b) => a.block - b.block);
  return [...sorted.filter(({ isTail }) => !isTail), ...sorted.filter(({ isTail }) => isTail)];
}
