// Executes one run of a sweep: loads the image anew, fills in the launch, and times its launches.

import type { TextPlace } from "../../diag/diagnostic.js";
import { createSink, reportAgain, type DiagnosticSink } from "../../diag/sink.js";
import { jsonPlaceOfPart } from "../../load/json-place.js";
import { readLaunchSpec } from "../../load/launch-spec.js";
import { loadImage } from "../../load/load.js";
import type { LinkedImage } from "../../object/object.js";
import type { GpuModel } from "../../timing/gpus/model.js";
import type { Source } from "../../ptx/source-text.js";
import { checkSpec } from "../prepare-spec.js";
import { runSpec } from "../run.js";
import { timedOn } from "../timed.js";
import { rowOf, type SweepResult } from "./sweep-rows.js";
import { launchOf, pointsOf, type SweepJson, type SweepPoint, type SweepSpec } from "./sweep-spec.js";

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
  const launch = readLaunchSpec(sourceOf(filled.json), sink, { readFile });
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

const sourceOf = (json: SweepJson): Source => ({
  name: "launch",
  bytes: new TextEncoder().encode(JSON.stringify(json)),
});

/**
 * Checks the launch of the first run, so that what is wrong in every run is reported once, before any of them. Places are those
 * of `source`, the sweep's specification.
 */
export function checkLaunch({ image, spec, readFile }: SweepProgram, source: Source, sink: DiagnosticSink): boolean {
  const [first] = pointsOf(spec);
  const filled = launchOf(spec, first!);
  // readSweep has reported wrong arithmetic.
  if (!filled.ok) return true;
  const found = createSink();
  const written = sourceOf(filled.json);
  const launch = readLaunchSpec(written, found, { readFile });
  if (launch !== undefined) checkSpec(loadImage(image), launch, found);
  const placeInSweep = ({ start }: TextPlace): TextPlace => jsonPlaceOfPart(source, ["launch"], written.bytes, start);
  reportAgain(
    found.all.map((each) => (each.place?.kind === "text" ? { ...each, place: placeInSweep(each.place) } : each)),
    sink,
  );
  return found.errorCount === 0;
}
