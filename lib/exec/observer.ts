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
  /** Of bulk copies to shared memory: the offset of the mbarrier that they signal. Others leave it as it is. */
  barrier: number;
}

/**
 * The time that a model has come to, where clocks read it. A warp that comes to a read stands still until the model has
 * replayed all that the warp did before; the time at which it could issue the read is then what it reads.
 */
export interface ModelClock {
  /** Whether that warp of the block has been given a time that it has not read yet. */
  readonly isKnown: (warp: number) => boolean;
  /** That time, in cycles, which is then read; undefined when the warp has to wait for it. */
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
