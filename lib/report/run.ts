// Runs a launch specification on a loaded process: buffers are allocated and filled, symbols written, kernels launched in order
// on the same memory, outputs read back. The result is data; run-json.ts and run-text.ts format it.

import { checkOptions, type OptionKinds } from "../base/known-options.js";
import type { BreakHit } from "../debug/breaks.js";
import type { Change } from "../debug/changes.js";
import type { TraceEvent } from "../debug/trace.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { BindError } from "../exec/program/bind.js";
import { createEventLoopYield } from "../exec/launch/event-loop-yield.js";
import { createLaunch, type Launch as RunningLaunch } from "../exec/launch/launch.js";
import type { FaultDump } from "../exec/launch/dump.js";
import { executionOptions } from "../exec/launch/launch-options.js";
import { createPrograms, type Programs } from "../exec/program/programs.js";
import type { EngineName } from "../exec/state/launch.js";
import type { Probe } from "../exec/state/observer.js";
import type { AsyncMode } from "../exec/state/pending.js";
import type { StopSignal } from "../exec/launch/stop-signal.js";
import type { Finding } from "../exec/sanitize/finding.js";
import type { ColumnOf } from "../exec/sanitize/places.js";
import { createSanitizer, type Sanitizer } from "../exec/sanitize/sanitizer.js";
import { createWorkers, type Workers } from "../exec/launch/workers/workers.js";
import type { Fault, LaunchResult } from "../exec/state/result.js";
import type { Launch, LaunchSpec } from "../load/launch-spec.js";
import { MalformedCode } from "../load/load.js";
import type { Region } from "../load/region-list.js";
import type { LoadedKernel, Process } from "../load/process.js";
import { prepareSpec, type OutputReport, type Prepared } from "./prepare-spec.js";

/** Options of a run. */
export interface RunOptions<Timing> {
  /** Limit of warp instructions of a launch. */
  readonly maxInstructions?: number;
  readonly engine?: EngineName;
  /** When asynchronous operations complete; "late" by default. */
  readonly async?: AsyncMode;
  /** See ProgramOptions. */
  readonly hotAfter?: number;
  /** Host threads that execute blocks, including this one; 1 by default. */
  readonly threads?: number;
  /** See WorkerOptions. */
  readonly callFrom?: number;
  readonly signal?: StopSignal;
  /** See LaunchOptions; requires one host thread. */
  readonly onFault?: (dump: FaultDump) => void;
  /** Detects errors in kernels whose results may still be right; runs on the reference engine with one host thread. */
  readonly sanitize?: {
    readonly columnOf?: ColumnOf;
    /** Called for the first finding of its kind at its place, when it occurs. */
    readonly onFinding?: (finding: Omit<Finding, "count">) => void;
  };
  /** Observes every instruction; runs on the reference engine with one host thread. */
  readonly probe?: Probe;
  /** Runs a launch on a timing model, which schedules its blocks; returns the launch's timing. */
  readonly time?: (launch: RunningLaunch, kernel: LoadedKernel, launchSpec: Launch) => Timing | Promise<Timing>;
  readonly onProgress?: (kernel: string, blocksDone: number, blocks: number) => void;
}

/** The result of one launch of a specification. */
export interface LaunchReport<Timing> extends LaunchResult {
  readonly grid: Launch["grid"];
  readonly block: Launch["block"];
  readonly timing?: Timing;
}

/** The results of a specification's launches, and the outputs. */
export interface RunReport<Timing> {
  readonly launches: readonly LaunchReport<Timing>[];
  /** The contents of memory at the end, or at a kernel's fault. */
  readonly outputs: readonly OutputReport[];
  /** The printf output of all launches. */
  readonly printf: string;
  /** Bytes of global memory: the peak, and the amount at the end. */
  readonly memory: { readonly peakBytes: number; readonly allocatedBytes: number };
  readonly fault?: Fault;
  /** Findings of the sanitizer; present if it was on. */
  readonly findings?: readonly Finding[];
  /** Number of findings that a suppressions file removed. */
  readonly suppressed?: number;
  /**
   * Changes of watched memory, instructions of traced threads, and break lines that were reached. Members of the JSON document.
   */
  readonly changes?: readonly Change[];
  readonly trace?: readonly TraceEvent[];
  readonly breaks?: readonly BreakHit[];
  /** Number of changes and instructions beyond the limit. */
  readonly eventsLeftOut?: number;
}

const runOptions: OptionKinds<RunOptions<unknown>> = {
  ...executionOptions,
  hotAfter: "count",
  threads: "count",
  callFrom: "count",
  sanitize: { columnOf: "function", onFinding: "function" },
  time: "function",
};

/** Runs the specification; undefined after a report about it. A fault of a kernel is part of the result. */
export async function runSpec<Timing = never>(
  process: Process,
  spec: LaunchSpec,
  sink: DiagnosticSink,
  options: RunOptions<Timing> = {},
): Promise<RunReport<Timing> | undefined> {
  checkOptions(options, runOptions, "runSpec");
  const prepared = prepareSpec(process, spec, sink);
  if (prepared === undefined) return undefined;
  const { buffers, outputs } = prepared;

  const sanitizer = options.sanitize && sanitizerFor(process, spec, buffers, outputs, options.sanitize);
  const programs = createPrograms(process, {
    ...options,
    ...(sanitizer === undefined ? {} : { instrument: sanitizer.instrument }),
  });
  const { threads = 1 } = options;
  const workers =
    threads === 1 || sanitizer !== undefined || options.onFault !== undefined || options.probe !== undefined
      ? undefined
      : createWorkers(process, threads - 1, options);
  const launches: LaunchReport<Timing>[] = [];
  const yieldToHost = createEventLoopYield();
  try {
    for (const one of prepared.launches) {
      await yieldToHost(launches.at(-1)?.warpInstructions ?? 0);
      const report = await runLaunch(process, one, { programs, workers, sanitizer }, sink, options);
      if (report === undefined) return undefined;
      launches.push(report);
      if (report.fault !== undefined) break;
    }
  } finally {
    await workers?.close();
  }
  const fault = launches.at(-1)?.fault;
  return {
    launches,
    outputs: outputs.map(({ name, type, bytes }) => ({ name, type, bytes: bytes.slice() })),
    printf: launches.map((launch) => launch.printf).join(""),
    memory: { peakBytes: process.memory.peakBytes, allocatedBytes: process.memory.allocatedBytes },
    ...(fault === undefined ? {} : { fault }),
    ...(sanitizer === undefined
      ? {}
      : { findings: [...sanitizer.findings, ...(fault === undefined ? sanitizer.leaks() : [])] }),
  };
}

/** A sanitizer that knows the names of buffers, and which of them are outputs. */
function sanitizerFor(
  process: Process,
  spec: LaunchSpec,
  buffers: ReadonlyMap<string, Region>,
  outputs: readonly OutputReport[],
  options: NonNullable<RunOptions<unknown>["sanitize"]>,
): Sanitizer {
  const seen = new Set(outputs.map(({ bytes }) => bytes.byteOffset));
  const sanitizer = createSanitizer(process, {
    ...options,
    outputs: ({ bytes }) => [...seen].some((at) => at >= bytes.byteOffset && at < bytes.byteOffset + bytes.length),
  });
  for (const [name, region] of buffers) {
    sanitizer.name(region, name);
    if (spec.buffers.get(name)!.undefined === true) sanitizer.undefine(region);
  }
  return sanitizer;
}

async function runLaunch<Timing>(
  process: Process,
  { kernel, launch, parameters }: Prepared,
  {
    programs,
    workers,
    sanitizer,
  }: { readonly programs: Programs; readonly workers: Workers | undefined; readonly sanitizer: Sanitizer | undefined },
  sink: DiagnosticSink,
  options: RunOptions<Timing>,
): Promise<LaunchReport<Timing> | undefined> {
  const { grid, block, cluster, sharedBytes, cooperative } = launch;
  const { maxInstructions, engine, async, signal, onFault, onProgress, time, probe } = options;
  try {
    const running = createLaunch(
      process,
      kernel,
      { grid, block, cluster, sharedBytes, cooperative, parameters },
      {
        programs,
        ...(workers === undefined ? {} : { workers }),
        ...(sanitizer === undefined ? {} : { sanitizer }),
        ...(maxInstructions === undefined ? {} : { maxInstructions }),
        ...(engine === undefined ? {} : { engine }),
        ...(async === undefined ? {} : { async }),
        ...(signal === undefined ? {} : { signal }),
        ...(onFault === undefined ? {} : { onFault }),
        ...(time === undefined ? {} : { isObserved: true }),
        ...(probe === undefined ? {} : { probe }),
        ...(onProgress === undefined ? {} : { onProgress: (done, all) => onProgress(kernel.name, done, all) }),
      },
    );
    const timing = await time?.(running, kernel, launch);
    const result = await (timing === undefined ? running.run() : running.finish());
    return { ...result, grid, block, ...(timing === undefined ? {} : { timing }) };
  } catch (error) {
    if (error instanceof BindError) {
      sink.report("not-executed", error.message, { kind: "line", file: error.file, line: error.line });
    } else if (error instanceof MalformedCode) {
      sink.report("malformed-file", error.message, { kind: "bytes", file: error.file, offset: error.offset });
    } else throw error;
    return undefined;
  }
}
