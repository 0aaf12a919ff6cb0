// `run --gpu NAME`. A file of its own, because the models and the timing of launches are loaded only when asked for.

import { timedOn } from "../lib/report/timed.js";
import { gpuFromJson } from "../lib/timing/custom-gpu.js";
import { findGpu, gpuModels } from "../lib/timing/gpus.js";
import type { GpuModel } from "../lib/timing/model.js";
import { UsageError } from "./status.js";
import { traceEvents, type TraceOptions } from "./trace.js";

export interface GpuOptions extends TraceOptions {
  /** Unless false, the L2 keeps what it holds from one launch to the next. */
  readonly warm?: boolean;
  readonly read: (file: string) => Uint8Array;
}

/** Times launches on the GPU model of that name, or of that file. Throws UsageError. */
export function timedOnGpu(name: string, { warm = true, read, ...options }: GpuOptions): ReturnType<typeof timedOn> {
  const events = traceEvents(options);
  return timedOn(modelNamed(name, read), { warm, ...(events === undefined ? {} : { events }) });
}

function modelNamed(name: string, read: (file: string) => Uint8Array): GpuModel {
  const model = findGpu(name);
  if (model !== undefined) return model;
  if (/\.json$/i.test(name)) {
    const answer = gpuFromJson(new TextDecoder().decode(readOrRefuse(name, read)));
    if (answer.ok) return answer.model;
    throw new UsageError(
      `--gpu ${name}: ${answer.problem}`,
      'such as {"extends": "h100", "sms": 114, "clockMHz": 1755}',
    );
  }
  throw new UsageError(
    `--gpu ${name}: there is no such model; there are ${gpuModels.map((each) => each.name).join(", ")}`,
    "a model of your own is a file: --gpu my.json",
  );
}

function readOrRefuse(name: string, read: (file: string) => Uint8Array): Uint8Array {
  try {
    return read(name);
  } catch (error) {
    throw new UsageError(`--gpu ${name}: cannot read the file: ${(error as Error).message}`);
  }
}

/** What `--gpu help` prints: a line for each model. */
export function gpuLines(): readonly string[] {
  const width = Math.max(...gpuModels.map(({ name }) => name.length));
  return gpuModels.map(
    ({ name, product, computeCapability, sms, clockMHz, l2, dram }) =>
      `${name.padEnd(width)}  ${product}: sm_${computeCapability}, ${sms} SMs at ${clockMHz} MHz, ${l2.mebibytes} MiB of L2, ${dram.gigabytesPerSecond} GB/s`,
  );
}
