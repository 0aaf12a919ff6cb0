// `ptxkit sweep SPEC --queue`: stores the sweep, adds a job for each run without a result, and gathers the results of workers.

import type { SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import type { Host } from "../files/host.js";
import { createProgress } from "../terminal/progress.js";
import type { SweepOutcome, SweepPlan } from "./local.js";
import {
  MAX_ATTEMPTS,
  openQueue,
  reclaimJobs,
  storeResult,
  storeWork,
  taskName,
  type QueueTimes,
  type SweepQueue,
} from "./queue.js";
import { serveQueue } from "./serve.js";

export interface GatherOptions {
  readonly url: string;
  /** Threads of this process that also run jobs. */
  readonly jobs: number;
  readonly times: QueueTimes;
}

/** Number of jobs or results in one SQL statement. */
const BATCH = 1000;
/** Milliseconds without any worker after which the command prints how to start one. */
const NO_WORKER_NOTICE = 10_000;

/** Throws UsageError if the database cannot be used. */
export async function sweepOverQueue(
  plan: SweepPlan,
  { url, jobs, times }: GatherOptions,
  host: Host,
): Promise<SweepOutcome> {
  const queue = await openQueue(url, host);
  const interrupt = new AbortController();
  const release = host.onInterrupt(() => interrupt.abort(), ["SIGINT", "SIGTERM"]);
  const own = new AbortController();
  interrupt.signal.addEventListener("abort", () => own.abort());
  const serving =
    jobs === 0 ? Promise.resolve(0) : serveQueue(queue, { jobs, drain: false, times, stop: own.signal }, host);
  // A failure of this process's own worker also ends the gathering.
  serving.catch(() => own.abort());
  try {
    await addJobs(queue, plan, host);
    const isComplete = await gather(
      queue,
      plan,
      { times, stop: interrupt.signal, own: jobs === 0 ? undefined : own.signal },
      host,
    );
    own.abort();
    await serving;
    return isComplete ? await resultsOf(queue, plan) : undefined;
  } finally {
    own.abort();
    await serving.catch(() => 0);
    release();
    await queue.close();
  }
}

const keyOf = (sweep: string, index: number): string => `${sweep}/${index}`;

/** Adds a job for each point that has neither a result nor a job. Runs that failed before get one, too. */
async function addJobs(queue: SweepQueue, { work, digest, points, restart }: SweepPlan, host: Host): Promise<void> {
  await storeWork(queue, digest, work);
  await queue.query("delete from ptxkit_sweep.results where sweep = $1 and (has_failed or $2)", [digest, restart]);
  const done = await queue.query<{ readonly point: number }>(
    "select point from ptxkit_sweep.results where sweep = $1",
    [digest],
  );
  // A job without attempts left would only be updated, and never run, so complete it first.
  await queue.query(
    `select ptxkit_jobs.complete_jobs(array(
      select id from ptxkit_jobs.jobs where starts_with(key, $1) and attempts >= max_attempts and locked_at is null))`,
    [keyPrefix(digest)],
  );
  const waiting = await queue.query<{ readonly key: string }>(
    "select key from ptxkit_jobs.jobs where starts_with(key, $1)",
    [keyPrefix(digest)],
  );
  if (done.length > 0) host.err(`ptxkit: note: ${done.length} of ${points.length} runs are in the queue's database\n`);
  const known = new Set([...done.map(({ point }) => keyOf(digest, point)), ...waiting.map(({ key }) => key)]);
  const jobs = points.flatMap((point, index) => {
    const key = keyOf(digest, index);
    if (known.has(key)) return [];
    const payload = { sweep: digest, index, point };
    return [{ identifier: taskName(), payload, job_key: key, max_attempts: MAX_ATTEMPTS }];
  });
  for (let at = 0; at < jobs.length; at += BATCH)
    await queue.query(
      `select count(*) from ptxkit_jobs.add_jobs(array(
        select json_populate_recordset(null::ptxkit_jobs.job_spec, $1::json)))`,
      [JSON.stringify(jobs.slice(at, at + BATCH))],
    );
}

const keyPrefix = (digest: string): string => `${digest}/`;

interface Gathering {
  readonly times: QueueTimes;
  readonly stop: AbortSignal;
  /** Aborted if this process's own worker fails. */
  readonly own: AbortSignal | undefined;
}

/** Waits until every run has a result; false if it was stopped. */
async function gather(
  queue: SweepQueue,
  { digest, points }: SweepPlan,
  { times, stop, own }: Gathering,
  host: Host,
): Promise<boolean> {
  const progress = createProgress(host, "runs");
  const began = host.now();
  let isTold = false;
  try {
    for (;;) {
      const [row] = await queue.query<{ readonly done: number }>(
        "select count(*)::int as done from ptxkit_sweep.results where sweep = $1",
        [digest],
      );
      const { done } = row!;
      progress.update("sweep", done, points.length);
      if (done >= points.length) return true;
      if (stop.aborted) {
        progress.clear();
        host.err(
          `ptxkit: note: ${done} of ${points.length} runs are done; workers go on, and the same command gathers their results\n`,
        );
        return false;
      }
      if (own?.aborted === true) return false;
      await reclaimJobs(queue, times);
      await recordLostRuns(queue, digest);
      if (!isTold && host.now() - began > NO_WORKER_NOTICE && !(await hasWorker(queue, times))) {
        isTold = true;
        progress.clear();
        host.err("ptxkit: note: the queue has no worker; `ptxkit sweep --worker --queue URL` is one, on any machine\n");
      }
      await new Promise((resolve) => setTimeout(resolve, times.poll));
    }
  } finally {
    progress.clear();
  }
}

async function hasWorker(queue: SweepQueue, { lost }: QueueTimes): Promise<boolean> {
  const alive = "select 1 from ptxkit_sweep.workers where seen_at > now() - $1 * interval '1 ms' limit 1";
  return (await queue.query(alive, [lost])).length > 0;
}

/** Records a failed result for each run whose job has no attempts left. */
async function recordLostRuns(queue: SweepQueue, digest: string): Promise<void> {
  const jobs = await queue.query<{ readonly id: string; readonly payload: string; readonly error: string | null }>(
    `select jobs.id, payload::text, jobs.last_error as error
      from ptxkit_jobs.jobs join ptxkit_jobs._private_jobs using (id)
      where starts_with(jobs.key, $1) and jobs.attempts >= jobs.max_attempts and jobs.locked_at is null`,
    [keyPrefix(digest)],
  );
  for (const { id, payload, error } of jobs) {
    const { index, point } = JSON.parse(payload) as { readonly index: number; readonly point: SweepResult["point"] };
    const reason = error?.split("\n")[0] ?? "its workers ended";
    const problem = `given up after ${MAX_ATTEMPTS} attempts: ${reason}`;
    await storeResult(queue, digest, index, { point, rows: [], problem });
    await queue.query("select ptxkit_jobs.complete_jobs(array[$1::bigint])", [id]);
  }
}

async function resultsOf(queue: SweepQueue, { digest, points }: SweepPlan): Promise<readonly SweepResult[]> {
  const results: SweepResult[] = [];
  while (results.length < points.length) {
    const rows = await queue.query<{ readonly result: string }>(
      "select result from ptxkit_sweep.results where sweep = $1 and point >= $2 order by point limit $3",
      [digest, results.length, BATCH],
    );
    if (rows.length === 0) throw new Error("results of the sweep have been deleted");
    for (const { result } of rows) results.push(JSON.parse(result) as SweepResult);
  }
  return results;
}
