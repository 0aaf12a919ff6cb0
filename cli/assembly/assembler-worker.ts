// Entry file of a thread that assembles PTX for ptxkit link -j (assembler-thread.ts): receives batches of texts and sends their
// objects back, until it is terminated. It has a bundle of its own (.ci/bundle.mjs).

import { parentPort, workerData } from "node:worker_threads";
import { assembleBatch, createTextAssembler, memoryOf, type AssemblyOptions, type Batch } from "./assembler-batch.js";

const assemble = createTextAssembler(workerData as AssemblyOptions);

parentPort?.on("message", (batch: Batch) => {
  const answer = assembleBatch(batch, assemble);
  parentPort?.postMessage(answer, memoryOf(answer));
});
