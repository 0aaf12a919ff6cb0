// A device's launches: arguments are checked at the call, and launches and events run in the order of the calls.

import { checkOptions } from "../../base/known-options.js";
import { packParameters, pointerBytes } from "../../load/parameters.js";
import type { LoadedKernel, Process } from "../../load/process.js";
import { createPrograms, type Programs } from "../program/programs.js";
import { argumentValue, dimensions, wholeNumber } from "./arguments.js";
import type { DeviceEvent, DeviceLaunch, DeviceOptions, DeviceResult, DeviceTiming } from "./interface.js";
import { kernelNamed, parameterType } from "./names.js";
import { deviceOptions, launchOptions } from "./options.js";
import { createDeviceSanitizer } from "./sanitizer.js";
import { createEventLoopYield } from "../launch/event-loop-yield.js";
import { createLaunch } from "../launch/launch.js";
import { launchProblem } from "../machine/launch-limits.js";
import type { LaunchConfig } from "../state/result.js";
import { createWorkers, type Workers } from "../launch/workers/workers.js";

/** The launches and events of a device. */
export interface LaunchQueue<Timing extends DeviceTiming> {
  readonly process: Process;
  readonly options: DeviceOptions<Timing>;
  readonly programs: Programs;
  readonly workers: Workers | undefined;
  readonly sanitizing: ReturnType<typeof createDeviceSanitizer>;
  readonly yieldToHost: ReturnType<typeof createEventLoopYield>;
  /** Totals of the launches that have ended. */
  done: DeviceEvent;
  /** Warp instructions of the last launch. */
  last: number;
  /** Settles when everything enqueued so far has ended. */
  tail: Promise<unknown>;
}

const NOTHING: DeviceEvent = { launches: 0, warpInstructions: 0, threadInstructions: 0, cycles: 0, microseconds: 0 };

export function createLaunchQueue<Timing extends DeviceTiming>(
  process: Process,
  options: DeviceOptions<Timing>,
): LaunchQueue<Timing> {
  const programs = createPrograms(process, options);
  const threads = wholeNumber(options.threads ?? 1, "threads", 1);
  return {
    process,
    options,
    programs,
    workers: threads === 1 ? undefined : createWorkers(process, threads - 1, options),
    sanitizing: createDeviceSanitizer(process, options),
    yieldToHost: createEventLoopYield(),
    done: NOTHING,
    last: 0,
    tail: Promise.resolve(),
  };
}

/** Runs `work` after everything enqueued before. */
export function inOrder<T, Timing extends DeviceTiming>(
  queue: LaunchQueue<Timing>,
  work: () => T | Promise<T>,
): Promise<T> {
  const result = queue.tail.then(work);
  queue.tail = result.catch(() => {});
  return result;
}

/** Checks and enqueues a launch. Throws RangeError at once if there is no such kernel or the arguments do not fit it. */
export function enqueueLaunch<Timing extends DeviceTiming>(
  queue: LaunchQueue<Timing>,
  name: string,
  launch: DeviceLaunch,
): Promise<DeviceResult<Timing | undefined>> {
  checkOptions(launch, launchOptions, "launch", { openDevice: deviceOptions });
  const kernel = kernelNamed(queue.process, name);
  const config = launchConfig(kernel, name, launch);
  // The launch runs later, and meanwhile the caller may change the object for the next call.
  const options = { ...launch };
  return inOrder(queue, () => runLaunch(queue, kernel, config, options));
}

function launchConfig(kernel: LoadedKernel, name: string, launch: DeviceLaunch): LaunchConfig {
  const { grid, block, cluster, sharedBytes = 0, cooperative = false, args = [] } = launch;
  const shape = {
    grid: dimensions(grid, "grid"),
    block: dimensions(block, "block"),
    sharedBytes: wholeNumber(sharedBytes, "sharedBytes", 0),
    cooperative,
    ...(cluster === undefined ? {} : { cluster: dimensions(cluster, "cluster") }),
  };
  const values = args.map((argument, i) =>
    argumentValue(argument, pointerBytes(kernel, i), `argument ${i} of '${name}'`, parameterType(kernel, i)),
  );
  const packed = packParameters(kernel, values);
  if (!packed.ok) throw new RangeError(packed.message);
  const config = { ...shape, parameters: packed.bytes };
  const problem = launchProblem(kernel, config);
  if (problem !== undefined) throw new RangeError(problem);
  return config;
}

async function runLaunch<Timing extends DeviceTiming>(
  queue: LaunchQueue<Timing>,
  kernel: LoadedKernel,
  config: LaunchConfig,
  { sanitize = false, ...rest }: DeviceLaunch,
): Promise<DeviceResult<Timing | undefined>> {
  const { process, programs, workers, options } = queue;
  await queue.yieldToHost(queue.last);
  const watching = sanitize ? queue.sanitizing.begin() : undefined;
  const launch = createLaunch(process, kernel, config, {
    ...rest,
    programs,
    ...(workers === undefined ? {} : { workers }),
    ...(options.time === undefined ? {} : { isObserved: true }),
    ...watching?.options,
  });
  const timing = await options.time?.(launch, kernel, config);
  const result = await (timing === undefined ? launch.run() : launch.finish());
  const { done } = queue;
  queue.last = result.warpInstructions;
  queue.done = {
    launches: done.launches + 1,
    warpInstructions: done.warpInstructions + result.warpInstructions,
    threadInstructions: done.threadInstructions + result.threadInstructions,
    cycles: done.cycles + (timing?.cycles ?? 0),
    microseconds: done.microseconds + (timing?.microseconds ?? 0),
  };
  if (result.printf !== "") options.onPrint?.(result.printf);
  return { ...result, timing, ...(watching === undefined ? {} : { findings: watching.findings() }) };
}
