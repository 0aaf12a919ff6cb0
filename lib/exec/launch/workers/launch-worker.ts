// The main file of a thread that takes part in launches (workers.ts) until it is terminated. It is a bundle of its own next to
// the program's (.ci/bundle.mjs).

import { nodeBuiltin } from "../../../base/node-builtin.js";
import { atOnce } from "../../../base/steps.js";
import { joinProcess } from "../../../load/process-transfer.js";
import { BindError } from "../../program/bind.js";
import { createPrograms } from "../../program/programs.js";
import { createLaunchState } from "../launch-state.js";
import { MalformedCode } from "../../../load/load.js";
import { createScheduler } from "../scheduler.js";
import type { Job, PartialResult, Reply, Thrown, WorkerStart } from "./message.js";
import { enterLaunch, joinSharedCounters, leaveLaunch, stopAll } from "../../machine/shared-counters.js";

const { parentPort, workerData } = nodeBuiltin("node:worker_threads")!;
const start = workerData as WorkerStart;
const process = joinProcess(start.process);
const programs = createPrograms(process, start.programs);
const arena = process.memory.arena!;

parentPort?.on("message", (job: Job) => parentPort?.postMessage(takePart(job)));

function takePart(job: Job): Reply {
  const kernel = process.kernels.get(job.kernel)!;
  const parameters = arena.at(job.parameters.offset, job.parameters.size);
  const config = { ...job.config, parameters: parameters.bytes };
  // Must come first: after the end of the launch, this memory is reused.
  const sharedCounters = joinSharedCounters(arena.at(job.sharedCounters.offset, job.sharedCounters.size));
  if (!enterLaunch(sharedCounters)) return "late";
  try {
    process.images.join(job.images);
    const state = createLaunchState(process, kernel, config, parameters, programs, job);
    state.counters.limit = job.maxInstructions === Infinity ? Infinity : 0;
    state.sharedCounters = sharedCounters;
    const scheduler = createScheduler(state);
    try {
      atOnce(scheduler.runAll());
    } finally {
      leaveLaunch(sharedCounters, state.counters);
    }
    const part: PartialResult = {
      warpInstructions: state.counters.warpInstructions,
      threadInstructions: state.counters.threadInstructions,
      output: scheduler.output,
      nested: state.runtime.work,
      ...(scheduler.found === undefined ? {} : { found: scheduler.found }),
    };
    return { part };
  } catch (error) {
    stopAll(sharedCounters);
    return { thrown: thrownOf(error) };
  }
}

function thrownOf(error: unknown): Thrown {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const place =
    error instanceof BindError
      ? { file: error.file, line: error.line }
      : error instanceof MalformedCode
        ? { file: error.file, offset: error.offset }
        : {};
  return { name, message, stack, ...place };
}
