// Runs a launch specification on a loaded process: buffers are allocated and filled, symbols written, kernels launched in order
// on the same memory, outputs read back. The result is data; run-json.ts and run-text.ts format it.

import { checkOptions, type OptionKinds } from "../base/known-options.js";
import { createNearest } from "../base/nearest.js";
import type { BreakHit } from "../debug/breaks.js";
import type { Change } from "../debug/changes.js";
import type { TraceEvent } from "../debug/trace.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { BindError } from "../exec/program/bind.js";
import { createEventLoopYield } from "../exec/launch/event-loop-yield.js";
import { createLaunch, type Launch as RunningLaunch } from "../exec/launch/launch.js";
import { launchProblem } from "../exec/machine/launch-limits.js";
import type { FaultDump } from "../exec/launch/dump.js";
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
import { elementType, type ElementType } from "../load/elements.table.js";
import type { Argument, Launch, LaunchSpec, Output } from "../load/launch-spec.js";
import { createVariableFinder, MalformedCode, qualified, variableBytes } from "../load/load.js";
import type { Region } from "../load/region-list.js";
import { encodeTensorMap } from "../load/tensor-map.js";
import { addressBytes, type ArgumentValue, packParameters, pointerBytes } from "../load/parameters.js";
import type { LoadedKernel, LoadedVariable, Process } from "../load/process.js";
import type { ElementData } from "../load/spec-data.js";
import { createOpaque, type OpaqueObjects } from "./run-images.js";

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

/** An output with its final bytes. */
export interface OutputReport extends ElementData {
  readonly name: string;
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

interface Prepared {
  readonly kernel: LoadedKernel;
  readonly launch: Launch;
  readonly parameters: Uint8Array;
}

const runOptions: OptionKinds<RunOptions<unknown>> = {
  maxInstructions: "count",
  engine: ["fast", "reference"],
  async: ["late", "early"],
  hotAfter: "count",
  threads: "count",
  callFrom: "count",
  signal: "object",
  onFault: "function",
  sanitize: { columnOf: "function", onFinding: "function" },
  probe: "object",
  time: "function",
  onProgress: "function",
};

/** A specification whose names, sizes and arguments fit the image. */
interface PreparedSpec {
  readonly buffers: ReadonlyMap<string, Region>;
  readonly outputs: readonly OutputReport[];
  readonly launches: readonly Prepared[];
}

/** Allocates buffers, writes symbols and packs parameters; undefined after a report. */
function prepareSpec(process: Process, spec: LaunchSpec, sink: DiagnosticSink): PreparedSpec | undefined {
  const errorsBefore = sink.errorCount;
  const buffers = allocateBuffers(process, spec, sink);
  const opaque = createOpaque(process, spec, buffers, sink);
  const named = variablesByName(process, sink);
  const outputs = spec.outputs.flatMap((output) => findOutput(process, output, spec, { buffers, opaque, named }) ?? []);
  writeSymbols(process, spec, named, sink);
  const nearest = createNearest(() => process.kernels.keys());
  const launches = spec.launches.flatMap(
    (launch) => prepareLaunch(process, launch, { buffers, opaque, tensorMaps: spec.tensorMaps, nearest }, sink) ?? [],
  );
  return sink.errorCount > errorsBefore ? undefined : { buffers, outputs, launches };
}

/** Whether the specification fits the image; false after a report. Changes the process, but runs nothing. */
export const checkSpec = (process: Process, spec: LaunchSpec, sink: DiagnosticSink): boolean =>
  prepareSpec(process, spec, sink) !== undefined;

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

function allocateBuffers(process: Process, spec: LaunchSpec, sink: DiagnosticSink): ReadonlyMap<string, Region> {
  const regions = new Map<string, Region>();
  for (const [name, data] of spec.buffers) {
    try {
      const region = process.memory.allocate(data.bytes.length);
      region.bytes.set(data.bytes);
      regions.set(name, region);
      process.history.names.set(region.base, name);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      sink.report("device-memory", `buffer '${name}': ${error.message}`, data.place, {
        remedy: "make buffers smaller, or run in several launches what needs all of them",
      });
    }
  }
  return regions;
}

/** The resolved names of a launch. */
interface LaunchNames {
  readonly buffers: ReadonlyMap<string, Region>;
  readonly opaque: OpaqueObjects;
  readonly tensorMaps: LaunchSpec["tensorMaps"];
  /** Similar names of kernels, for messages. */
  nearest(name: string): readonly string[];
}

function prepareLaunch(
  process: Process,
  launch: Launch,
  names: LaunchNames,
  sink: DiagnosticSink,
): Prepared | undefined {
  const kernel = process.kernels.get(launch.kernel);
  if (kernel === undefined) {
    const kernels = [...process.kernels.keys()];
    const [meant] = names.nearest(launch.kernel);
    const list =
      kernels.length === 0 ? "the image has no kernels" : `its kernels are ${kernels.slice(0, 5).join(", ")}`;
    sink.report("launch-spec", `there is no kernel '${launch.kernel}'`, launch.place, {
      remedy: meant === undefined ? list : `did you mean '${meant}'?`,
    });
    return undefined;
  }
  const problem = launchProblem(kernel, launch);
  if (problem !== undefined) {
    sink.report("launch-spec", problem, launch.place);
    return undefined;
  }
  const packed = packParameters(
    kernel,
    launch.arguments.map((argument, i) => argumentValue(argument, pointerBytes(kernel, i), names)),
  );
  if (packed.ok) return { kernel, launch, parameters: packed.bytes };
  sink.report("launch-spec", packed.message, launch.arguments[packed.index ?? -1]?.place ?? launch.place);
  return undefined;
}

function argumentValue(
  argument: Argument,
  pointer: 4 | 8,
  { buffers, opaque: { handles }, tensorMaps }: LaunchNames,
): ArgumentValue {
  switch (argument.kind) {
    case "buffer":
      return { bytes: addressBytes((buffers.get(argument.buffer)?.base ?? 0) + argument.offset, pointer) };
    case "texture":
    case "surface":
      return { bytes: addressBytes(handles[argument.kind].get(argument.name) ?? 0, 8) };
    case "tensorMap": {
      const { buffer, offset, map } = tensorMaps.get(argument.name)!;
      return { bytes: encodeTensorMap(map, (buffers.get(buffer)?.base ?? 0) + offset) };
    }
    case "value":
    case "bytes":
      return argument;
  }
}

// -------------------------------------------------------------------------------------------------- symbols and outputs

function writeSymbols(process: Process, spec: LaunchSpec, named: NamedVariable, sink: DiagnosticSink): void {
  for (const { name, data, place } of spec.symbols) {
    const found = named(name, place);
    if (found === undefined) continue;
    if (data.bytes.length <= found.size) variableBytes(process, found).set(data.bytes);
    else sink.report("launch-spec", `symbol '${name}' has ${found.size} bytes; ${data.bytes.length} do not fit`, place);
  }
}

interface OutputNames {
  readonly buffers: ReadonlyMap<string, Region>;
  readonly opaque: OpaqueObjects;
  readonly named: NamedVariable;
}

function findOutput(
  process: Process,
  output: Output,
  spec: LaunchSpec,
  { buffers, opaque, named }: OutputNames,
): OutputReport | undefined {
  if (output.kind === "image") {
    const image = opaque.images.get(output.target);
    return image && { name: output.name, type: image.shape.format.element, bytes: image.storage.bytes };
  }
  if (output.kind === "buffer") {
    const region = buffers.get(output.target);
    return region && { name: output.name, type: spec.buffers.get(output.target)!.type, bytes: region.bytes };
  }
  const found = named(output.target, output.place);
  return found && { name: output.name, type: typeOf(found), bytes: variableBytes(process, found) };
}

/** The element type of a variable: its declared type, or bytes if there is no such element type. */
function typeOf({ symbol, size }: LoadedVariable): ElementType {
  const type = elementType(symbol.layout.type.name);
  return type === undefined || size % type.bytes !== 0 ? elementType("b8")! : type;
}

/** The variable of a name; undefined after a report. */
type NamedVariable = (name: string, place: Output["place"]) => LoadedVariable | undefined;

function variablesByName(process: Process, sink: DiagnosticSink): NamedVariable {
  const find = createVariableFinder(process);
  const nearest = createNearest(() => process.variables.map(({ name }) => name));
  return (name, place) => {
    const found = find(name);
    if (found !== undefined && found !== "ambiguous") return found;
    if (found === "ambiguous") {
      const choices = process.variables.filter((variable) => variable.name === name).map(qualified);
      sink.report("launch-spec", `several modules have a variable '${name}'`, place, {
        remedy: `name one: ${choices.join(", ")}`,
      });
    } else {
      const [meant] = nearest(name);
      sink.report(
        "launch-spec",
        `there is no variable '${name}'`,
        place,
        meant === undefined ? {} : { remedy: `did you mean '${meant}'?` },
      );
    }
    return undefined;
  };
}
