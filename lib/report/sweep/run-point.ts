// Executes one run of a sweep: loads the image anew, fills in the launch, and times its launches.

import { createSink } from "../../diag/sink.js";
import { readLaunchSpec } from "../../load/launch-spec.js";
import { loadImage } from "../../load/load.js";
import type { LinkedImage } from "../../object/object.js";
import type { GpuModel } from "../../timing/gpus/model.js";
import { runSpec } from "../run.js";
import { timedOn } from "../timed.js";
import { rowOf, type SweepResult } from "./sweep-rows.js";
import { launchOf, type SweepPoint, type SweepSpec } from "./sweep-spec.js";

export interface SweepProgram {
  readonly image: LinkedImage;
  readonly spec: SweepSpec;
  readonly modelOf: (name: string) => GpuModel;
  /** Reads a file that the launch names. */
  readonly readFile: (name: string) => Uint8Array;
}

export async function runPoint(
  { image, spec, modelOf, readFile }: SweepProgram,
  point: SweepPoint,
): Promise<SweepResult> {
  const wrong = (problem: string): SweepResult => ({ point, rows: [], problem });
  const filled = launchOf(spec, point);
  if (!filled.ok) return wrong(filled.problem);
  const sink = createSink();
  const source = { name: "launch", bytes: new TextEncoder().encode(JSON.stringify(filled.json)) };
  const launch = readLaunchSpec(source, sink, { readFile });
  const report =
    launch === undefined
      ? undefined
      : await runSpec(loadImage(image), launch, sink, { time: timedOn(modelOf(point.gpu)) });
  if (report === undefined) return wrong(sink.all.map(({ message }) => message).join("; "));
  if (report.fault !== undefined) return wrong(`${report.fault.kind}: ${report.fault.message}`);
  const rows = report.launches.flatMap((one, i) =>
    one.timing === undefined ? [] : [rowOf(point, i + 1, { ...one, timing: one.timing })],
  );
  return { point, rows };
}
