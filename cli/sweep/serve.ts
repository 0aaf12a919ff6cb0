// A worker of `ptxkit sweep --queue`: takes jobs of any sweep, runs them on its threads and stores their results. It needs no
// local files.

import type { SweepPoint } from "../../lib/report/sweep/sweep-spec.js";
import type { Host } from "../files/host.js";
import { createSweepThreads } from "./pool.js";
import {
  loadWork,
  MAX_ATTEMPTS,
  reclaimJobs,
  storeResult,
  taskName,
  type QueueTimes,
  type SweepJob,
  type SweepQueue,
} from "./queue.js";
import type { SweepWork } from "./work.js";

export interface ServeOptions {
  /** Number of threads. */
  readonly jobs: number;
  /** Whether to end when the queue is empty. */
  readonly drain: boolean;
  readonly times: QueueTimes;
  /** Ends the worker: running jobs are returned to the queue. */
  readonly stop: AbortSignal;
}

/** Limit of the sweeps whose files are cached. */
const MAX_WORKS = 8;

/** A worker while it serves. */
interface QueueWorker {
  readonly queue: SweepQueue;
  readonly times: QueueTimes;
  readonly threads: ReturnType<typeof createSweepThreads>;
  /** Cached files of sweeps, the oldest first. */
  readonly works: Map<string, Promise<SweepWork | undefined>>;
  /** Ids of the jobs that run. */
  readonly running: Set<string>;
  /** Worker names that the queue has assigned. */
  readonly names: string[];
  done: number;
  isEnding: boolean;
}

/** Serves the queue; resolves to the number of completed runs. */
export async function serveQueue(queue: SweepQueue, options: ServeOptions, host: Host): Promise<number> {
  const worker: QueueWorker = {
    queue,
    times: options.times,
    threads: createSweepThreads(),
    works: new Map(),
    running: new Set(),
    names: [],
    done: 0,
    isEnding: false,
  };
  const runner = await queue.run({
    tasks: { [taskName()]: (payload, { job }) => runJob(worker, payload, job.id) },
    concurrency: options.jobs,
    created: (name) => void worker.names.push(name),
    isEnding: () => worker.isEnding,
  });
  const ended = runner.promise.then(
    () => true,
    () => true,
  );
  try {
    await serveUntilEnd(worker, options, ended);
  } finally {
    // Threads are terminated during a run. The jobs then fail, which must not count as an attempt.
    worker.isEnding = true;
    const interrupted = [...worker.running];
    const stopping = runner.stop().catch(() => {});
    await worker.threads.close();
    await stopping;
    await ended;
    await giveBack(queue, interrupted, worker.names).catch((error: unknown) =>
      host.err(`ptxkit: note: ${(error as Error).message}\n`),
    );
  }
  return worker.done;
}

/** Serves until it is stopped or `ended` resolves, with `drain` until the queue is empty. Sends heartbeats to the queue. */
async function serveUntilEnd(
  worker: QueueWorker,
  { drain, times, stop }: ServeOptions,
  ended: Promise<boolean>,
): Promise<void> {
  const interval = drain ? Math.min(times.beat, times.poll) : times.beat;
  while (!stop.aborted) {
    await beat(worker);
    if (drain && (await isDrained(worker.queue))) return;
    if (await Promise.race([ended, pause(interval, stop)])) return;
  }
}

async function runJob(worker: QueueWorker, payload: unknown, id: string): Promise<void> {
  const { queue, threads, running } = worker;
  const { sweep, index, point } = jobOf(payload);
  running.add(id);
  try {
    const work = await workOf(worker, sweep);
    if (work === undefined) return;
    await storeResult(queue, sweep, index, await threads.run(work, point));
    worker.done++;
  } finally {
    running.delete(id);
  }
}

/** The files of a sweep, from the cache or the database. */
function workOf({ queue, works }: QueueWorker, sweep: string): Promise<SweepWork | undefined> {
  const known = works.get(sweep);
  if (known !== undefined) return known;
  const [oldest] = works.keys();
  if (works.size >= MAX_WORKS) works.delete(oldest!);
  const work = loadWork(queue, sweep);
  works.set(sweep, work);
  work.catch(() => works.delete(sweep));
  return work;
}

async function beat({ queue, times, names }: QueueWorker): Promise<void> {
  await queue.query(
    `insert into ptxkit_sweep.workers (worker, seen_at) select unnest($1::text[]), now()
      on conflict (worker) do update set seen_at = now()`,
    [names],
  );
  await reclaimJobs(queue, times);
}

async function isDrained(queue: SweepQueue): Promise<boolean> {
  const left = await queue.query(
    "select 1 from ptxkit_jobs.jobs where task_identifier = $1 and attempts < max_attempts limit 1",
    [taskName()],
  );
  return left.length === 0;
}

/** Returns interrupted jobs to the queue, with all their attempts. */
async function giveBack(queue: SweepQueue, interrupted: readonly string[], workers: readonly string[]): Promise<void> {
  if (interrupted.length > 0) {
    await queue.query("select ptxkit_jobs.force_unlock_workers($1::text[])", [workers]);
    await queue.query(
      "select ptxkit_jobs.reschedule_jobs($1::bigint[], run_at := now(), attempts := 0, max_attempts := $2)",
      [interrupted, MAX_ATTEMPTS],
    );
  }
  await queue.query(
    "delete from ptxkit_sweep.workers where worker = any($1::text[]) or seen_at < now() - interval '1 day'",
    [workers],
  );
}

function jobOf(payload: unknown): SweepJob {
  const { sweep, index, point } = payload as Partial<SweepJob>;
  if (typeof sweep !== "string" || typeof index !== "number" || typeof point !== "object")
    throw new TypeError("the job is not one of a sweep");
  return { sweep, index, point: point as SweepPoint };
}

/** Resolves to false after that many milliseconds, or when the signal is aborted. */
function pause(milliseconds: number, signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve(false);
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
