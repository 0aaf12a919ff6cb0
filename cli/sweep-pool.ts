// The threads of `ptxkit sweep`: each takes the next point when it has done one.

import { Worker } from "node:worker_threads";
import type { SweepResult } from "../lib/report/sweep/sweep-rows.js";
import type { SweepPoint } from "../lib/report/sweep/sweep-spec.js";
import type { SweepWork } from "./sweep-work.js";

/** Runs all points on so many threads; `done` is called as results come. Stops early, without the rest, when `isStopped` says so. */
export async function runOnThreads(
  points: readonly SweepPoint[],
  work: SweepWork,
  threads: number,
  { done, isStopped }: { readonly done: (result: SweepResult) => void; readonly isStopped: () => boolean },
): Promise<void> {
  let next = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL("./sweep-worker.js", import.meta.url), { workerData: work });
      const give = (): void => {
        if (next < points.length && !isStopped()) worker.postMessage(points[next++]);
        else void worker.terminate().then(() => resolve());
      };
      worker.on("error", reject);
      worker.on("message", (result: SweepResult) => {
        done(result);
        give();
      });
      give();
    });
  await Promise.all(Array.from({ length: Math.min(threads, points.length) }, one));
}
