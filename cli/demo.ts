// npm run demo: the main job on a real program, testdata/demo: seven modules linked, the image shown, loaded and run, every
// output element compared with what the host computed, and the run timed on a model of the A100.

import path from "node:path";
import { fileURLToPath } from "node:url";
import { renderText } from "../lib/diag/render-text.js";
import { createSink, type DiagnosticSink } from "../lib/diag/sink.js";
import { inspectFile } from "../lib/inspect/inspect.js";
import type { Inspection, ViewName } from "../lib/inspect/inspection.js";
import { assembleInput } from "../lib/link/inputs/open-input.js";
import { linkObjects } from "../lib/link/link-objects.js";
import { readLaunchSpec } from "../lib/load/launch-spec.js";
import { loadImage } from "../lib/load/load.js";
import { readObject } from "../lib/object/file/read.js";
import type { LinkedImage } from "../lib/object/object.js";
import { writeObject } from "../lib/object/file/write.js";
import { compareOutput, readExpectation } from "../lib/report/expectation.js";
import { renderInspection } from "../lib/report/inspect-text.js";
import { runSpec, type OutputReport, type RunReport } from "../lib/report/run.js";
import { ansiStyler, plainStyler } from "../lib/report/style.js";
import { renderTable } from "../lib/report/table.js";
import { timedOn } from "../lib/report/timed.js";
import { timingText } from "../lib/report/timing-text.js";
import { findGpu } from "../lib/timing/gpus.js";
import type { TimingResult } from "../lib/timing/result.js";
import { isColored } from "./color.js";
import { nodeHost, type Host } from "./host.js";
import { createProgress } from "./progress.js";

const folder = fileURLToPath(new URL("../../testdata/demo/", import.meta.url));
const imageName = "still-life.img";
const gpuName = "a100";
/** In front of lines under a heading. */
const indent = "  ";

/** Runs the demo; whether everything matched. */
async function demo(host: Host): Promise<boolean> {
  const sink = createSink();
  const color = isColored("auto", host.outColumns, host.environment);
  const style = color ? ansiStyler : plainStyler;
  const width = host.outColumns;
  const say = (...lines: readonly string[]): void => host.out(`${lines.join("\n")}\n`);
  const heading = (text: string): void => say("", style("heading", text), "");
  const stop = (): false => {
    host.err(renderText(sink.all, { color }));
    return false;
  };
  const read = (name: string): Uint8Array => host.read(path.join(folder, name));
  const text = (name: string): string => Buffer.from(read(name)).toString("utf8");
  const program = JSON.parse(text("program.json")) as { title: string; modules: readonly string[]; arch: string };

  heading(program.title);
  say(`${indent}Compiled one by one, linked, run without a GPU, compared with the host`, "");
  const objects = program.modules.flatMap((name) => {
    const input = assembleInput({ name, bytes: read(name) }, sink);
    return input?.kind === "object" ? [input.object] : [];
  });
  if (sink.errorCount > 0) return stop();
  say(
    ...renderTable(
      [
        { title: "module", role: "name" },
        { title: "made by" },
        { title: "defines", shrinks: true },
        { title: "needs", shrinks: true },
      ],
      objects.map((object) => {
        const names = (defined: boolean): string =>
          object.symbols
            .filter((s) => s.linkage !== "static" && (s.placement.kind !== "undefined") === defined)
            .map((s) => (s.linkage === "weak" || s.linkage === "common" ? `${s.name} (${s.linkage})` : s.name))
            .join(" ");
        return [
          object.name,
          text(object.name).includes("NVIDIA NVVM Compiler") ? "nvcc" : "hand",
          names(true),
          names(false),
        ];
      }),
      { width, indent: 2, style },
    ),
  );

  heading("1. Link");
  const started = process.cpuUsage();
  const image = linkObjects(objects, { name: imageName }, sink);
  if (image === undefined) return stop();
  const bytes = writeObject(image);
  const { user, system } = process.cpuUsage(started);
  say(
    `  ${objects.length} objects → ${imageName}, ${bytes.length} bytes, in ${((user + system) / 1000).toFixed(1)} ms of CPU time`,
  );

  heading("2. What is in the image");
  showImage(bytes, sink, say, { width, style });

  heading("3. Load and run");
  // Loads the image from its bytes, like a written file.
  const loaded = readObject(bytes, imageName, sink) as LinkedImage | undefined;
  const source = { name: "launch.json", bytes: read("launch.json") };
  const spec = readLaunchSpec(source, sink, { readFile: read });
  const gpu = findGpu(gpuName);
  if (loaded === undefined || spec === undefined || gpu === undefined) return stop();
  const progress = createProgress(host, "blocks");
  const report: RunReport<TimingResult> | undefined = await runSpec(loadImage(loaded), spec, sink, {
    onProgress: progress.update,
    time: timedOn(gpu),
  }).finally(() => progress.clear());
  if (report === undefined || report.fault !== undefined) {
    if (report?.fault !== undefined) host.err(`${report.fault.message}\n`);
    return stop();
  }
  say(
    ...renderTable(
      [
        { title: "kernel", role: "name" },
        { title: "blocks", align: "right" },
        { title: "threads", align: "right" },
        { title: "warp instructions", align: "right" },
        { title: "thread instructions", align: "right" },
      ],
      report.launches.map(({ kernel, grid, block, warpInstructions, threadInstructions }) => {
        const blocks = grid[0] * grid[1] * grid[2];
        const threads = blocks * block[0] * block[1] * block[2];
        return [kernel, ...[blocks, threads, warpInstructions, threadInstructions].map(String)];
      }),
      { width, indent: 2, style },
    ),
    "",
    "  The kernels printed:",
    ...report.printf
      .trimEnd()
      .split("\n")
      .map((line) => `    ${line}`),
  );
  showPicture(report.outputs, say);

  heading("4. Compare with the host");
  const matched = compare(report, text("expected.json"), read, say, { width, style });

  heading(`5. Time on a model of the ${gpu.name.toUpperCase()}`);
  say(
    ...timingText(
      report.launches.flatMap(({ kernel, timing }) => (timing === undefined ? [] : [{ kernel, timing }])),
      { width, style },
    ),
  );
  say(
    "",
    matched
      ? "Every element of every output is what the host computed."
      : style("warning", "Some outputs are not what the host computed."),
  );
  return matched;
}

type Layout = { readonly width: number | undefined; readonly style: typeof plainStyler };
type Say = (...lines: readonly string[]) => void;

function showImage(bytes: Uint8Array, sink: DiagnosticSink, say: Say, layout: Layout): void {
  const views: readonly ViewName[] = ["sections", "symbols", "relocations", "kernels"];
  const result = inspectFile({ name: imageName, bytes }, { views }, sink);
  if (result.kind !== "inspected") return;
  say(
    ...renderInspection(programsOwn(result.inspection), {
      ...layout,
      width: layout.width && layout.width - indent.length,
    })
      .trimEnd()
      .split("\n")
      .map((line) => (line === "" ? "" : `${indent}${line}`)),
  );
}

/** The program's own parts; `ptxkit inspect` shows the container's sections and symbols too. */
function programsOwn(inspection: Inspection): Inspection {
  const { sections = [], symbols = [], relocations = [] } = inspection;
  const isOwn = new Set(sections.filter(({ group }) => group === "code" || group === "data").map(({ name }) => name));
  return {
    ...inspection,
    functions: [],
    sections: sections.filter(({ name }) => isOwn.has(name) && !name.startsWith(".nv.constant0")),
    symbols: symbols.map((table) => {
      const own = table.symbols.filter(({ type, name }) => type.value !== "STT_SECTION" && !name.startsWith("$str"));
      return { ...table, symbols: own, count: own.length + 1 };
    }),
    relocations: relocations.filter(({ target }) => target?.name.startsWith(".nv.") === true),
  };
}

/** The picture that the last kernel engraved: 72 characters a line. */
function showPicture(outputs: readonly OutputReport[], say: Say): void {
  const picture = outputs.find(({ name }) => name === "picture");
  if (picture === undefined) return;
  const lines = Buffer.from(picture.bytes).toString("latin1").match(/.{72}/gs) ?? [];
  say("", ...lines.map((line) => `    ${line}`));
}

function compare(
  report: RunReport<TimingResult>,
  expectedText: string,
  read: (name: string) => Uint8Array,
  say: Say,
  { width, style }: Layout,
): boolean {
  const expected = readExpectation(expectedText, read);
  const comparisons = expected.outputs.map((output) =>
    compareOutput(output, report.outputs.find(({ name }) => name === output.name)?.bytes ?? new Uint8Array()),
  );
  const printed = expected.printf === undefined || expected.printf === report.printf;
  say(
    ...renderTable(
      [
        { title: "output", role: "name" },
        { title: "elements", align: "right" },
        { title: "differ", align: "right" },
        { title: "" },
      ],
      [
        ...comparisons.map(({ name, elements, mismatches, examples }) => [
          name,
          String(elements),
          String(mismatches),
          examples.map((e) => `[${e.index}] is ${e.actual}, expected ${e.expected}`).join("; "),
        ]),
        [
          "printf",
          String(report.printf.trimEnd().split("\n").length),
          printed ? "0" : "1",
          printed ? "" : "the text differs",
        ],
      ],
      { width, indent: 2, style },
    ),
  );
  return printed && comparisons.every(({ mismatches }) => mismatches === 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await demo(nodeHost())) ? 0 : 1;
