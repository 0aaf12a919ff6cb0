// Asks the model: runs a launch specification on a GPU model in this process.

import { createSink } from "../../lib/diag/sink.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { loadImage } from "../../lib/load/load.js";
import { runSpec } from "../../lib/report/run.js";
import { timedOn } from "../../lib/report/timed.js";
import type { GpuModel } from "../../lib/timing/model.js";
import type { TimingResult } from "../../lib/timing/result.js";
import type { Runnable } from "./records.js";

/** What the model says of each launch. Throws with what was said where the program does not run. */
export async function predict(
  { name, source, specification, readFile }: Runnable,
  model: GpuModel,
): Promise<readonly TimingResult[]> {
  const sink = createSink();
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const input = assembleInput({ name, bytes: encode(source) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], { wholeProgram: true }, sink) : undefined;
  const spec = readLaunchSpec({ name: `${name}.json`, bytes: encode(specification) }, sink, { readFile });
  const report =
    image === undefined || spec === undefined
      ? undefined
      : await runSpec<TimingResult>(loadImage(image), spec, sink, { time: timedOn(model, { warm: false }) });
  if (report === undefined) throw new Error(sink.all.map(({ message }) => message).join("; "));
  if (report.fault !== undefined) throw new Error(report.fault.message);
  return report.launches.flatMap(({ timing }) => timing ?? []);
}
