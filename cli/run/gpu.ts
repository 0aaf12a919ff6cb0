// Implements `run --gpu NAME`. In a file of its own, because the models and the timing of launches are loaded on demand.

import { nearest } from "../../lib/base/nearest.js";
import type { DiagnosticSink } from "../../lib/diag/sink.js";
import { cubinFacts } from "../../lib/report/cubin-facts.js";
import { timedOn } from "../../lib/report/timed.js";
import { gpuFromJson } from "../../lib/timing/gpus/custom-gpu.js";
import { findGpu, gpuModels } from "../../lib/timing/gpus/gpus.js";
import type { GpuModel } from "../../lib/timing/gpus/model.js";
import type { KernelFacts } from "../../lib/timing/time-launch.js";
import { UsageError } from "../base/status.js";
import { traceEvents, type TraceOptions } from "./trace.js";

export interface GpuOptions extends TraceOptions {
  /** Unless false, the L2 cache keeps its contents from one launch to the next. */
  readonly warm?: boolean;
  /** Cubins with the machine code of the same kernels. */
  readonly cubin?: readonly string[];
  readonly read: (file: string) => Uint8Array;
}

/** Times launches on the GPU model with that name, or from that file. Throws UsageError. */
export function timedOnGpu(
  name: string,
  { warm = true, cubin = [], read, ...options }: GpuOptions,
  sink: DiagnosticSink,
): ReturnType<typeof timedOn> {
  const events = traceEvents(options);
  const kernels = new Map(cubin.flatMap((file) => [...factsOf(file, read, sink)]));
  return timedOn(modelNamed(name, read), { warm, kernels, ...(events === undefined ? {} : { events }) });
}

function factsOf(
  file: string,
  read: (file: string) => Uint8Array,
  sink: DiagnosticSink,
): ReadonlyMap<string, KernelFacts> {
  const facts = cubinFacts({ name: file, bytes: read(file) }, sink);
  if (facts !== undefined && [...facts.values()].some(({ registers }) => registers !== undefined)) return facts;
  if (sink.errorCount > 0) return new Map();
  throw new UsageError(
    `--cubin ${file}: it is not a cubin of NVIDIA's with kernels`,
    "ptxas -arch sm_90 a.ptx -o a.cubin makes one",
  );
}

export function modelNamed(name: string, read: (file: string) => Uint8Array): GpuModel {
  const model = findGpu(name);
  if (model !== undefined) return model;
  if (isModelFile(name)) {
    const answer = gpuFromJson(new TextDecoder().decode(readOrRefuse(name, read)));
    if (answer.ok) return answer.model;
    throw new UsageError(
      `--gpu ${name}: ${answer.problem}`,
      'such as {"extends": "h100", "sms": 114, "clockMHz": 1755}',
    );
  }
  throw new UsageError(
    `--gpu ${name}: there is no such model; there are ${gpuModels.map((each) => each.name).join(", ")}`,
    modelRemedy(name),
  );
}

const isModelFile = (name: string): boolean => /\.json$/i.test(name);

/** Whether a name is that of a model, or of a file that may contain one. */
export const isModelName = (name: string): boolean => findGpu(name) !== undefined || isModelFile(name);

/** The remedy for a name that is neither. */
export function modelRemedy(name: string): string {
  const names = gpuModels.map((each) => each.name);
  const [meant] = nearest(name, names);
  return meant === undefined
    ? "a model of your own is a file: --gpu my.json; ptxkit gpus lists the library's"
    : `did you mean '${meant}'?`;
}

function readOrRefuse(name: string, read: (file: string) => Uint8Array): Uint8Array {
  try {
    return read(name);
  } catch (error) {
    throw new UsageError(`--gpu ${name}: cannot read the file: ${(error as Error).message}`);
  }
}
