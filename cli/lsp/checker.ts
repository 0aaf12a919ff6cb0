// Checks documents on a thread of its own, so that the server answers while a large one is checked, and survives whatever
// happens there. One document at a time; a newer version of a document replaces one that waits. What is being checked then runs
// on without an answer, because a new thread has to compile the checker again, and is ended when it takes long.

import { Worker } from "node:worker_threads";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import type { CheckAnswer, CheckJob, JobOptions } from "./check-job.js";

export interface Checker {
  /** The diagnostics; undefined where a newer version came, or the check failed. */
  check(name: string, text: string): Promise<readonly Diagnostic[] | undefined>;
  /** Cancels the waiting or running jobs of a document. */
  cancel(name: string): void;
  close(): Promise<void>;
}

interface Task {
  readonly job: CheckJob;
  readonly done: (found: readonly Diagnostic[] | undefined) => void;
  /** Milliseconds, once it runs. */
  started: number;
}

/** Milliseconds that a check of no use may take. */
const PATIENCE = 2000;

/** Calls `failed` when a check ends its thread: a defect, or no memory. */
export function createChecker(options: JobOptions, failed: (name: string, error: Error) => void): Checker {
  const waiting: Task[] = [];
  let running: Task | undefined;
  let worker: Worker | undefined;
  let lastId = 0;

  function startWorker(): Worker {
    const started = new Worker(new URL("./check-worker.js", import.meta.url));
    started.on("message", ({ id, diagnostics }: CheckAnswer) => {
      if (running?.job.id === id) finish(diagnostics);
    });
    started.on("error", (error: Error) => {
      if (worker !== started) return;
      worker = undefined;
      if (running !== undefined) failed(running.job.name, error);
      finish(undefined);
    });
    return started;
  }

  function finish(found: readonly Diagnostic[] | undefined): void {
    const { done } = running ?? {};
    running = undefined;
    done?.(found);
    next();
  }

  function next(): void {
    if (running !== undefined) return;
    running = waiting.shift();
    if (running === undefined) return;
    worker ??= startWorker();
    running.started = performance.now();
    worker.postMessage(running.job);
  }

  function cancel(name: string): void {
    const dropped = waiting.findIndex(({ job }) => job.name === name);
    if (dropped >= 0) waiting.splice(dropped, 1)[0]!.done(undefined);
    if (running?.job.name !== name) return;
    running.done(undefined);
    if (performance.now() - running.started < PATIENCE) return;
    const ended = worker;
    worker = undefined;
    void ended?.terminate();
    finish(undefined);
  }

  return {
    check(name, text) {
      cancel(name);
      return new Promise((done) => {
        waiting.push({ job: { id: ++lastId, name, text, options }, done, started: 0 });
        next();
      });
    },
    cancel,
    async close() {
      for (const { job } of [...waiting]) cancel(job.name);
      await worker?.terminate();
    },
  };
}
