// The first file of a thread that takes part in launches (workers.ts), until it is ended. A bundle of its own beside the
// program's (.ci/bundle.mjs).

import { nodeBuiltin } from "../../base/node-builtin.js";
import { atOnce } from "../../base/steps.js";
import { joinProcess } from "../../load/hand-over.js";
import { BindError, createPrograms } from "../bind.js";
import { createLaunchState } from "../launch-state.js";
import { MalformedCode } from "../../load/load.js";
import { createTurns } from "../turns.js";
import type { Job, Part, Reply, Thrown, WorkerStart } from "./message.js";
import { joinShares } from "./shares.js";

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
  // Before anything else is looked at: who comes too late finds other things there.
  const shares = joinShares(arena.at(job.shares.offset, job.shares.size));
  if (!shares.enter()) return "late";
  try {
    process.images.join(job.images);
    const state = createLaunchState(process, kernel, config, parameters, programs, job);
    state.counters.limit = job.maxInstructions === Infinity ? Infinity : 0;
    state.shares = shares;
    const turns = createTurns(state);
    try {
      atOnce(turns.rounds());
    } finally {
      shares.leave(state.counters);
    }
    const part: Part = {
      warpInstructions: state.counters.warpInstructions,
      threadInstructions: state.counters.threadInstructions,
      output: turns.output,
      nested: state.runtime.work,
      ...(turns.found === undefined ? {} : { found: turns.found }),
    };
    return { part };
  } catch (error) {
    shares.stop();
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
