// ptxkit run: load (linking first where needed) and execute.

import path from "node:path";
import { writeNpy } from "../../formats/npy/index.js";
import type { AsyncMode } from "../../lib/exec/async/pending.js";
import type { FaultDump } from "../../lib/exec/dump.js";
import { isWarning } from "../../lib/exec/sanitize/finding.js";
import { reportFault } from "../../lib/report/fault.js";
import { reportFinding } from "../../lib/report/findings.js";
import { readSuppressions } from "../../lib/report/suppressions.js";
import { columnsIn } from "../columns.js";
import type { InspectionOptions } from "../inspection-options.js";
import type { EngineName } from "../../lib/exec/launch.js";
import { linkObjects } from "../../lib/link/link.js";
import { readLaunchSpec, type LaunchSpec } from "../../lib/load/launch-spec.js";
import type { NameRoot } from "../../lib/link/archives/select-archive.js";
import { loadImage } from "../../lib/load/load.js";
import { hasRoom } from "../../lib/load/room.js";
import type { LinkedImage } from "../../lib/object/object.js";
import { runJsonParts } from "../../lib/report/run-json.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { runTextParts, timedLaunches } from "../../lib/report/run-text.js";
import { runSpec, type OutputReport } from "../../lib/report/run.js";
import type { TimingResult } from "../../lib/timing/result.js";
import { inSession, type CommonOptions, type Session } from "../common.js";
import { whileHolding } from "../engine.js";
import type { Host } from "../host.js";
import { withNvvmPlan } from "../nvvm-plan.js";
import { readSource } from "../inputs.js";
import { inputFacts, readInputs, type LinkInputs } from "../link-inputs.js";
import { shortLaunch, type ShortLaunch } from "../launch-arguments.js";
import { writeTogether } from "../outputs.js";
import { locateLibraries, type LibraryOptions, type PlacedInput } from "../placed-inputs.js";
import { createProgress } from "../progress.js";
import { status, UsageError, type Status } from "../status.js";
import type { TraceOptions } from "../trace.js";
import { chunksOf } from "../stream.js";

/** Lines that --hot lists; --json has all. */
const HOT_LINES = 10;

/** Of the files of --out: .npy, or the elements alone, little endian. */
type OutFormat = "npy" | "raw";

export interface RunCommandOptions extends CommonOptions, LibraryOptions, InspectionOptions, TraceOptions {
  readonly launch?: string;
  readonly kernel?: string;
  readonly grid?: string;
  readonly block?: string;
  readonly arg?: readonly string[];
  /** Bytes. */
  readonly shared?: number;
  readonly cooperative?: boolean;
  readonly json?: boolean;
  readonly out?: string;
  readonly outFormat?: OutFormat;
  readonly gpu?: string;
  /** Unless false, the L2 keeps what it holds from one launch to the next. */
  readonly warm?: boolean;
  readonly hot?: boolean;
  readonly cubin?: readonly string[];
  readonly maxInstructions?: number;
  readonly engine?: EngineName;
  readonly sanitize?: boolean;
  readonly suppressions?: string;
  readonly dump?: string;
  readonly async?: AsyncMode;
  /** Threads, this one included; as many as can run at a time unless given. */
  readonly jobs?: number;
}

/** Options that say something of a GPU model's times. */
const timed: readonly (readonly [option: keyof RunCommandOptions, flag: string])[] = [
  ["warm", "--warm or --no-warm"],
  ["hot", "--hot"],
  ["trace", "--trace"],
  ["cubin", "--cubin"],
];

export function run(files: readonly PlacedInput[], options: RunCommandOptions, host: Host): Promise<Status> {
  return inSession(host, options, async (session) => {
    refuseContradictions(options);
    if (options.gpu === "help") {
      for (const line of (await import("../../lib/report/gpus-text.js")).gpusText({ width: host.outColumns }))
        host.out(`${line}\n`);
      return status.done;
    }
    for (const [option, flag] of timed)
      if (options[option] !== undefined && options.gpu === undefined)
        throw new UsageError(`${flag} goes with --gpu`, "such as --gpu h100; ptxkit run --gpu help lists the models");
    const wanted = wantedLaunch(options);
    const time =
      options.gpu === undefined
        ? undefined
        : (await import("../gpu.js")).timedOnGpu(
            options.gpu,
            { ...options, read: (file) => host.read(file) },
            session.sink,
          );
    const spec = specification(wanted, session);
    const suppressions =
      options.suppressions === undefined
        ? undefined
        : readSuppressions(options.suppressions, readText(options.suppressions, session), session.sink);
    const image = imageOf(
      await whileHolding([], () => {
        const placed = locateLibraries(files, options, host.exists);
        return readInputs(placed, session, withNvvmPlan(options, placed, host), { roots: launchedNames(spec) });
      }),
      options,
      session,
    );
    if (image === undefined || spec === undefined || session.sink.errorCount > 0) return status.wrongInput;
    if (!hasRoom(image, session.sink)) return status.wrongInput;

    const process = loadImage(image);
    const inspection =
      options.watch === undefined && options.traceThread === undefined && options.break === undefined
        ? undefined
        : (await import("../inspection.js")).createInspection(
            options,
            process,
            spec,
            options.json === true ? undefined : (text) => host.out(text),
          );
    let dumped: FaultDump | undefined;
    const interrupt = new AbortController();
    const release = host.onInterrupt(() => interrupt.abort());
    const progress = createProgress(host, "blocks");
    const report = await runSpec<TimingResult>(process, spec, session.sink, {
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
    if (report === undefined) return status.wrongInput;
    const found = suppressions?.apply(report.findings ?? []);
    const shown = {
      ...report,
      ...inspection?.members(),
      ...(found === undefined ? {} : { findings: found.kept, suppressed: found.suppressed }),
    };

    const dump = inspection?.dump ?? dumped;
    if (options.dump !== undefined && dump !== undefined) writeDump(options.dump, dump, host);
    if (options.out !== undefined) writeOutputs(options.out, options.outFormat ?? "npy", report.outputs, host);
    const how = {
      mostElements: host.outColumns === undefined ? undefined : 64,
      width: host.outColumns,
      style: session.outColor ? ansiStyler : plainStyler,
      ...(options.hot === true ? { hotLines: HOT_LINES } : {}),
    };
    if (options.trace !== undefined)
      (await import("../trace.js")).writeTrace(options, timedLaunches(shown.launches), host);
    for (const part of chunksOf(options.json === true ? runJsonParts(shown) : runTextParts(shown, how))) host.out(part);
    for (const line of inspection?.missed() ?? []) host.err(`ptxkit: note: ${line}\n`);
    const { findings = [] } = shown;
    for (const finding of findings) reportFinding(finding, session.sink);
    if (report.fault !== undefined) reportFault(report.fault, session.sink);
    const isWrong = report.fault !== undefined || !findings.every(isWarning);
    return isWrong ? status.fault : status.done;
  });
}

const readText = (file: string, session: Session): string => new TextDecoder().decode(readSource(file, session).bytes);

function refuseContradictions(options: RunCommandOptions): void {
  if (options.suppressions !== undefined && options.sanitize !== true)
    throw new UsageError("--suppressions goes with --sanitize");
  if (options.sanitize === true && options.gpu !== undefined)
    throw new UsageError("--sanitize and --gpu exclude each other", "leave one of them out");
  if ((options.watch ?? options.traceThread ?? options.break) !== undefined && options.gpu !== undefined)
    throw new UsageError("--watch, --trace-thread and --break exclude --gpu", "leave --gpu out");
}

/** What the command line asks to run: a specification's file, or one launch. */
type Wanted = { readonly spec: string } | { readonly launch: ShortLaunch };

/** Asked before anything is read, so that a wrong command line is the first thing to be said. */
function wantedLaunch({ launch, kernel, grid, block, arg, shared, cooperative = false }: RunCommandOptions): Wanted {
  if (launch !== undefined) {
    if (kernel !== undefined || arg !== undefined)
      throw new UsageError(
        "--launch and -k exclude each other",
        "name kernel and arguments in the specification, or leave --launch out",
      );
    if (cooperative) throw new UsageError('--cooperative goes with -k; a specification says "cooperative": true');
    return { spec: launch };
  }
  if (kernel === undefined) throw new UsageError("say what to run: --launch SPEC.json, or -k KERNEL -g GRID -b BLOCK");
  if (grid === undefined || block === undefined)
    throw new UsageError("-k needs -g and -b", "give the grid and the block, such as -g 4 -b 256");
  return { launch: { kernel, grid, block, sharedBytes: shared ?? 0, cooperative, arguments: arg ?? [] } };
}

/** An image alone is taken as it is; everything else is linked. */
function imageOf(inputs: LinkInputs, { arch }: RunCommandOptions, session: Session): LinkedImage | undefined {
  if (session.sink.errorCount > 0) return undefined;
  const objects = inputs.objects();
  const [first] = objects;
  if (objects.length === 1 && first?.type === "executable") return first as LinkedImage;
  const target = arch === undefined ? {} : { arch };
  return linkObjects(objects, { ...inputFacts(inputs), ...target, wholeProgram: inputs.isOneModule }, session.sink);
}

function specification(wanted: Wanted, session: Session): LaunchSpec | undefined {
  const { host, sink } = session;
  if ("launch" in wanted) return shortLaunch(wanted.launch, (file) => host.read(file));
  const folder = wanted.spec === "-" ? "." : path.dirname(wanted.spec);
  return readLaunchSpec(readSource(wanted.spec, session), sink, {
    readFile: (name) => host.read(path.resolve(folder, name)),
  });
}

/** What a launch names: an archive has it, and no code refers to it. */
function launchedNames(spec: LaunchSpec | undefined): readonly NameRoot[] {
  if (spec === undefined) return [];
  const { launches, symbols, outputs } = spec;
  const names = [
    ...launches.map(({ kernel }) => kernel),
    ...symbols.map(({ name }) => name),
    ...outputs.flatMap(({ kind, target }) => (kind === "symbol" ? [target] : [])),
  ];
  return names.map((name) => ({ name, by: "the launch" }));
}

function writeDump(file: string, dump: FaultDump, host: Host): void {
  writeTogether(host, (host) => host.write(file, new TextEncoder().encode(`${JSON.stringify(dump)}\n`)));
}

/** NAME.npy for a buffer, symbol.NAME.npy for a symbol, image.NAME.npy for an image; raw elements as NAME.bin. */
function writeOutputs(folder: string, format: OutFormat, outputs: readonly OutputReport[], host: Host): void {
  writeTogether(host, (host) => {
    host.makeFolder(folder);
    for (const { name, type, bytes } of outputs) {
      const stem = name.replace(/^(symbol|image):/, "$1.").replaceAll(/[/\\]/g, "_");
      const npy = (): Uint8Array => writeNpy({ type: type.npy, shape: [bytes.length / type.bytes], data: bytes });
      if (format === "npy") host.write(path.join(folder, `${stem}.npy`), npy());
      else host.write(path.join(folder, `${stem}.bin`), bytes);
    }
  });
}
