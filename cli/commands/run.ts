// ptxkit run: loads an image, linking it first if necessary, and executes kernels.

import path from "node:path";
import { writeNpy } from "../../formats/npy/index.js";
import type { FaultDump } from "../../lib/exec/launch/dump.js";
import { isWarning } from "../../lib/exec/sanitize/finding.js";
import type { EngineName } from "../../lib/exec/state/launch.js";
import type { AsyncMode } from "../../lib/exec/state/pending.js";
import { reportFault } from "../../lib/report/fault.js";
import { reportFinding } from "../../lib/report/findings.js";
import { readSuppressions } from "../../lib/report/suppressions.js";
import { columnsIn } from "../terminal/columns.js";
import type { InspectionOptions } from "../options/inspection-options.js";
import { loadImage } from "../../lib/load/load.js";
import { runJsonParts } from "../../lib/report/run-json.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { runTextParts, timedLaunches } from "../../lib/report/run-text.js";
import type { OutputReport } from "../../lib/report/prepare-spec.js";
import { runSpec, type RunOptions, type RunReport } from "../../lib/report/run.js";
import type { LaunchSpec } from "../../lib/load/launch-spec.js";
import type { Process } from "../../lib/load/process.js";
import type { Inspection } from "../run/inspection.js";
import type { TimingResult } from "../../lib/timing/result/result.js";
import { inSession, type CommonOptions, type Session } from "../options/common.js";
import type { Host } from "../files/host.js";
import { readSource } from "../inputs/inputs.js";
import { guardReads, placeOf, writeTogether } from "../files/outputs.js";
import type { LinkOptionValues } from "../options/link-options.table.js";
import type { PlacedInput } from "../inputs/placed-inputs.js";
import { createProgress } from "../terminal/progress.js";
import { readImage, specification, wantedLaunch, type LaunchWords } from "../run/run-inputs.js";
import { status, UsageError, type Status } from "../base/status.js";
import type { TraceOptions } from "../run/trace.js";
import { chunksOf } from "../files/stream.js";

/** Lines that --hot lists; --json lists all. */
const HOT_LINES = 10;

/** Format of the files that --out writes: .npy, or only the elements, in little endian. */
type OutFormat = "npy" | "raw";

export interface RunCommandOptions
  extends CommonOptions, Pick<LinkOptionValues, "libraryPath">, LaunchWords, InspectionOptions, TraceOptions {
  readonly json?: boolean;
  readonly out?: string;
  readonly outFormat?: OutFormat;
  readonly gpu?: string;
  /** Unless false, the L2 cache keeps its contents from one launch to the next. */
  readonly warm?: boolean;
  readonly hot?: boolean;
  readonly cubin?: readonly string[];
  readonly maxInstructions?: number;
  readonly engine?: EngineName;
  readonly sanitize?: boolean;
  readonly suppressions?: string;
  readonly dump?: string;
  readonly async?: AsyncMode;
  /** Threads, including this one. Default: the available parallelism. */
  readonly jobs?: number;
}

/** Options that need a GPU model (--gpu). */
const timed: readonly (readonly [option: keyof RunCommandOptions, flag: string])[] = [
  ["warm", "--warm or --no-warm"],
  ["hot", "--hot"],
  ["trace", "--trace"],
  ["cubin", "--cubin"],
  ["traceFormat", "--trace-format"],
  ["traceSms", "--trace-sms"],
  ["traceLimit", "--trace-limit"],
];

/** Options that need --trace. */
const traced = timed.filter(([option]) => option !== "trace" && option.startsWith("trace"));

export function run(files: readonly PlacedInput[], options: RunCommandOptions, given: Host): Promise<Status> {
  const { host, check } = guardReads(
    given,
    files.flatMap(({ name, found }) => [name, ...(found === undefined ? [] : [found])]),
  );
  return inSession(host, options, async (session) => {
    refuseContradictions(options, host);
    if (options.gpu === "help") return listGpus(host);
    refuseUntimed(options);
    const wanted = wantedLaunch(options);
    const time = await timing(options, session);
    const spec = specification(wanted, session);
    const suppressions = suppressionsOf(options, session);
    const image = await readImage(files, options, spec, session);
    if (image === undefined || spec === undefined || session.sink.errorCount > 0) return status.wrongInput;
    check(outputFiles(options, spec));
    const done = await execute(loadImage(image), spec, time, options, session);
    if (done === undefined) return status.wrongInput;
    const found = suppressions?.apply(done.report.findings ?? []);
    const shown = {
      ...done.report,
      ...done.inspection?.members(),
      ...(found === undefined ? {} : { findings: found.kept, suppressed: found.suppressed }),
    };
    await writeFiles(shown, done, options, host);
    show(shown, done.inspection, options, session);
    return reportFaults(shown, session);
  });
}

type Report = RunReport<TimingResult>;
type Timer = NonNullable<RunOptions<TimingResult>["time"]>;

/** The result of a run. */
interface Executed {
  readonly report: Report;
  readonly inspection: Inspection | undefined;
  /** The state at the first fault, with --dump. */
  readonly dumped: FaultDump | undefined;
}

async function listGpus(host: Host): Promise<Status> {
  const { gpusText } = await import("../../lib/report/gpus-text.js");
  for (const line of gpusText({ width: host.outColumns })) host.out(`${line}\n`);
  return status.done;
}

function refuseUntimed(options: RunCommandOptions): void {
  for (const [option, flag] of timed)
    if (options[option] !== undefined && options.gpu === undefined)
      throw new UsageError(`${flag} requires --gpu`, "such as --gpu h100; ptxkit run --gpu help lists the models");
}

async function timing(options: RunCommandOptions, { host, sink }: Session): Promise<Timer | undefined> {
  if (options.gpu === undefined) return undefined;
  const { timedOnGpu } = await import("../run/gpu.js");
  return timedOnGpu(options.gpu, { ...options, read: (file) => host.read(file) }, sink);
}

const suppressionsOf = ({ suppressions: file }: RunCommandOptions, session: Session) =>
  file === undefined ? undefined : readSuppressions(file, readText(file, session), session.sink);

/** Every file that the run may write. */
function outputFiles(
  { out, outFormat = "npy", dump, trace }: RunCommandOptions,
  { outputs }: LaunchSpec,
): readonly (string | undefined)[] {
  const files = out === undefined ? [] : outputs.map(({ name }) => outputFile(out, outFormat, name));
  return [...files, dump, trace];
}

/** Runs the launches; undefined if an error was reported. Ctrl-C stops them. */
async function execute(
  process: Process,
  spec: LaunchSpec,
  time: Timer | undefined,
  options: RunCommandOptions,
  { host, sink }: Session,
): Promise<Executed | undefined> {
  const inspection = await inspectionOf(process, spec, options, host);
  let dumped: FaultDump | undefined;
  const interrupt = new AbortController();
  const release = host.onInterrupt(() => interrupt.abort());
  const progress = createProgress(host, "blocks");
  const report = await runSpec<TimingResult>(process, spec, sink, {
    signal: interrupt.signal,
    onProgress: progress.update,
    threads: Math.max(1, options.jobs ?? host.threads.available()),
    ...(options.engine === undefined ? {} : { engine: options.engine }),
    ...(options.async === undefined ? {} : { async: options.async }),
    ...(options.maxInstructions === undefined ? {} : { maxInstructions: options.maxInstructions }),
    ...(time === undefined ? {} : { time }),
    ...(options.dump === undefined ? {} : { onFault: (dump: FaultDump) => (dumped ??= dump) }),
    ...(options.sanitize === true ? { sanitize: { columnOf: columnsIn(host) } } : {}),
    ...(inspection === undefined ? {} : { probe: inspection.probe }),
  }).finally(() => {
    progress.clear();
    release();
  });
  return report && { report, inspection, dumped };
}

async function inspectionOf(
  process: Process,
  spec: LaunchSpec,
  options: RunCommandOptions,
  host: Host,
): Promise<Inspection | undefined> {
  if (options.watch === undefined && options.traceThread === undefined && options.break === undefined) return undefined;
  const { createInspection } = await import("../run/inspection.js");
  return createInspection(options, process, spec, options.json === true ? undefined : (text) => host.out(text));
}

async function writeFiles(
  { outputs, launches }: Report,
  { inspection, dumped }: Executed,
  options: RunCommandOptions,
  host: Host,
): Promise<void> {
  const { out, outFormat = "npy", dump: dumpFile, trace } = options;
  const dump = inspection?.dump ?? dumped;
  if (dumpFile !== undefined && dump !== undefined) writeDump(dumpFile, dump, host);
  if (out !== undefined) writeOutputs(out, outFormat, outputs, host);
  if (trace !== undefined) (await import("../run/trace.js")).writeTrace(options, timedLaunches(launches), host);
}

function show(
  report: Report,
  inspection: Inspection | undefined,
  options: RunCommandOptions,
  { host, outColor }: Session,
): void {
  const how = {
    mostElements: host.outColumns === undefined ? undefined : 64,
    width: host.outColumns,
    style: outColor ? ansiStyler : plainStyler,
    ...(options.hot === true ? { hotLines: HOT_LINES } : {}),
  };
  for (const part of chunksOf(options.json === true ? runJsonParts(report) : runTextParts(report, how))) host.out(part);
  for (const line of inspection?.missed() ?? []) host.err(`ptxkit: note: ${line}\n`);
}

function reportFaults({ findings = [], fault }: Report, { sink }: Session): Status {
  for (const finding of findings) reportFinding(finding, sink);
  if (fault !== undefined) reportFault(fault, sink);
  return fault !== undefined || !findings.every(isWarning) ? status.fault : status.done;
}

const readText = (file: string, session: Session): string => new TextDecoder().decode(readSource(file, session).bytes);

function refuseContradictions(options: RunCommandOptions, host: Host): void {
  if (options.suppressions !== undefined && options.sanitize !== true)
    throw new UsageError("--suppressions requires --sanitize");
  if (options.sanitize === true && options.gpu !== undefined)
    throw new UsageError("--sanitize and --gpu exclude each other", "leave one of them out");
  if ((options.watch ?? options.traceThread ?? options.break) !== undefined && options.gpu !== undefined)
    throw new UsageError("--watch, --trace-thread and --break exclude --gpu", "leave --gpu out");
  for (const [option, flag] of traced)
    if (options.gpu !== undefined && options[option] !== undefined && options.trace === undefined)
      throw new UsageError(`${flag} requires --trace`, "name a file for the trace: --trace FILE");
  for (const file of [options.trace, options.dump]) {
    const folder = file === undefined ? "." : path.dirname(file);
    // Check this first: the run may take hours, and its result would be lost.
    if (folder !== "." && folder !== options.out && !host.exists(folder))
      throw new UsageError(`cannot write ${file}: there is no folder ${folder}`, `make it first: mkdir -p ${folder}`);
  }
  const places = [options.trace, options.dump].flatMap((file) => (file === undefined ? [] : [placeOf(file, host)]));
  if (options.json === true && places.includes("-"))
    throw new UsageError("--json writes to standard output, and nothing else may", "name a file for --trace or --dump");
  if (new Set(places).size < places.length)
    throw new UsageError("--trace and --dump name one file", "give each a name of its own");
}

function writeDump(file: string, dump: FaultDump, host: Host): void {
  writeTogether(host, (host) => host.write(file, new TextEncoder().encode(`${JSON.stringify(dump)}\n`)));
}

/** NAME.npy for a buffer, symbol.NAME.npy for a symbol, image.NAME.npy for an image; raw elements as NAME.bin. */
function outputFile(folder: string, format: OutFormat, name: string): string {
  const stem = name.replace(/^(symbol|image):/, "$1.").replaceAll(/[/\\]/g, "_");
  return path.join(folder, `${stem}.${format === "npy" ? "npy" : "bin"}`);
}

function writeOutputs(folder: string, format: OutFormat, outputs: readonly OutputReport[], host: Host): void {
  writeTogether(host, (host) => {
    host.makeFolder(folder);
    for (const { name, type, bytes } of outputs) {
      const npy = (): Uint8Array => writeNpy({ type: type.npy, shape: [bytes.length / type.bytes], data: bytes });
      host.write(outputFile(folder, format, name), format === "npy" ? npy() : bytes);
    }
  });
}
