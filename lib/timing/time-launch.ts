// The entry point: times one launch on one GPU. The engine (exec/launch/launch.ts) runs a block when the model has room for it.
// Memory and results equal those without a model, because nothing here affects the engine.

import type { Dimensions } from "../base/dimensions.js";
import type { Steps } from "../base/steps.js";
import type { Launch } from "../exec/launch/launch.js";
import { sharedBytesOf } from "../exec/machine/launch-limits.js";
import { createInstructionText } from "../exec/machine/instruction-text.js";
import { readsSpecial } from "../exec/machine/reads-special.js";
import { isClock } from "../exec/machine/special.js";
import type { LoadedKernel } from "../load/process.js";
import type { EventOptions } from "./sm/events.js";
import { instructionProfile } from "./result/instruction-profile.js";
import { createDeviceMemory, type DeviceMemory } from "./memory/memory.js";
import type { GpuModel } from "./gpus/model.js";
import { beginStepped, observeLaunch, runWhole, type ObservableLaunch } from "./observed-launch.js";
import { estimateRegisters } from "./lowering/registers.js";
import type { TimingResult } from "./result/result.js";
import { simulate } from "./simulate.js";

/** Facts about a kernel from its machine code. */
export interface KernelFacts {
  /** Per thread; estimated from the code by default. */
  readonly registers?: number;
  readonly codeBytes?: number;
}

export interface TimingOptions extends KernelFacts {
  /** Upper limit of the estimate: `.maxnreg`. */
  readonly mostRegisters?: number;
  /** Limit of the traces of unfinished blocks in bytes; default 1 GiB. */
  readonly mostTraceBytes?: number;
  /** L2 and DRAM of the GPU, which keep data of earlier launches; default: cold. */
  readonly memory?: DeviceMemory;
  /** Records events of some SMs: `events` of the result. */
  readonly events?: EventOptions;
}

/** The part of a launch's configuration that the model needs. */
export interface BlockShape {
  readonly block: Dimensions;
  /** Dynamic shared memory, bytes. */
  readonly sharedBytes: number;
}

/** Runs a launch of the engine and computes its time. A launch stopped by its signal is timed up to the stop. */
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
      isStopped: () => launch.checkAbort(),
      stop: (message) => launch.stop(message),
      textOf: createInstructionText(launch.process),
    },
    model,
    { ...declaredLimit(kernel, model, threadsPerBlock), ...options },
  );
}

/** Times the blocks of any source. A launch that faults is timed up to its last complete block. */
export function* timeBlocks(
  launch: ObservableLaunch,
  model: GpuModel,
  options: TimingOptions = {},
): Steps<TimingResult> {
  const running = observeLaunch(launch, model, options.mostTraceBytes);
  const { program, planner, functions, traces } = running.recording;
  const most = Math.min(options.mostRegisters ?? Infinity, mostRegisters(model, launch.threadsPerBlock));
  const timing = yield* simulate(model, {
    program,
    planner,
    traces,
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
      inStep: launch.readsClock === true,
      traceOf: (block) => (launch.readsClock === true ? beginStepped(running, block) : runWhole(running, block)),
      more: (block, warp, at) => running.stepped.get(block)!.resume(warp, at),
      isStopped: launch.isStopped ?? (() => false),
    },
  });
  return launch.isFaulted?.() === true ? { ...timing, isPartial: true } : timing;
}

/** The limits set by the kernel's directives: PTX ISA 9.0 section 11.4. */
function declaredLimit({ function: { symbol } }: LoadedKernel, model: GpuModel, threads: number): TimingOptions {
  const valueOf = (name: string): number | undefined => symbol.directives.find((d) => d.name === name)?.values[0];
  const most = valueOf("maxnreg");
  const blocks = valueOf("minnctapersm");
  if (most !== undefined) return { mostRegisters: most };
  return blocks === undefined ? {} : { mostRegisters: mostRegisters(model, threads * blocks) };
}

/** With more registers, so many threads could not be resident: the compiler then spills. */
function mostRegisters({ limits, subcores }: GpuModel, threads: number): number {
  const warps = Math.ceil(Math.ceil(threads / 32) / subcores) * subcores;
  const perWarp = Math.floor(limits.registersPerBlock / warps / limits.registerUnit) * limits.registerUnit;
  return Math.min(limits.registersPerThread, Math.floor(perWarp / 32));
}
