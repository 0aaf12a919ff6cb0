// Entry file of a thread of `ptxkit sweep`: receives points and sends results, until it is terminated. It has a bundle of its own
// (.ci/bundle.mjs).

import { parentPort, workerData } from "node:worker_threads";
import type { SweepPoint } from "../../lib/report/sweep/sweep-spec.js";
import { createSweepRunner, type SweepWork } from "./work.js";

const run = createSweepRunner(workerData as SweepWork);

parentPort?.on("message", (point: SweepPoint) => {
  void run(point).then(
    (result) => parentPort?.postMessage(result),
    (error: unknown) => parentPort?.postMessage({ point, rows: [], problem: String((error as Error).message) }),
  );
});
