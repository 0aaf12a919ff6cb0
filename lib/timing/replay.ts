// A launch that is being simulated: its inputs, and the state of its replay.

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
import type { BlockSource } from "./trace/trace.js";

export interface Simulation extends BlockNeeds {
  readonly program: Program;
  readonly planner: Planner;
  readonly source: BlockSource;
  readonly registersEstimated: boolean;
  /** What lies beyond the SMs; caches hold what launches before left there. */
  readonly device: DeviceMemory;
  /** Of the kernel's machine code, where that is known. */
  readonly codeBytes?: number;
  readonly profile: () => TimingResult["instructions"];
  /** What a trace is taken of; none unless given. */
  readonly events?: EventOptions;
}

/** A launch that is being replayed. */
export interface Replay {
  readonly model: GpuModel;
  readonly simulation: Simulation;
  readonly held: Occupancy;
  readonly machine: Machine;
  readonly sms: readonly Sm[];
  readonly l1s: readonly L1[];
  readonly timeline: TimelineSums;
  readonly events: EventRecorder | undefined;
  /** When each SM is to run next. */
  readonly next: Float64Array;
  readonly totals: { warpInstructions: number; threadInstructions: number; blocks: number };
  /** The next block of the grid. */
  block: number;
  /** When the dispatcher is free. */
  dispatcher: number;
  /** When the last warp so far ended. */
  end: number;
}
