// A launch during simulation: its inputs, and the state of its replay.

import type { GpuModel } from "./gpus/model.js";
import type { BlockNeeds, Occupancy } from "./gpus/occupancy.js";
import type { Program } from "./lowering/lowered.js";
import type { DeviceMemory } from "./memory/memory.js";
import type { TimingResult } from "./result/result.js";
import type { Planner } from "./schedule/plan.js";
import type { EventOptions, EventRecorder } from "./sm/events.js";
import type { L1 } from "./sm/l1.js";
import type { Machine, Sm } from "./sm/sm-state.js";
import type { TimelineSums } from "./trace/timeline.js";
import type { BlockSource, TracePool } from "./trace/trace.js";

export interface Simulation extends BlockNeeds {
  readonly program: Program;
  readonly planner: Planner;
  /** Takes the cells of traces that were replayed. */
  readonly traces: TracePool;
  readonly source: BlockSource;
  readonly registersEstimated: boolean;
  /** The memory beyond the SMs; its caches keep the data of earlier launches. */
  readonly device: DeviceMemory;
  /** Size of the kernel's machine code, if known. */
  readonly codeBytes?: number;
  readonly profile: () => TimingResult["instructions"];
  /** The events to trace; default: none. */
  readonly events?: EventOptions;
}

/** A launch during its replay. */
export interface Replay {
  readonly model: GpuModel;
  readonly simulation: Simulation;
  readonly held: Occupancy;
  readonly machine: Machine;
  readonly sms: readonly Sm[];
  readonly l1s: readonly L1[];
  readonly timeline: TimelineSums;
  readonly events: EventRecorder | undefined;
  /** Cycle at which each SM runs next. */
  readonly next: Float64Array;
  readonly totals: { warpInstructions: number; threadInstructions: number; blocks: number };
  /** The next block of the grid. */
  block: number;
  /** Cycle at which the dispatcher is free. */
  dispatcher: number;
  /** End of the last warp so far. */
  end: number;
}
