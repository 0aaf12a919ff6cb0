// The interface through which an engine reports each issued warp instruction. It feeds the timing model, so that execution never
// depends on timing: the functional run comes first, block by block on the model's request, and the model replays the recorded
// instructions.
// (Rejected: letting the timing model choose which warp executes next. Results of programs that race, and the order of atomics,
// would then change with the GPU model.)

import type { LoadedFunction } from "../load/process.js";

/** State space that a memory instruction really accessed (generic addresses are resolved). */
export type AccessedSpace = "global" | "shared" | "local" | "const" | "param";

/** Addresses of one memory instruction. Reused between calls: copy what you keep. */
export interface Access {
  space: AccessedSpace;
  /** Bytes that each lane accesses. */
  bytes: number;
  /** Offset in its window for shared, local, const and param; generic address for global. Lanes outside the mask: garbage. */
  readonly addresses: Float64Array;
  /** Of bulk copies to shared memory: the offset of the mbarrier that they signal. Others leave it unchanged. */
  barrier: number;
}

/**
 * The timing model's clock, for kernels that read clocks. A warp stops at a read until the model has replayed the warp's earlier
 * instructions; the read returns the cycle at which the model can issue it.
 */
export interface ModelClock {
  /** Whether the model has set a time for that warp of the block, which the warp has not read yet. */
  readonly isKnown: (warp: number) => boolean;
  /** Reads and clears that time, in cycles; undefined if the warp has to wait for it. */
  readonly take: (warp: number) => number | undefined;
  readonly nanosecondsOf: (cycles: number) => number;
}

export interface IssueObserver {
  /** Absent: clocks count instructions. */
  readonly clock?: ModelClock;
  /**
   * One instruction of warp `warp` (within its block) was issued for the lanes in `mask` (32 bits); `active` are those
   * whose guard held. `access` is given for instructions that touched memory.
   */
  issue(warp: number, fn: LoadedFunction, pc: number, mask: number, active: number, access: Access | undefined): void;
}
