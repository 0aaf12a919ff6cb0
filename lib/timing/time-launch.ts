// The way in: times one launch on one GPU. The engine (exec/launch/launch.ts) runs a block when the model has room for it; memory and
// results come out as they would without a model, because nothing here reaches into the engine.

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

/** Of a launch's configuration, what the model needs. */
export interface BlockShape {
  readonly block: Dimensions;
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
      isStopped: () => launch.checkAbort(),
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
  const running = observeLaunch(launch, model, options.mostTraceBytes);
  const { program, planner, functions } = running.recording;
  const most = Math.min(options.mostRegisters ?? Infinity, mostRegisters(model, launch.threadsPerBlock));
  const timing = yield* simulate(model, {
    program,
    planner,
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
