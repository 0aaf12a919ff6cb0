// A launch whose blocks run when the model has room for them, each observed by a recorder.

import type { Steps } from "../base/steps.js";
import type { IssueObserver } from "../exec/state/observer.js";
import type { Code } from "../isa/code.js";
import { createCoalescer } from "./record/coalesce.js";
import { createSteppedBlock, createStepClock, type StepClock, type SteppedBlock } from "./record/in-step.js";
import type { InstructionText } from "./result/instruction-profile.js";
import { createProgram } from "./lowering/lowering.js";
import type { GpuModel } from "./gpus/model.js";
import {
  createRecorder,
  recordedBytes,
  releaseRecorder,
  takeTrace,
  type Recorder,
  type Recording,
} from "./record/recorder.js";
import { createPlanner } from "./schedule/plan.js";
import { createTracePool, type BlockTrace } from "./trace/trace.js";

/** The launch as the model sees it. Blocks run in ascending order, each once. */
export interface ObservableLaunch {
  readonly kernel: Code;
  readonly blocks: number;
  readonly threadsPerBlock: number;
  /** Static and dynamic shared memory of a block, bytes. */
  readonly sharedBytes: number;
  /**
   * Runs one block to its end, and possibly others that it waits for, each with an observer of its own. False if it faulted, or
   * may not run because an earlier one did.
   */
  readonly runBlock: (block: number, observe: (block: number) => IssueObserver) => Steps<boolean>;
  /** Whether a signal has stopped the launch. */
  readonly isStopped?: () => boolean;
  /** Stops it with a fault. */
  readonly stop?: (message: string) => void;
  /** The kernel reads clocks, which return the model's time: blocks run in step with it. */
  readonly readsClock?: boolean;
  /** Whether it has stopped with a fault. */
  readonly isFaulted?: () => boolean;
  /** Instructions in PTX, for the profile. */
  readonly textOf?: InstructionText;
}

export interface ObservedLaunch {
  readonly launch: ObservableLaunch;
  readonly model: GpuModel;
  readonly recording: Recording;
  /** Warps of a block. */
  readonly warps: number;
  readonly mostTraceBytes: number;
  /** Blocks that have begun and whose traces were not requested yet. */
  readonly recorders: Map<number, Recorder>;
  /** For kernels that read clocks: a clock for each block, and the blocks that have begun. */
  readonly clocks: Map<number, StepClock>;
  readonly stepped: Map<number, SteppedBlock>;
  /** The clocks of a block and of those that began with it: its cluster, or all blocks of a cooperative launch. */
  readonly groups: Map<number, StepClock[]>;
  /** Clocks of the blocks that begin now. */
  beginning: StepClock[];
}

/** Keeps an endless kernel from using all memory of the host. */
const MAX_TRACE_BYTES = 2 ** 30;

/** `mostTraceBytes`: limit of the traces of unfinished blocks. */
export function observeLaunch(
  launch: ObservableLaunch,
  model: GpuModel,
  mostTraceBytes = MAX_TRACE_BYTES,
): ObservedLaunch {
  const program = createProgram(model, launch.kernel);
  program.baseOf(launch.kernel);
  return {
    launch,
    model,
    recording: {
      program,
      planner: createPlanner(program),
      coalescer: createCoalescer(),
      functions: new Set(),
      pool: [],
      traces: createTracePool(),
      hasGrown: false,
    },
    warps: Math.ceil(launch.threadsPerBlock / 32),
    mostTraceBytes,
    recorders: new Map(),
    clocks: new Map(),
    stepped: new Map(),
    groups: new Map(),
    beginning: [],
  };
}

/** Runs a block to its end. A block that faults is timed up to its fault; one that did not start has no trace. */
export function* runWhole(running: ObservedLaunch, block: number): Steps<BlockTrace | undefined> {
  yield* runs(running, block);
  const recorder = running.recorders.get(block);
  if (recorder === undefined) return undefined;
  running.recorders.delete(block);
  const trace = takeTrace(recorder);
  releaseRecorder(recorder);
  return trace;
}

/** Runs a block up to its first read of a clock. */
export function* beginStepped(running: ObservedLaunch, block: number): Steps<BlockTrace | undefined> {
  const { launch, recorders, clocks, groups, stepped } = running;
  const run = runs(running, block);
  // Creates the recorder if no block of the cluster has begun.
  running.beginning = [];
  const first = run.next();
  running.beginning = [];
  const recorder = recorders.get(block);
  if (recorder === undefined || launch.isFaulted?.() === true) return undefined;
  const rest = first.done === true ? nothing() : run;
  const one = createSteppedBlock(recorder, clocks.get(block)!, groups.get(block)!, rest);
  stepped.set(block, one);
  return yield* one.begin();
}

function* nothing(): Steps<boolean> {
  return true;
}

function* runs(running: ObservedLaunch, block: number): Steps<boolean> {
  const steps = running.launch.runBlock(block, (begun) => observe(running, begun));
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    limitTraceMemory(running);
    yield;
  }
}

function observe(running: ObservedLaunch, block: number): IssueObserver {
  const clock = running.launch.readsClock === true ? createStepClock(running.model) : undefined;
  if (clock !== undefined) {
    running.clocks.set(block, clock);
    running.beginning.push(clock);
    running.groups.set(block, running.beginning);
  }
  const recorder = createRecorder(running.recording, running.warps, block, clock);
  running.recorders.set(block, recorder);
  return recorder.observer;
}

function limitTraceMemory({ recorders, mostTraceBytes, launch, recording }: ObservedLaunch): void {
  if (!recording.hasGrown) return;
  recording.hasGrown = false;
  let bytes = 0;
  for (const recorder of recorders.values()) bytes += recordedBytes(recorder);
  if (bytes > mostTraceBytes)
    launch.stop?.(`blocks that have not ended have done more than a GPU model keeps, ${mostTraceBytes} bytes`);
}
