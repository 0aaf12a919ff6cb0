// Entry file of the thread that checks documents for ptxkit lsp. It has a bundle of its own (.ci/bundle.mjs).

import { parentPort } from "node:worker_threads";
import { runCheck, type CheckJob } from "./check-job.js";

parentPort?.on("message", (job: CheckJob) => {
  parentPort?.postMessage(runCheck(job));
});
