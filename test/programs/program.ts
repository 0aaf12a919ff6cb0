// Loads, links and runs a program of testdata, and compares what it leaves with what the host computed.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { renderText } from "../../lib/diag/render-text.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link.js";
import { assembleInput } from "../../lib/link/open-input.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { loadImage } from "../../lib/load/load.js";
import { compareOutput, readExpectation, type Comparison } from "../../lib/report/expectation.js";
import { runSpec, type RunReport } from "../../lib/report/run.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));

export const programNames: readonly string[] = readdirSync(path.join(testdata, "programs"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

export interface ProgramRun {
  readonly report: RunReport<never>;
  readonly comparisons: readonly Comparison[];
  readonly expectedPrintf: string | undefined;
}

/** Runs one program; throws with the diagnostics where it cannot. */
export async function runProgram(folder: string): Promise<ProgramRun> {
  const at = (name: string): string => path.join(testdata, folder, name);
  const sink = createSink();
  const fail = (): never => {
    throw new Error(renderText(sink.all));
  };
  const { modules } = JSON.parse(readFileSync(at("program.json"), "utf8")) as { modules: readonly string[] };
  const objects = modules.flatMap((name) => {
    const input = assembleInput({ name, bytes: readFileSync(at(name)) }, sink);
    return input?.kind === "object" ? [input.object] : [];
  });
  if (sink.errorCount > 0) fail();
  const image = linkObjects(objects, {}, sink) ?? fail();
  const source = { name: "launch.json", bytes: readFileSync(at("launch.json")) };
  const spec = readLaunchSpec(source, sink, { readFile: (name) => readFileSync(at(name)) }) ?? fail();
  const report = (await runSpec<never>(loadImage(image), spec, sink)) ?? fail();
  const expected = readExpectation(readFileSync(at("expected.json"), "utf8"), (name) => readFileSync(at(name)));
  const comparisons = expected.outputs.map((output) =>
    compareOutput(output, report.outputs.find(({ name }) => name === output.name)?.bytes ?? new Uint8Array()),
  );
  return { report, comparisons, expectedPrintf: expected.printf };
}
