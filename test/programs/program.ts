// Loads, links and runs a program of testdata, and compares what it leaves with what the host computed.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { renderText } from "../../lib/diag/render-text.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import type { LinkOptions } from "../../lib/link/options.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import type { LinkedImage, RelocObject } from "../../lib/object/object.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { loadImage } from "../../lib/load/load.js";
import { compareOutput, readExpectation, type Comparison } from "../../lib/report/expectation.js";
import { runSpec, type RunOptions, type RunReport } from "../../lib/report/run.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));

export const programNames: readonly string[] = readdirSync(path.join(testdata, "programs"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

export interface ProgramRun {
  readonly report: RunReport<never>;
  readonly comparisons: readonly Comparison[];
  readonly expectedPrintf: string | undefined;
}

const at = (folder: string, name: string): string => path.join(testdata, folder, name);

const failWith = (sink: DiagnosticSink): never => {
  throw new Error(renderText(sink.all));
};

/** The modules of a program, assembled; throws with the diagnostics where they cannot be. */
export function programObjects(folder: string): readonly RelocObject[] {
  const sink = createSink();
  const { modules } = JSON.parse(readFileSync(at(folder, "program.json"), "utf8")) as { modules: readonly string[] };
  const objects = modules.flatMap((name) => {
    const input = assembleInput({ name, bytes: readFileSync(at(folder, name)) }, sink);
    return input?.kind === "object" ? [input.object] : [];
  });
  return sink.errorCount > 0 ? failWith(sink) : objects;
}

/** Links one program; throws with the diagnostics where it cannot. */
export function linkProgram(folder: string, options: LinkOptions = {}): LinkedImage {
  const sink = createSink();
  return linkObjects(programObjects(folder), options, sink) ?? failWith(sink);
}

/** Runs one program; throws with the diagnostics where it cannot. */
export async function runProgram(
  folder: string,
  image: LinkedImage = linkProgram(folder),
  options: RunOptions<never> = {},
): Promise<ProgramRun> {
  const sink = createSink();
  const fail = (): never => failWith(sink);
  const source = { name: "launch.json", bytes: readFileSync(at(folder, "launch.json")) };
  const spec = readLaunchSpec(source, sink, { readFile: (name) => readFileSync(at(folder, name)) }) ?? fail();
  const report = (await runSpec<never>(loadImage(image), spec, sink, options)) ?? fail();
  const expected = readExpectation(readFileSync(at(folder, "expected.json"), "utf8"), (name) =>
    readFileSync(at(folder, name)),
  );
  const comparisons = expected.outputs.map((output) =>
    compareOutput(output, report.outputs.find(({ name }) => name === output.name)?.bytes ?? new Uint8Array()),
  );
  return { report, comparisons, expectedPrintf: expected.printf };
}
