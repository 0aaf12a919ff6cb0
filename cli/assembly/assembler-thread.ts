// A thread that assembles, seen from the program. Batches are answered in order. An exception there, which is a defect, is thrown
// again here.

import { Worker } from "node:worker_threads";
import type { AssemblyOptions, Batch, BatchResult } from "./assembler-batch.js";

export interface AssemblerThread {
  assemble(batch: Batch): Promise<BatchResult>;
  /** Terminates the thread, even in the middle of a batch. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (answer: BatchResult) => void;
  readonly reject: (error: unknown) => void;
}

export function startAssembler(options: AssemblyOptions): AssemblerThread {
  const worker = new Worker(new URL("./assembler-worker.js", import.meta.url), { workerData: options });
  const waiting: Waiting[] = [];
  worker.on("message", (answer: BatchResult) => waiting.shift()?.resolve(answer));
  worker.on("error", (error: unknown) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  return {
    assemble: (batch) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        worker.postMessage(batch, [batch.texts.bytes.buffer]);
      }),
    close: async () => void (await worker.terminate()),
  };
}
