// The way in: times one launch on one GPU. The engine (exec/launch.ts) runs a block when the model has room for it; memory and
// results come out as they would without a model, because nothing here reaches into the engine.

import type { Steps } from "../base/steps.js";
import type { Launch } from "../exec/launch.js";
import { sharedBytesOf } from "../exec/launch-limits.js";
import { createInstructionText } from "../exec/instruction-text.js";
import type { IssueObserver } from "../exec/observer.js";
import { readsSpecial } from "../exec/reads-special.js";
import { isClock } from "../exec/special.js";
import type { Code } from "../isa/code.js";
import type { LoadedFunction, LoadedKernel } from "../load/process.js";
import type { EventOptions } from "./events.js";
import { createSteppedBlock, createStepClock, type StepClock, type SteppedBlock } from "./in-step.js";
import { instructionProfile, type InstructionText } from "./instruction-profile.js";
import { createProgram } from "./lowering.js";
import { createDeviceMemory, type DeviceMemory } from "./memory.js";
import type { GpuModel } from "./model.js";
import { createCoalescer } from "./coalesce.js";
import { createRecorder, type Recorder } from "./recorder.js";
import { createPlanner } from "./schedule/plan.js";
import { estimateRegisters } from "./registers.js";
import type { TimingResult } from "./result.js";
import { simulate } from "./simulate.js";
import type { BlockTrace } from "./trace.js";

/** What the model needs of a launch. Blocks are run in rising order, each once. */
export interface ObservableLaunch {
  readonly kernel: Code;
  readonly blocks: number;
  readonly threadsPerBlock: number;
  /** Static and dynamic shared memory of a block, bytes. */
  readonly sharedBytes: number;
  /** Runs one block to its end, and maybe others that it waits for, each watched by an observer of its own; false when it faulted or may not run because an earlier one did. */
  readonly runBlock: (block: number, observe: (block: number) => IssueObserver) => Steps<boolean>;
  /** Whether a signal has stopped the launch. */
  readonly isStopped?: () => boolean;
  /** Stops it with a fault. */
  readonly stop?: (message: string) => void;
  /** Its kernel looks at clocks, which read the model's time: blocks run in step with it. */
  readonly readsClock?: boolean;
  /** Whether it has stopped with a fault. */
  readonly isFaulted?: () => boolean;
  /** Instructions in PTX, for the profile. */
  readonly textOf?: InstructionText;
}

/** What machine code says of a kernel. */
export interface KernelFacts {
  /** Per thread; estimated from the code when left out. */
  readonly registers?: number;
  readonly codeBytes?: number;
}

export interface TimingOptions extends KernelFacts {
  /** Upper limit of the estimate: `.maxnreg`. */
  readonly mostRegisters?: number;
  /** Bytes that what unfinished blocks have done may take; 1 GiB unless given. */
  readonly mostTraceBytes?: number;
  /** L2 and DRAM of the GPU, which keep what launches before left there; cold unless given. */
  readonly memory?: DeviceMemory;
  /** Records what warps of some SMs did: `events` of the result. */
  readonly events?: EventOptions;
}

/** So that a kernel that never ends does not take all memory of the host. */
const MOST_TRACE_BYTES = 2 ** 30;

/** Of a launch's configuration, what the model needs. */
export interface BlockShape {
  readonly block: readonly [number, number, number];
  /** Dynamic shared memory, bytes. */
  readonly sharedBytes: number;
}

/** Runs a launch of the engine and says how long it would take. One that its signal stops is timed as far as it came. */
export function timeLaunch(
  launch: Launch,
  kernel: LoadedKernel,
  shape: BlockShape,
  model: GpuModel,
  options: TimingOptions = {},
): Steps<TimingResult> {
  const threadsPerBlock = shape.block[0] * shape.block[1] * shape.block[2];
  return timeBlocks(
    {
      kernel: kernel.function.code,
      blocks: launch.blocks,
      threadsPerBlock,
      sharedBytes: sharedBytesOf(kernel, shape),
      *runBlock(block, observe) {
        yield* launch.runBlock(block, observe);
        return !launch.faulted;
      },
      readsClock: readsSpecial(launch.process, kernel, isClock),
      isFaulted: () => launch.faulted,
      isStopped: () => launch.heed(),
      stop: (message) => launch.stop(message),
      textOf: createInstructionText(launch.process),
    },
    model,
    { ...declaredLimit(kernel, model, threadsPerBlock), ...options },
  );
}

/** Runs blocks wherever they come from. A launch that faults is timed as far as whole blocks of it ran. */
export function* timeBlocks(
  launch: ObservableLaunch,
  model: GpuModel,
  options: TimingOptions = {},
): Steps<TimingResult> {
  const program = createProgram(model, launch.kernel);
  program.baseOf(launch.kernel);
  const planner = createPlanner(program);
  const warps = Math.ceil(launch.threadsPerBlock / 32);
  const coalescer = createCoalescer();
  const functions = new Set<LoadedFunction>();
  // Blocks that have begun and have not been asked for yet.
  const recorders = new Map<number, Recorder>();
  /** Of kernels that look at clocks: a clock for each block, and the blocks that have begun. */
  const clocks = new Map<number, StepClock>();
  const stepped = new Map<number, SteppedBlock>();
  /** The clocks of a block and of those that began with it: its cluster, or all of a cooperative launch. */
  const groups = new Map<number, StepClock[]>();
  let beginning: StepClock[] = [];
  const observe = (block: number): IssueObserver => {
    const clock = launch.readsClock === true ? createStepClock(model) : undefined;
    if (clock !== undefined) {
      clocks.set(block, clock);
      beginning.push(clock);
      groups.set(block, beginning);
    }
    const recorder = createRecorder(program, planner, warps, block, coalescer, functions, clock);
    recorders.set(block, recorder);
    return recorder.observer;
  };
  const { mostTraceBytes = MOST_TRACE_BYTES } = options;
  const heedRoom = (): void => {
    let bytes = 0;
    for (const recorder of recorders.values()) bytes += recorder.bytes();
    if (bytes > mostTraceBytes)
      launch.stop?.(`blocks that have not ended have done more than a GPU model keeps, ${mostTraceBytes} bytes`);
  };
  function* runs(block: number): Steps<boolean> {
    const steps = launch.runBlock(block, observe);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      heedRoom();
      yield;
    }
  }
  function* beginStepped(block: number): Steps<BlockTrace | undefined> {
    const run = runs(block);
    // Makes the recorder, where none of its cluster has begun.
    beginning = [];
    const first = run.next();
    beginning = [];
    const recorder = recorders.get(block);
    if (recorder === undefined || launch.isFaulted?.() === true) return undefined;
    const one = createSteppedBlock(
      recorder,
      clocks.get(block)!,
      groups.get(block)!,
      first.done === true ? nothing() : run,
    );
    stepped.set(block, one);
    return yield* one.begin();
  }
  function* traceOf(block: number): Steps<BlockTrace | undefined> {
    if (launch.readsClock === true) return yield* beginStepped(block);
    yield* runs(block);
    // What a block did up to a fault is timed; one that did not begin any more has no recorder.
    const recorder = recorders.get(block);
    recorders.delete(block);
    return recorder?.trace();
  }
  const most = Math.min(options.mostRegisters ?? Infinity, mostRegisters(model, launch.threadsPerBlock));
  const timing = yield* simulate(model, {
    program,
    passages: planner.passages,
    device: options.memory ?? createDeviceMemory(model),
    threads: launch.threadsPerBlock,
    registers: options.registers ?? estimateRegisters(launch.kernel, most),
    registersEstimated: options.registers === undefined,
    sharedBytes: launch.sharedBytes,
    profile: () => instructionProfile(program, functions, launch.textOf),
    ...(options.events === undefined ? {} : { events: options.events }),
    ...(options.codeBytes === undefined ? {} : { codeBytes: options.codeBytes }),
    source: {
      blocks: launch.blocks,
      traceOf,
      more: (block, warp, at) => stepped.get(block)!.goOn(warp, at),
      isStopped: launch.isStopped ?? (() => false),
    },
  });
  return launch.isFaulted?.() === true ? { ...timing, isPartial: true } : timing;
}

function* nothing(): Steps<boolean> {
  return true;
}

/** What the kernel's directives allow: PTX ISA 9.0 section 11.4. */
function declaredLimit({ function: { symbol } }: LoadedKernel, model: GpuModel, threads: number): TimingOptions {
  const valueOf = (name: string): number | undefined => symbol.directives.find((d) => d.name === name)?.values[0];
  const most = valueOf("maxnreg");
  const blocks = valueOf("minnctapersm");
  if (most !== undefined) return { mostRegisters: most };
  return blocks === undefined ? {} : { mostRegisters: mostRegisters(model, threads * blocks) };
}

/** More would not let so many threads be resident at all: the compiler then spills. */
function mostRegisters({ limits, subcores }: GpuModel, threads: number): number {
  const warps = Math.ceil(Math.ceil(threads / 32) / subcores) * subcores;
  const perWarp = Math.floor(limits.registersPerBlock / warps / limits.registerUnit) * limits.registerUnit;
  return Math.min(limits.registersPerThread, Math.floor(perWarp / 32));
}
