// A worker of `ptxkit sweep --queue`: takes jobs of any sweep, runs them on its threads and stores their results. It needs no files.

import type { SweepPoint } from "../lib/report/sweep/sweep-spec.js";
import type { Host } from "./host.js";
import { createSweepThreads } from "./sweep-pool.js";
import {
  loadWork,
  MOST_ATTEMPTS,
  reclaimJobs,
  storeResult,
  taskName,
  type QueueTimes,
  type SweepJob,
  type SweepQueue,
} from "./sweep-queue.js";
import type { SweepWork } from "./sweep-work.js";

export interface ServeOptions {
  /** Threads. */
  readonly jobs: number;
  /** Ends once the queue has no job. */
  readonly drain: boolean;
  readonly times: QueueTimes;
  /** Ends it: jobs that run are given back. */
  readonly stop: AbortSignal;
}

/** Sweeps whose files are kept. */
const MOST_WORKS = 8;

/** The number of runs that it has done. */
export async function serveQueue(
  queue: SweepQueue,
  { jobs, drain, times, stop }: ServeOptions,
  host: Host,
): Promise<number> {
  const threads = createSweepThreads();
  const works = new Map<string, Promise<SweepWork | undefined>>();
  const workOf = (sweep: string): Promise<SweepWork | undefined> => {
    const known = works.get(sweep);
    if (known !== undefined) return known;
    const [oldest] = works.keys();
    if (works.size >= MOST_WORKS) works.delete(oldest!);
    const work = loadWork(queue, sweep);
    works.set(sweep, work);
    work.catch(() => works.delete(sweep));
    return work;
  };

  let done = 0;
  const running = new Set<string>();
  const runJob = async (payload: unknown, { job }: { readonly job: { readonly id: string } }): Promise<void> => {
    const { sweep, index, point } = jobOf(payload);
    running.add(job.id);
    try {
      const work = await workOf(sweep);
      if (work === undefined) return;
      await storeResult(queue, sweep, index, await threads.run(work, point));
      done++;
    } finally {
      running.delete(job.id);
    }
  };

  const workers: string[] = [];
  const beat = async (): Promise<void> => {
    await queue.query(
      `insert into ptxkit_sweep.workers (worker, seen_at) select unnest($1::text[]), now()
        on conflict (worker) do update set seen_at = now()`,
      [workers],
    );
    await reclaimJobs(queue, times);
  };
  const isDrained = async (): Promise<boolean> => {
    const left = await queue.query(
      "select 1 from ptxkit_jobs.jobs where task_identifier = $1 and attempts < max_attempts limit 1",
      [taskName()],
    );
    return left.length === 0;
  };

  let isEnding = false;
  const runner = await queue.run({
    tasks: { [taskName()]: runJob },
    concurrency: jobs,
    created: (worker) => void workers.push(worker),
    isEnding: () => isEnding,
  });
  const ended = runner.promise.then(
    () => true,
    () => true,
  );
  try {
    while (!stop.aborted) {
      await beat();
      if (drain && (await isDrained())) break;
      if (await Promise.race([ended, pause(drain ? Math.min(times.beat, times.poll) : times.beat, stop)])) break;
    }
  } finally {
    // Threads end in the middle of a run. Their jobs fail, which does not count as an attempt.
    isEnding = true;
    const interrupted = [...running];
    const stopping = runner.stop().catch(() => {});
    await threads.close();
    await stopping;
    await ended;
    await giveBack(queue, interrupted, workers).catch((error: unknown) =>
      host.err(`ptxkit: note: ${(error as Error).message}\n`),
    );
  }
  return done;
}

/** Interrupted jobs can be taken at once, with all their attempts. */
async function giveBack(queue: SweepQueue, interrupted: readonly string[], workers: readonly string[]): Promise<void> {
  if (interrupted.length > 0) {
    await queue.query("select ptxkit_jobs.force_unlock_workers($1::text[])", [workers]);
    await queue.query(
      "select ptxkit_jobs.reschedule_jobs($1::bigint[], run_at := now(), attempts := 0, max_attempts := $2)",
      [interrupted, MOST_ATTEMPTS],
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
    throw new TypeError("the job is none of a sweep");
  return { sweep, index, point: point as SweepPoint };
}

/** Resolves to false after so many milliseconds, or when the signal is given. */
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
