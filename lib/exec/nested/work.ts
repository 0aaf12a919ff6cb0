// Work that kernels enqueue while they run: launches of kernels, copies and fills (CUDA C++ programming guide, "CUDA dynamic
// parallelism"). A grid cannot wait for its children, so that all of them run when its blocks have ended: those of one block in
// the order in which it launched them, whatever streams it named, blocks in grid order. That is an order which every stream and
// event within a block allows. Tail launches come behind the others. Plain values: other threads of the host send them.

import type { LaunchConfig } from "../result.js";

/** A kernel's launch, by the kernel's name. */
export interface NestedLaunch {
  readonly kind: "launch";
  readonly kernel: string;
  readonly config: LaunchConfig;
}

/** Rows of bytes at generic addresses of global memory, each `width` long and one `pitch` behind the other. */
export interface NestedCopy {
  readonly kind: "copy";
  readonly to: number;
  readonly toPitch: number;
  readonly from: number;
  readonly fromPitch: number;
  readonly width: number;
  readonly height: number;
}

/** The same of one value for all bytes. */
export interface NestedFill {
  readonly kind: "fill";
  readonly to: number;
  readonly toPitch: number;
  readonly value: number;
  readonly width: number;
  readonly height: number;
}

export interface NestedWork {
  readonly work: NestedLaunch | NestedCopy | NestedFill;
  /** The block that asks, and its coordinates. */
  readonly block: number;
  readonly coordinates: readonly [number, number, number];
  /** After the grid and all that it launched: cudaStreamTailLaunch. */
  readonly isTail: boolean;
}

/** The requests of a grid, in the order of execution. */
export function inOrder(work: readonly NestedWork[]): readonly NestedWork[] {
  const sorted = [...work].sort((a, b) => a.block - b.block);
  return [...sorted.filter(({ isTail }) => !isTail), ...sorted.filter(({ isTail }) => isTail)];
}
