// The first file of a thread that assembles PTX for ptxkit link -j (assembler-thread.ts): a batch of texts in, their objects
// out, until it is ended. A bundle of its own beside the program's (.ci/bundle.mjs).

import { parentPort, workerData } from "node:worker_threads";
import { assembleBatch, createTextAssembler, memoryOf, type AssemblyOptions, type Batch } from "./assembler-batch.js";

const assemble = createTextAssembler(workerData as AssemblyOptions);

parentPort?.on("message", (batch: Batch) => {
  const answer = assembleBatch(batch, assemble);
  parentPort?.postMessage(answer, memoryOf(answer));
});
