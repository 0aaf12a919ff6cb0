// Checks documents on a thread of its own, so that the server answers while a large one is checked, and survives a crash there.
// The thread checks one document at a time; a newer version of a document replaces one that waits. A check of an old version runs
// on unused, because a new thread would have to compile the checker again; only a long one is terminated.

import { Worker } from "node:worker_threads";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import type { CheckAnswer, CheckJob, JobOptions } from "./check-job.js";

export interface Checker {
  /** The diagnostics; undefined if a newer version arrived, or the check failed. */
  check(name: string, text: string): Promise<readonly Diagnostic[] | undefined>;
  /** Cancels the waiting or running jobs of a document. */
  cancel(name: string): void;
  close(): Promise<void>;
}

interface Task {
  readonly job: CheckJob;
  readonly done: (found: readonly Diagnostic[] | undefined) => void;
  /** Time of the start in milliseconds. */
  started: number;
}

/** Milliseconds after which a check of an old version is terminated. */
const CHECK_TIMEOUT = 2000;

/** The jobs of a checker, and its thread. */
interface CheckerState {
  readonly failed: (name: string, error: Error) => void;
  readonly waiting: Task[];
  running: Task | undefined;
  worker: Worker | undefined;
  lastId: number;
}

/** Calls `failed` if a check ends its thread, by a defect or for lack of memory. */
export function createChecker(options: JobOptions, failed: (name: string, error: Error) => void): Checker {
  const state: CheckerState = { failed, waiting: [], running: undefined, worker: undefined, lastId: 0 };
  return {
    check(name, text) {
      cancel(state, name);
      return new Promise((done) => {
        state.waiting.push({ job: { id: ++state.lastId, name, text, options }, done, started: 0 });
        startNext(state);
      });
    },
    cancel: (name) => cancel(state, name),
    async close() {
      for (const { job } of [...state.waiting]) cancel(state, job.name);
      await state.worker?.terminate();
    },
  };
}

function startWorker(state: CheckerState): Worker {
  const started = new Worker(new URL("./check-worker.js", import.meta.url));
  started.on("message", ({ id, diagnostics }: CheckAnswer) => {
    if (state.running?.job.id === id) finish(state, diagnostics);
  });
  started.on("error", (error: Error) => {
    if (state.worker !== started) return;
    state.worker = undefined;
    if (state.running !== undefined) state.failed(state.running.job.name, error);
    finish(state, undefined);
  });
  return started;
}

function finish(state: CheckerState, found: readonly Diagnostic[] | undefined): void {
  const { done } = state.running ?? {};
  state.running = undefined;
  done?.(found);
  startNext(state);
}

function startNext(state: CheckerState): void {
  if (state.running !== undefined) return;
  state.running = state.waiting.shift();
  if (state.running === undefined) return;
  state.worker ??= startWorker(state);
  state.running.started = performance.now();
  state.worker.postMessage(state.running.job);
}

function cancel(state: CheckerState, name: string): void {
  const { waiting, running } = state;
  const dropped = waiting.findIndex(({ job }) => job.name === name);
  if (dropped >= 0) waiting.splice(dropped, 1)[0]!.done(undefined);
  if (running?.job.name !== name) return;
  running.done(undefined);
  if (performance.now() - running.started < CHECK_TIMEOUT) return;
  const { worker } = state;
  state.worker = undefined;
  void worker?.terminate();
  finish(state, undefined);
}
