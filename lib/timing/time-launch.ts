// The way in: times one launch on one GPU. The launch is executed block by block as the model asks for it; it writes memory
// and answers as it would without a model, because nothing here reaches into it.

import type { IssueObserver } from "../exec/observer.js";
import type { Code } from "../isa/code.js";
import { createProgram } from "./lowering.js";
import type { GpuModel } from "./model.js";
import { createRecorder } from "./recorder.js";
import { estimateRegisters } from "./registers.js";
import type { TimingResult } from "./result.js";
import { simulate } from "./simulate.js";

/** What the model needs of a launch. Blocks are run in rising order, each once. */
export interface ObservableLaunch {
  readonly kernel: Code;
  readonly blocks: number;
  readonly threadsPerBlock: number;
  /** Static and dynamic shared memory of a block, bytes. */
  readonly sharedBytes: number;
  /** Runs one block to its end; false when it faulted or may not run because an earlier one did. */
  readonly runBlock: (block: number, observer: IssueObserver) => boolean;
}

export interface TimingOptions {
  /** Registers per thread, from a cubin or `.maxnreg`; estimated from the code when left out. */
  readonly registers?: number;
}

/** Runs the launch and says how long it would take. A launch that faults is timed as far as whole blocks of it ran. */
export function timeLaunch(launch: ObservableLaunch, model: GpuModel, options: TimingOptions = {}): TimingResult {
  const program = createProgram(model, launch.kernel);
  program.baseOf(launch.kernel);
  const recorder = createRecorder(program, Math.ceil(launch.threadsPerBlock / 32));
  const registers = options.registers ?? estimateRegisters(launch.kernel, mostRegisters(model, launch.threadsPerBlock));
  return simulate(model, {
    program,
    threads: launch.threadsPerBlock,
    registers,
    registersEstimated: options.registers === undefined,
    sharedBytes: launch.sharedBytes,
    source: {
      blocks: launch.blocks,
      traceOf: (block) => (launch.runBlock(block, recorder.observer) ? recorder.take() : undefined),
    },
  });
}

/** More would not let a block of that size run at all: the compiler then spills. */
function mostRegisters({ limits, subcores }: GpuModel, threads: number): number {
  const warps = Math.ceil(Math.ceil(threads / 32) / subcores) * subcores;
  const perWarp = Math.floor(limits.registersPerBlock / warps / limits.registerUnit) * limits.registerUnit;
  return Math.min(limits.registersPerThread, Math.floor(perWarp / 32));
}
