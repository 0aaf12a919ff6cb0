// The threads of `ptxkit sweep`. Each links a program once and runs points of it. If no thread has the wanted program, an idle
// thread is replaced by one that links it.

import { Worker } from "node:worker_threads";
import type { SweepResult } from "../../lib/report/sweep/sweep-rows.js";
import type { SweepPoint } from "../../lib/report/sweep/sweep-spec.js";
import type { SweepWork } from "./work.js";

export interface SweepThreads {
  /** Runs a point; all pending calls run at the same time. Rejects if the thread ends before its result. */
  run(work: SweepWork, point: SweepPoint): Promise<SweepResult>;
  /** Ends all threads; pending calls reject. */
  close(): Promise<void>;
}

interface Slot {
  worker?: Worker | undefined;
  work?: SweepWork;
  isBusy: boolean;
}

export function createSweepThreads(): SweepThreads {
  const slots: Slot[] = [];
  let isClosed = false;
  const idleSlot = (work: SweepWork): Slot => {
    const idle = slots.filter(({ isBusy }) => !isBusy);
    const found = idle.find((slot) => slot.work === work) ?? idle[0];
    if (found !== undefined) return found;
    const slot: Slot = { isBusy: true };
    slots.push(slot);
    return slot;
  };
  return {
    async run(work, point) {
      const slot = idleSlot(work);
      slot.isBusy = true;
      try {
        if (slot.work !== work) await slot.worker?.terminate();
        if (isClosed) throw new Error("the threads have been ended");
        if (slot.work !== work || slot.worker === undefined) {
          slot.worker = new Worker(new URL("./sweep-worker.js", import.meta.url), { workerData: work });
          slot.work = work;
        }
        return await answerOf(slot.worker, point);
      } catch (error) {
        slot.worker = undefined;
        throw error;
      } finally {
        slot.isBusy = false;
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(slots.map(({ worker }) => worker?.terminate()));
    },
  };
}

function answerOf(worker: Worker, point: SweepPoint): Promise<SweepResult> {
  return new Promise<SweepResult>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the thread of the run ended with status ${code}`)));
    worker.postMessage(point);
  }).finally(() => {
    for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
  });
}

/** Runs all points on that many threads; `done` is called for each result. Stops early if `isStopped` returns true. */
export async function runOnThreads(
  points: readonly SweepPoint[],
  work: SweepWork,
  threads: number,
  { done, isStopped }: { readonly done: (result: SweepResult) => void; readonly isStopped: () => boolean },
): Promise<void> {
  const pool = createSweepThreads();
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < points.length && !isStopped()) done(await pool.run(work, points[next++]!));
  };
  try {
    await Promise.all(Array.from({ length: Math.min(threads, points.length) }, one));
  } finally {
    await pool.close();
  }
}
