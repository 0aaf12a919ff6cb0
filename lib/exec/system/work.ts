// Work that kernels enqueue while they run: launches of kernels, copies and fills (CUDA C++ programming guide, "CUDA dynamic
// parallelism"). A grid cannot wait for its children, so that all of them run when its blocks have ended: those of one block in
// the order in which it launched them, whatever streams it named, blocks in grid order. That is an order which every stream and
// event within a block allows. Tail launches come behind the others. Plain values: other threads of the host send them.

import type { NestedWork } from "../state/launch.js";

/** The requests of a grid, in the order of execution. */
export function inOrder(work: readonly NestedWork[]): readonly NestedWork[] {
  const sorted = [...work].sort((a, b) => a.block - b.block);
  return [...sorted.filter(({ isTail }) => !isTail), ...sorted.filter(({ isTail }) => isTail)];
}
