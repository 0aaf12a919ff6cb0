// The host threads of one launch: decides when more of them pay off, and merges their results.

import { giveBytesBack } from "../../load/arena.js";
import type { LaunchOptions } from "../launch.js";
import { faultOf } from "../describe-fault.js";
import { clusterOf, type LaunchState } from "../launch-state.js";
import type { LaunchResult } from "../result.js";
import type { Scheduler } from "../scheduler.js";
import type { PartialResult, Reply, Thrown } from "./message.js";
import { createSharedCounters, MOST_CLUSTERS, type SharedCounters } from "./shared-counters.js";
import { rethrown, type Workers } from "./workers.js";

export interface WorkerGroup {
  /** Calls other threads to the launch once enough work is left for them. */
  consider(scheduler: Scheduler): void;
  /** Waits for the other threads' results, after this thread's part has ended or thrown. Rethrows their exceptions. */
  finish(): Promise<readonly PartialResult[]>;
}

/**
 * Remaining warp instructions for which calling threads pays off. To start a thread takes 0.1 s of CPU time for reading and
 * compiling; one that waits begins at once. After launches that together took as long, more launches are likely. The interpreter
 * takes ten times as long for each instruction.
 */
const WORTH = { cold: 16_000_000, warm: 200_000 } as const;
const INTERPRETED = 1 / 10;

/** Milliseconds between two reports of progress while only other threads run. */
const PAUSE = 100;

export function createWorkerGroup(
  state: LaunchState,
  workers: Workers,
  { engine = "fast", maxInstructions = Infinity, async = "late", signal, onProgress }: LaunchOptions,
): WorkerGroup {
  const { arena } = state.process.memory;
  const { counters, clusters, parameterBytes } = state;
  const { parameters: _, ...config } = state.config;
  let sharedCounters: SharedCounters | undefined;
  let isTried = arena === undefined || clusters > MOST_CLUSTERS || parameterBytes.offset < 0;
  const parts: PartialResult[] = [];
  const thrown: Thrown[] = [];
  let entered = 0;
  let replies = 0;
  let isOver = false;
  let wake = (): void => {};

  /** Memory is freed only after the last reply: a late worker still reads it. */
  const giveBack = (): void => {
    if (!isOver || replies < workers.count) return;
    giveBytesBack(arena, parameterBytes);
    giveBytesBack(arena, sharedCounters!.stretch);
  };
  const onReply = (reply: Reply): void => {
    replies++;
    if (reply !== "late") {
      entered++;
      if ("part" in reply) parts.push(reply.part);
      else thrown.push(reply.thrown);
    }
    giveBack();
    wake();
  };
  const worth = (): number => {
    const start = workers.isWarm ? 0 : WORTH.cold * (engine === "reference" ? INTERPRETED : 1) - workers.issued;
    return workers.callFrom ?? Math.max(start, WORTH.warm * (engine === "reference" ? INTERPRETED : 1));
  };

  return {
    consider(scheduler) {
      const begun = scheduler.next;
      if (isTried || begun === clusters) return;
      if ((counters.warpInstructions / Math.max(1, begun)) * (clusters - begun) < worth()) return;
      isTried = true;
      const images = state.process.images.transfer();
      if (images === undefined) return;
      sharedCounters = createSharedCounters(arena!, { clusters, next: begun, done: scheduler.done }, counters);
      if (sharedCounters === undefined) return;
      state.sharedCounters = sharedCounters;
      const isCalled = workers.call(
        {
          kernel: state.kernel.name,
          images,
          config,
          parameters: { offset: parameterBytes.offset, size: parameterBytes.bytes.length },
          sharedCounters: { offset: sharedCounters.stretch.offset, size: sharedCounters.stretch.bytes.length },
          engine,
          maxInstructions,
          timeBase: state.timeBase + counters.warpInstructions,
          async,
        },
        onReply,
      );
      if (isCalled) workers.hold(true);
      else replies = workers.count;
    },
    async finish() {
      if (sharedCounters === undefined) {
        giveBytesBack(arena, parameterBytes);
        workers.note(counters.warpInstructions);
        return [];
      }
      sharedCounters.leave(counters);
      const expected = sharedCounters.close();
      const stop = (): void => sharedCounters!.stop();
      signal?.addEventListener("abort", stop);
      if (signal?.aborted === true) stop();
      const timer =
        onProgress === undefined
          ? undefined
          : setInterval(() => onProgress(Math.min(state.blocks, sharedCounters!.finish(0)), state.blocks), PAUSE);
      while (entered < expected) await new Promise<void>((resolve) => (wake = resolve));
      clearInterval(timer);
      signal?.removeEventListener("abort", stop);
      workers.hold(false);
      isOver = true;
      giveBack();
      state.process.memory.refresh();
      if (thrown[0] !== undefined) throw rethrown(thrown[0]);
      workers.note(parts.reduce((sum, part) => sum + part.warpInstructions, counters.warpInstructions));
      return parts;
    },
  };
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
