// Predicts times: runs a launch specification on a GPU model in this process.

import { createSink } from "../../lib/diag/sink.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { loadImage } from "../../lib/load/load.js";
import { runSpec, type RunReport } from "../../lib/report/run.js";
import { timedOn } from "../../lib/report/timed.js";
import type { GpuModel } from "../../lib/timing/gpus/model.js";
import type { TimingResult } from "../../lib/timing/result/result.js";
import type { ClockedRunnable, Runnable } from "./records.js";

/** The timing of each launch. Throws with the diagnostics if the program does not run. */
export async function predict(runnable: Runnable, model: GpuModel): Promise<readonly TimingResult[]> {
  const { launches } = await run(runnable, model);
  return launches.flatMap(({ timing }) => timing ?? []);
}

/** Words of a warp's entry in the buffer of clocks: start, end, SM. */
const ENTRY = 4;

/**
 * Cycles of each launch of a microbenchmark, as its kernel reads them from the model's clock: the largest (last end - first
 * start) of an SM, as the record was measured.
 */
export async function predictClocks(runnable: ClockedRunnable, model: GpuModel): Promise<readonly number[]> {
  const { outputs } = await run(runnable, model, runnable.warm);
  const cycles = outputs.map(({ bytes }, launch) => {
    const words = new BigUint64Array(bytes.slice().buffer);
    const spans = new Map<bigint, { start: number; end: number }>();
    for (let at = 0; at < runnable.warps[launch]! * ENTRY; at += ENTRY) {
      const [start, end, sm] = [Number(words[at]), Number(words[at + 1]), words[at + 2]!];
      const span = spans.get(sm) ?? { start, end };
      spans.set(sm, { start: Math.min(span.start, start), end: Math.max(span.end, end) });
    }
    return Math.max(...[...spans.values()].map(({ start, end }) => end - start));
  });
  return runnable.repeated ? cycles.slice(cycles.length / 2) : cycles;
}

async function run(
  { name, source, specification, readFile }: Runnable,
  model: GpuModel,
  warm = false,
): Promise<RunReport<TimingResult>> {
  const sink = createSink();
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const input = assembleInput({ name, bytes: encode(source) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], { wholeProgram: true }, sink) : undefined;
  const spec = readLaunchSpec({ name: `${name}.json`, bytes: encode(specification) }, sink, { readFile });
  const report =
    image === undefined || spec === undefined
      ? undefined
      : await runSpec<TimingResult>(loadImage(image), spec, sink, { time: timedOn(model, { warm }) });
  if (report === undefined) throw new Error(sink.all.map(({ message }) => message).join("; "));
  if (report.fault !== undefined) throw new Error(report.fault.message);
  return report;
}
