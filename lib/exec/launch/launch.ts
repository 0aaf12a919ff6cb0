// One launch of a kernel: all of its blocks, by this thread and others that help (workers/), or one block at a time for a timing
// model. Scheduling: scheduler.ts.

import { type Steps, withTurns } from "../../base/steps.js";
import { releaseBytes, allocateBytes } from "../../load/arena.js";
import type { LoadedKernel, Process } from "../../load/process.js";
import { createPrograms, type Programs } from "../program/programs.js";
import { createWorkspace } from "./cooperative.js";
import type { LaunchOptions } from "./launch-options.js";
import { createLaunchState } from "./launch-state.js";
import { runNested, type RunGrid } from "../system/run-nested.js";
import type { LaunchConfig, LaunchResult } from "../state/result.js";
import type { LaunchState, NestedWork } from "../state/launch.js";
import type { IssueObserver } from "../state/observer.js";
import type { LaunchSanitizer } from "../state/sanitizer.js";
import { createScheduler, type Scheduler } from "./scheduler.js";
import type { PartialResult } from "./workers/message.js";
import { stopAll } from "../machine/shared-counters.js";
import {
  callWorkers,
  createWorkerGroup,
  finishWorkers,
  mergeResults,
  type WorkerGroup,
} from "./workers/worker-group.js";

export interface Launch {
  readonly process: Process;
  readonly blocks: number;
  /** Clusters; as many as blocks if a cluster is one block. */
  readonly clusters: number;
  /**
   * Runs one block to its end, unless it has run, in steps of some million instructions. Other blocks run with it: those of its
   * cluster, and, while it only spins, those that it may be waiting for. `observe` makes the observer of each block that begins.
   */
  runBlock(index: number, observe?: (block: number) => IssueObserver): Steps<void>;
  /** Runs all blocks, and yields to the host's event loop every few milliseconds. */
  run(): Promise<LaunchResult>;
  /** Checks the abort signal, for callers of `runBlock`, and stops with a fault if it is aborted. Returns whether it is. */
  checkAbort(): boolean;
  /** Stops with the fault of a limit, for observers that run out of memory. */
  stop(message: string): void;
  /** Whether it has stopped with a fault; no block runs afterwards. */
  readonly faulted: boolean;
  /** The result so far, without the grids that it launched. */
  result(): LaunchResult;
  /** Runs the grids that it launched, after its blocks, and returns the result of all. `run` includes this. */
  finish(): Promise<LaunchResult>;
}

/** Prepares a launch; throws BindError if the kernel cannot be executed. */
export function createLaunch(
  process: Process,
  kernel: LoadedKernel,
  config: LaunchConfig,
  options: LaunchOptions = {},
): Launch {
  const programs = options.programs ?? createPrograms(process);
  const grid = createGrid(process, kernel, config, { ...options, programs });
  const { maxInstructions = Infinity } = options;
  const runChild: RunGrid = async (child, issued) => {
    const called = process.kernels.get(child.kernel)!;
    // A timing model runs the blocks of the first grid alone.
    const left = { ...options, programs, maxInstructions: maxInstructions - issued, isObserved: false };
    const { run, work } = createGrid(process, called, child.config, left);
    const result = await run();
    process.history.warpInstructions += result.warpInstructions;
    return { result, work: work() };
  };
  const finish = (): Promise<LaunchResult> => {
    const result = grid.launch.result();
    grid.release();
    process.history.warpInstructions += result.warpInstructions;
    return runNested(process, { result, work: grid.work() }, runChild);
  };
  return {
    ...grid.launch,
    process,
    get faulted() {
      return grid.launch.faulted;
    },
    finish,
    async run() {
      const screened = await runScreened(process, kernel, config, options);
      if (screened !== undefined) {
        grid.release();
        return screened;
      }
      await grid.run();
      return finish();
    },
  };
}

/**
 * The result of a sanitized launch that passes the screening on the fast engine; undefined, with memory as before, for others.
 */
async function runScreened(
  process: Process,
  kernel: LoadedKernel,
  config: LaunchConfig,
  { engine, maxInstructions, signal, probe, sanitizer, onProgress }: LaunchOptions,
): Promise<LaunchResult | undefined> {
  if (engine === "reference" || probe !== undefined) return undefined;
  const screened = sanitizer?.screening.prepare(kernel, config);
  if (screened === undefined) return undefined;
  let hasPassed = false;
  try {
    const { run, launch } = createGrid(process, kernel, config, {
      programs: screened.programs,
      screening: screened.sanitizer,
      ...(maxInstructions === undefined ? {} : { maxInstructions }),
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    const result = await run();
    hasPassed = !launch.faulted && screened.hasPassed();
    if (!hasPassed) return undefined;
    process.history.warpInstructions += result.warpInstructions;
    return result;
  } finally {
    screened.end(hasPassed);
  }
}

/** One grid, and its requests to the device runtime. */
interface Grid {
  readonly launch: Omit<Launch, "process" | "run" | "finish">;
  run(): Promise<LaunchResult>;
  work(): readonly NestedWork[];
  /** Frees the memory of a grid that does not run any more. */
  release(): void;
}

function createGrid(
  process: Process,
  kernel: LoadedKernel,
  config: LaunchConfig,
  options: LaunchOptions & { readonly programs: Programs; readonly screening?: LaunchSanitizer },
): Grid {
  const parameterBytes = allocateBytes(process.memory.arena, config.parameters.length);
  parameterBytes.bytes.set(config.parameters);
  const workspace = config.cooperative === true ? createWorkspace(process) : undefined;
  const state = createLaunchState(process, kernel, config, parameterBytes, options.programs, {
    ...options,
    workspace: workspace?.base ?? 0,
  });
  // All blocks of a cooperative launch exist from the beginning, so there are none to claim.
  const mayShare = workspace === undefined && options.sanitizer === undefined && options.probe === undefined;
  const group =
    mayShare && options.workers !== undefined ? createWorkerGroup(state, options.workers, options) : undefined;
  const scheduler = createScheduler(state, {
    ...options,
    ...(group === undefined ? {} : { onNext: () => callWorkers(group, scheduler) }),
  });
  let parts: readonly PartialResult[] = [];
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    // Once other threads are called, they may read the parameters later: finishWorkers.
    if (group?.sharedCounters === undefined) releaseBytes(process.memory.arena, parameterBytes);
    if (workspace !== undefined) process.memory.release(workspace.base);
  };
  const result = (): LaunchResult => mergeResults(state, ownPart(state, scheduler), parts);
  return {
    launch: {
      blocks: state.blocks,
      clusters: state.clusters,
      get faulted() {
        return scheduler.found !== undefined;
      },
      checkAbort: () => scheduler.checkAbort(),
      stop: (message) => scheduler.stop(message),
      runBlock: (index, observe) => scheduler.runBlock(index, observe),
      result,
    },
    work: () => [ownPart(state, scheduler), ...parts].flatMap(({ nested }) => nested),
    release,
    async run() {
      try {
        parts = await runShared(state, scheduler, group);
      } finally {
        release();
      }
      return result();
    },
  };
}

/** This thread's part of the result. */
const ownPart = ({ counters, runtime }: LaunchState, { output, found }: Scheduler): PartialResult => ({
  warpInstructions: counters.warpInstructions,
  threadInstructions: counters.threadInstructions,
  output,
  nested: runtime.work,
  ...(found === undefined ? {} : { found }),
});

/** Runs all blocks, with other threads if that pays off. Returns the other threads' parts. */
async function runShared(
  state: LaunchState,
  scheduler: Scheduler,
  group: WorkerGroup | undefined,
): Promise<readonly PartialResult[]> {
  try {
    await withTurns(scheduler.runAll());
  } catch (error) {
    if (state.sharedCounters !== undefined) stopAll(state.sharedCounters);
    await (group && finishWorkers(group).catch(() => {}));
    throw error;
  }
  return group === undefined ? [] : finishWorkers(group);
}
