// The host threads of one launch: decides when more of them pay off, and merges their results.

import { releaseBytes } from "../../../load/arena.js";
import { faultOf } from "../describe-fault.js";
import type { LaunchOptions } from "../launch-options.js";
import { clusterOf } from "../launch-state.js";
import type { LaunchResult } from "../../state/result.js";
import type { Scheduler } from "../scheduler.js";
import type { LaunchState, SharedCounters } from "../../state/launch.js";
import type { Job, PartialResult, Reply, Thrown } from "./message.js";
import {
  closeLaunch,
  countBlocks,
  createSharedCounters,
  leaveLaunch,
  MAX_CLUSTERS,
  stopAll,
} from "../../machine/shared-counters.js";
import { rethrown, type Workers } from "./workers.js";

export interface WorkerGroup {
  readonly state: LaunchState;
  readonly workers: Workers;
  readonly options: LaunchOptions;
  /** Undefined while this thread runs alone. */
  sharedCounters: SharedCounters | undefined;
  /** Whether no further attempt is made to call other threads. */
  isTried: boolean;
  readonly parts: PartialResult[];
  readonly thrown: Thrown[];
  /** Number of threads that took part and have ended, and of replies, including late ones. */
  entered: number;
  replies: number;
  isOver: boolean;
  /** Called at each reply. */
  wake: () => void;
}

/**
 * Remaining warp instructions for which calling threads pays off. Starting a thread takes 0.1 s of CPU time for reading and
 * compiling; a thread that waits begins at once. After launches that together took as long, more launches are likely. The
 * interpreter takes ten times as long for each instruction.
 */
const CALL_THRESHOLD = { cold: 16_000_000, warm: 200_000 } as const;
const INTERPRETED = 1 / 10;

/** Milliseconds between two reports of progress while only other threads run. */
const PAUSE = 100;

export function createWorkerGroup(state: LaunchState, workers: Workers, options: LaunchOptions): WorkerGroup {
  const { clusters, parameterBytes, process } = state;
  return {
    state,
    workers,
    options,
    sharedCounters: undefined,
    isTried: process.memory.arena === undefined || clusters > MAX_CLUSTERS || parameterBytes.offset < 0,
    parts: [],
    thrown: [],
    entered: 0,
    replies: 0,
    isOver: false,
    wake: () => {},
  };
}

/** Remaining warp instructions from which on other threads are called. */
function leastWork({ workers, options }: WorkerGroup): number {
  const scale = options.engine === "reference" ? INTERPRETED : 1;
  const start = workers.isWarm ? 0 : CALL_THRESHOLD.cold * scale - workers.issued;
  return workers.callFrom ?? Math.max(start, CALL_THRESHOLD.warm * scale);
}

/** Calls other threads to the launch once enough work is left for them. */
export function callWorkers(group: WorkerGroup, { next, done }: Scheduler): void {
  const { state, workers } = group;
  const { counters, clusters, process } = state;
  if (group.isTried || next === clusters) return;
  if ((counters.warpInstructions / Math.max(1, next)) * (clusters - next) < leastWork(group)) return;
  group.isTried = true;
  const images = process.images.transfer();
  if (images === undefined) return;
  const sharedCounters = createSharedCounters(process.memory.arena!, { clusters, next, done }, counters);
  if (sharedCounters === undefined) return;
  group.sharedCounters = sharedCounters;
  state.sharedCounters = sharedCounters;
  const isCalled = workers.call(jobOf(group, sharedCounters, images), (reply) => onReply(group, reply));
  if (isCalled) workers.hold(true);
  else group.replies = workers.count;
}

function jobOf({ state, options }: WorkerGroup, { storage }: SharedCounters, images: Job["images"]): Job {
  const { parameterBytes, timeBase, counters } = state;
  const { parameters: _, ...config } = state.config;
  const { engine = "fast", maxInstructions = Infinity, async = "late" } = options;
  return {
    kernel: state.kernel.name,
    images,
    config,
    parameters: { offset: parameterBytes.offset, size: parameterBytes.bytes.length },
    sharedCounters: { offset: storage.offset, size: storage.bytes.length },
    engine,
    maxInstructions,
    timeBase: timeBase + counters.warpInstructions,
    async,
  };
}

function onReply(group: WorkerGroup, reply: Reply): void {
  group.replies++;
  if (reply !== "late") {
    group.entered++;
    if ("part" in reply) group.parts.push(reply.part);
    else group.thrown.push(reply.thrown);
  }
  releaseMemory(group);
  group.wake();
}

/** Releases the launch's memory after the last reply: a late worker still reads it. */
function releaseMemory({ state, workers, isOver, replies, sharedCounters }: WorkerGroup): void {
  if (!isOver || replies < workers.count) return;
  const { arena } = state.process.memory;
  releaseBytes(arena, state.parameterBytes);
  releaseBytes(arena, sharedCounters!.storage);
}

/** Waits for the other threads' results, after this thread's part has ended or thrown. Rethrows their exceptions. */
export async function finishWorkers(group: WorkerGroup): Promise<readonly PartialResult[]> {
  const { state, workers, sharedCounters, parts, thrown } = group;
  const { counters, process } = state;
  if (sharedCounters === undefined) {
    workers.note(counters.warpInstructions);
    return [];
  }
  leaveLaunch(sharedCounters, counters);
  await waitForParts(group, sharedCounters);
  workers.hold(false);
  group.isOver = true;
  releaseMemory(group);
  process.memory.refresh();
  if (thrown[0] !== undefined) throw rethrown(thrown[0]);
  workers.note(parts.reduce((sum, part) => sum + part.warpInstructions, counters.warpInstructions));
  return parts;
}

/** Waits until all participating threads have ended. Meanwhile, reports progress and forwards the caller's signal. */
async function waitForParts(group: WorkerGroup, sharedCounters: SharedCounters): Promise<void> {
  const { signal, onProgress } = group.options;
  const { blocks } = group.state;
  const expected = closeLaunch(sharedCounters);
  const stop = (): void => stopAll(sharedCounters);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  const timer =
    onProgress === undefined
      ? undefined
      : setInterval(() => onProgress(Math.min(blocks, countBlocks(sharedCounters, 0)), blocks), PAUSE);
  while (group.entered < expected) await new Promise<void>((resolve) => (group.wake = resolve));
  clearInterval(timer);
  signal?.removeEventListener("abort", stop);
}

/** Merges the results of all threads. */
export function mergeResults(state: LaunchState, own: PartialResult, others: readonly PartialResult[]): LaunchResult {
  const parts = [own, ...others];
  const sum = (of: (part: PartialResult) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const found = parts.flatMap((part) => part.found ?? []);
  const fault = faultOf(found);
  // As if clusters ran one after the other: output after the faulting one is dropped. An interruption drops nothing.
  const last = fault?.kind === "interrupted" ? Infinity : Math.min(...found.map(({ cluster }) => cluster));
  const printed = parts.flatMap(({ output }) => [...output]);
  const counted = others.length === 0 ? printed : printed.filter(([block]) => clusterOf(state, block) <= last);
  return {
    kernel: state.kernel.name,
    warpInstructions: sum((part) => part.warpInstructions),
    threadInstructions: sum((part) => part.threadInstructions),
    printf: counted
      .sort(([a], [b]) => a - b)
      .map(([, text]) => text)
      .join(""),
    ...(fault === undefined ? {} : { fault }),
  };
}
