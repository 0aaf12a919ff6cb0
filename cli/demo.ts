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
import type { LinkedImage, ObjectFile } from "../lib/object/object.js";
import { writeObject } from "../lib/object/file/write.js";
import { compareOutput, readExpectation } from "../lib/report/expectation.js";
import { renderInspection } from "../lib/report/inspect-text.js";
import type { OutputReport } from "../lib/report/prepare-spec.js";
import { runSpec, type RunReport } from "../lib/report/run.js";
import { ansiStyler, plainStyler } from "../lib/report/style.js";
import { renderTable } from "../lib/report/table.js";
import { timedOn } from "../lib/report/timed.js";
import { timingText } from "../lib/report/timing-text.js";
import { findGpu } from "../lib/timing/gpus/gpus.js";
import type { TimingResult } from "../lib/timing/result/result.js";
import { isColored } from "./base/color.js";
import { nodeHost, type Host } from "./files/host.js";
import { createProgress } from "./terminal/progress.js";

const folder = fileURLToPath(new URL("../../testdata/demo/", import.meta.url));
const imageName = "still-life.img";
const gpuName = "a100";
/** Indent of lines under a heading. */
const indent = "  ";

/** The demo's program: testdata/demo/program.json. */
interface Program {
  readonly title: string;
  readonly modules: readonly string[];
  readonly arch: string;
}

/** Streams and styles of the demo. */
interface Show extends Layout {
  readonly host: Host;
  readonly sink: DiagnosticSink;
  readonly say: Print;
  readonly heading: (text: string) => void;
}

/** Runs the demo; returns whether every output matched. */
async function demo(host: Host): Promise<boolean> {
  const sink = createSink();
  const color = isColored("auto", host.outColumns, host.environment);
  const style = color ? ansiStyler : plainStyler;
  const say = (...lines: readonly string[]): void => host.out(`${lines.join("\n")}\n`);
  const heading = (text: string): void => say("", style("heading", text), "");
  const show: Show = { host, sink, say, heading, style, width: host.outColumns };
  const bytes = linkDemo(show);
  const report = bytes && (await runDemo(bytes, show));
  if (report === undefined) {
    host.err(renderText(sink.all, { color }));
    return false;
  }
  return compareDemo(report, show);
}

const read = (host: Host, name: string): Uint8Array => host.read(path.join(folder, name));
const textOf = (host: Host, name: string): string => Buffer.from(read(host, name)).toString("utf8");

/** Assembles and links the modules; the image's bytes, or undefined after a report. */
function linkDemo(show: Show): Uint8Array | undefined {
  const { host, sink, say, heading } = show;
  const program = JSON.parse(textOf(host, "program.json")) as Program;
  heading(program.title);
  say(`${indent}Compiled one by one, linked, run without a GPU, compared with the host`, "");
  const objects = program.modules.flatMap((name) => {
    const input = assembleInput({ name, bytes: read(host, name) }, sink);
    return input?.kind === "object" ? [input.object] : [];
  });
  if (sink.errorCount > 0) return undefined;
  showModules(objects, show);
  heading("1. Link");
  const started = process.cpuUsage();
  const image = linkObjects(objects, { name: imageName }, sink);
  if (image === undefined) return undefined;
  const bytes = writeObject(image);
  const { user, system } = process.cpuUsage(started);
  say(
    `  ${objects.length} objects → ${imageName}, ${bytes.length} bytes, in ${((user + system) / 1000).toFixed(1)} ms of CPU time`,
  );
  heading("2. What is in the image");
  showImage(bytes, show);
  return bytes;
}

function showModules(objects: readonly ObjectFile[], { host, say, width, style }: Show): void {
  const columns = [
    { title: "module", role: "name" },
    { title: "made by" },
    { title: "defines", shrinks: true },
    { title: "needs", shrinks: true },
  ] as const;
  const rows = objects.map(({ name, symbols }) => {
    const names = (defined: boolean): string =>
      symbols
        .filter((s) => s.linkage !== "static" && (s.placement.kind !== "undefined") === defined)
        .map((s) => (s.linkage === "weak" || s.linkage === "common" ? `${s.name} (${s.linkage})` : s.name))
        .join(" ");
    const maker = textOf(host, name).includes("NVIDIA NVVM Compiler") ? "nvcc" : "hand";
    return [name, maker, names(true), names(false)];
  });
  say(...renderTable(columns, rows, { width, indent: 2, style }));
}

/** Loads the image from its bytes, like a written file, and runs it; undefined after a report. */
async function runDemo(bytes: Uint8Array, show: Show): Promise<RunReport<TimingResult> | undefined> {
  const { host, sink, heading } = show;
  heading("3. Load and run");
  const loaded = readObject(bytes, imageName, sink) as LinkedImage | undefined;
  const source = { name: "launch.json", bytes: read(host, "launch.json") };
  const spec = readLaunchSpec(source, sink, { readFile: (name) => read(host, name) });
  const gpu = findGpu(gpuName);
  if (loaded === undefined || spec === undefined || gpu === undefined) return undefined;
  const progress = createProgress(host, "blocks");
  const report: RunReport<TimingResult> | undefined = await runSpec(loadImage(loaded), spec, sink, {
    onProgress: progress.update,
    time: timedOn(gpu),
  }).finally(() => progress.clear());
  if (report?.fault !== undefined) {
    host.err(`${report.fault.message}\n`);
    return undefined;
  }
  if (report !== undefined) showRun(report, show);
  return report;
}

function showRun(report: RunReport<TimingResult>, { say, width, style }: Show): void {
  const columns = [
    { title: "kernel", role: "name" },
    { title: "blocks", align: "right" },
    { title: "threads", align: "right" },
    { title: "warp instructions", align: "right" },
    { title: "thread instructions", align: "right" },
  ] as const;
  const rows = report.launches.map(({ kernel, grid, block, warpInstructions, threadInstructions }) => {
    const blocks = grid[0] * grid[1] * grid[2];
    const threads = blocks * block[0] * block[1] * block[2];
    return [kernel, ...[blocks, threads, warpInstructions, threadInstructions].map(String)];
  });
  const printed = report.printf.trimEnd().split("\n");
  say(
    ...renderTable(columns, rows, { width, indent: 2, style }),
    "",
    "  The kernels printed:",
    ...printed.map((line) => `    ${line}`),
  );
  showPicture(report.outputs, say);
}

/** Whether every output is what the host computed. */
function compareDemo(report: RunReport<TimingResult>, show: Show): boolean {
  const { host, say, heading, width, style } = show;
  heading("4. Compare with the host");
  const matched = compare(report, textOf(host, "expected.json"), (name) => read(host, name), say, show);
  heading(`5. Time on a model of the ${gpuName.toUpperCase()}`);
  const launches = report.launches.flatMap(({ kernel, timing }) => (timing === undefined ? [] : [{ kernel, timing }]));
  say(
    ...timingText(launches, { width, style }),
    "",
    matched
      ? "Every element of every output is what the host computed."
      : style("warning", "Some outputs are not what the host computed."),
  );
  return matched;
}

type Layout = { readonly width: number | undefined; readonly style: typeof plainStyler };
type Print = (...lines: readonly string[]) => void;

function showImage(bytes: Uint8Array, { sink, say, width, style }: Show): void {
  const views: readonly ViewName[] = ["sections", "symbols", "relocations", "kernels"];
  const result = inspectFile({ name: imageName, bytes }, { views }, sink);
  if (result.kind !== "inspected") return;
  say(
    ...renderInspection(programsOwn(result.inspection), {
      style,
      width: width && width - indent.length,
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
function showPicture(outputs: readonly OutputReport[], say: Print): void {
  const picture = outputs.find(({ name }) => name === "picture");
  if (picture === undefined) return;
  const lines = Buffer.from(picture.bytes).toString("latin1").match(/.{72}/gs) ?? [];
  say("", ...lines.map((line) => `    ${line}`));
}

function compare(
  report: RunReport<TimingResult>,
  expectedText: string,
  read: (name: string) => Uint8Array,
  say: Print,
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
