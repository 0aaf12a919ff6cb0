// The interfaces through which others follow a launch. The timing model receives each issued instruction. Execution never depends
// on timing: the functional run comes first, block by block on the model's request, and the model replays the recorded
// instructions. Debuggers and traces also inspect the machine before an instruction (launch/probe.ts).
// (Rejected: letting the timing model choose which warp executes next. Results of programs that race, and the order of atomics,
// would then change with the GPU model.)

import type { LoadedFunction } from "../../load/process.js";
import type { Fault } from "./result.js";
import type { Cluster } from "./block.js";
import type { Group, Warp } from "./warp.js";

export interface IssueObserver {
  /** If absent, clocks count instructions. */
  readonly clock?: ModelClock;
  /**
   * One instruction of warp `warp` (numbered within its block) was issued for the lanes in `mask` (32 bits); `active` are those
   * whose guard held. `access` is given for instructions that accessed memory.
   */
  issue(warp: number, fn: LoadedFunction, pc: number, mask: number, active: number, access: Access | undefined): void;
  /**
   * The same for the instructions from `pc` to `last`, each issued for all lanes in `mask` and without an access to report. If absent,
   * `issue` is called for each of them.
   */
  readonly issueStretch?: (warp: number, fn: LoadedFunction, pc: number, last: number, mask: number) => void;
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

/** Addresses of one memory instruction. Reused between calls: copy what you keep. */
export interface Access {
  /** Where lanes access several, one of these. */
  space: AccessedSpace;
  /** Bytes that each lane accesses. */
  bytes: number;
  /** Offset in its window for shared, local, const and param; generic address for global. Not set for lanes outside the mask. */
  readonly addresses: Float64Array;
  /** For bulk copies to shared memory: the offset of the mbarrier that they signal. Other instructions leave it unchanged. */
  barrier: number;
}

/** State space that a memory instruction actually accessed (generic addresses are resolved). */
export type AccessedSpace = "global" | "shared" | "local" | "const" | "param";

export interface Probe {
  /** Called when a block begins. The observer that it returns receives each instruction of the block. */
  readonly observe: (block: number) => IssueObserver;
  /**
   * Called before the group's next instruction. `active` are the lanes whose guard holds; may be none. A collective that has to
   * wait for other lanes is reported again.
   */
  readonly before: (warp: Warp, group: Group, active: number) => void;
  /** Called when the launch stops with this fault, while registers and memory are as they were then. */
  readonly fault: (cluster: Cluster | undefined, fault: Fault) => void;
}
