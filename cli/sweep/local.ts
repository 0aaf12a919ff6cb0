// Runs `ptxkit sweep` on this machine: threads run the points, and a journal next to the output records results.

import { runPoint, type SweepProgram } from "../../lib/report/sweep/run-point.js";
import { journalOf, readJournal, type SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import { pointKey, type SweepPoint } from "../../lib/report/sweep/sweep-spec.js";
import type { Host } from "../files/host.js";
import { writeTogether } from "../files/outputs.js";
import { createProgress } from "../terminal/progress.js";
import { runOnThreads } from "./pool.js";
import type { SweepWork } from "./work.js";

export interface SweepPlan {
  readonly work: SweepWork;
  readonly program: SweepProgram;
  /** Digest of the version, the specification and all its files. */
  readonly digest: string;
  readonly points: readonly SweepPoint[];
  /** Whether to run all points, even if there are results. */
  readonly restart: boolean;
}

/** Results in the order of the points; undefined if the user interrupted the sweep. */
export type SweepOutcome = readonly SweepResult[] | undefined;

/** Milliseconds between two writes of the journal. */
const PAUSE = 2000;

/** `jobs`: number of threads; default: the available parallelism. */
export async function sweepLocally(
  { work, program, digest, points, restart }: SweepPlan,
  { jobs, journal }: { readonly jobs: number | undefined; readonly journal: string | undefined },
  host: Host,
): Promise<SweepOutcome> {
  const results = new Map<string, SweepResult>();
  if (journal !== undefined && !restart && host.exists(journal))
    for (const [key, result] of readJournal(digest, new TextDecoder().decode(host.read(journal))))
      results.set(key, result);
  if (results.size > 0) host.err(`ptxkit: note: ${results.size} of ${points.length} runs are in ${journal}\n`);
  const interrupt = new AbortController();
  const release = host.onInterrupt(() => interrupt.abort(), ["SIGINT", "SIGTERM"]);
  const progress = createProgress(host, "runs");
  const save = (): void => {
    if (journal !== undefined)
      writeTogether(host, (host) => host.write(journal, journalOf(digest, [...results.values()])));
  };
  let saved = host.now();
  const done = (result: SweepResult): void => {
    results.set(pointKey(result.point), result);
    progress.update("sweep", results.size, points.length);
    if (host.now() - saved < PAUSE) return;
    saved = host.now();
    save();
  };
  const left = points.filter((point) => !results.has(pointKey(point)));
  const threads = Math.min(jobs ?? host.threads.available(), left.length);
  const isStopped = (): boolean => interrupt.signal.aborted;
  try {
    if (threads > 1) await runOnThreads(left, work, threads, { done, isStopped });
    else for (const point of left) if (!isStopped()) done(await runPoint(program, point));
  } finally {
    progress.clear();
    release();
    if (results.size > 0) save();
  }
  if (!isStopped()) return points.map((point) => results.get(pointKey(point))!);
  host.err(`ptxkit: note: ${results.size} of ${points.length} runs are done; the same command goes on with the rest\n`);
  return undefined;
}
