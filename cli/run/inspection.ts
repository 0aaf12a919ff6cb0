// Implements --watch, --trace-thread and --break, which show events while run executes. Lines are written to standard output at
// once; with --json, events are members of its document.

import { createBreaks, breakText, type BreakHit, type BreakLine } from "../../lib/debug/breaks.js";
import { changeText, createChanges, type Change, type WatchedPart } from "../../lib/debug/changes.js";
import { memoryNamed } from "../../lib/debug/evaluate.js";
import { createLines } from "../../lib/debug/lines.js";
import { createMemoryNames, type MemoryNames } from "../../lib/debug/names.js";
import { coordinates } from "../../lib/debug/place.js";
import { createTrace, traceText, type ThreadName, type TraceEvent } from "../../lib/debug/trace.js";
import { typeBytes } from "../../lib/debug/values.js";
import { combineProbes } from "../../lib/exec/launch/probe.js";
import type { FaultDump } from "../../lib/exec/launch/dump.js";
import type { Probe } from "../../lib/exec/state/observer.js";
import type { Launch, LaunchSpec } from "../../lib/load/launch-spec.js";
import type { Process } from "../../lib/load/process.js";
import type { BreakOption, InspectionOptions, ThreadOption, WatchOption } from "../options/inspection-options.js";
import { UsageError } from "../base/status.js";

export interface Inspection {
  readonly probe: Probe;
  /** Members of the document that --json writes. */
  members(): Inspected;
  /** The dump of the first --break hit. */
  readonly dump: FaultDump | undefined;
  /** Lines to write at the end, about requested events that did not happen. */
  missed(): readonly string[];
}

export interface Inspected {
  readonly changes?: readonly Change[];
  readonly trace?: readonly TraceEvent[];
  readonly breaks?: readonly BreakHit[];
  /** Number of events omitted from the document. */
  readonly eventsLeftOut?: number;
}

/** Limit of the bytes that one --watch compares after each instruction. */
const MAX_WATCHED = 65_536;
/** Limit of the events in a JSON document. */
const MAX_EVENTS = 100_000;

/** The events of a run so far. */
interface Events {
  /** Receives lines as they come; undefined with --json. */
  readonly out: ((text: string) => void) | undefined;
  readonly changes: Change[];
  readonly trace: TraceEvent[];
  readonly hits: BreakHit[];
  changeCount: number;
  traceCount: number;
  leftOut: number;
}

/** Creates the probe for the options, at least one of which is given. Throws UsageError for unknown names. */
export function createInspection(
  options: InspectionOptions,
  process: Process,
  spec: LaunchSpec,
  out: ((text: string) => void) | undefined,
): Inspection {
  const { watch = [], traceThread = [], break: breaks = [] } = options;
  const events: Events = { out, changes: [], trace: [], hits: [], changeCount: 0, traceCount: 0, leftOut: 0 };
  const names = createMemoryNames(process, spec);
  for (const each of watch) checkWatch(each, names);
  const lines = breaks.map((each) => breakLine(each, process));
  const threads = traceThread.flatMap((each) => threadsOf(each, spec.launches));
  const probes = [
    ...(watch.length === 0 ? [] : [watchProbe(process, watch, names, events)]),
    ...(threads.length === 0 ? [] : [traceProbe(process, threads, events)]),
    ...(lines.length === 0 ? [] : [breakProbe(process, lines, events)]),
  ];
  const { changes, trace, hits } = events;
  return {
    probe: combineProbes(probes)!,
    members: () => ({
      ...(watch.length === 0 ? {} : { changes }),
      ...(threads.length === 0 ? {} : { trace }),
      ...(lines.length === 0 ? {} : { breaks: hits }),
      ...(events.leftOut === 0 ? {} : { eventsLeftOut: events.leftOut }),
    }),
    get dump() {
      return hits[0]?.dump;
    },
    missed: () => [
      ...(watch.length > 0 && events.changeCount === 0 ? [`watch: nothing changed ${listOf(watch)}`] : []),
      ...(threads.length > 0 && events.traceCount === 0 ? [`trace: no launch had ${listOf(traceThread)}`] : []),
      ...lines
        .filter(({ name }) => !hits.some((hit) => hit.name === name))
        .map(({ name }) => `break ${name}: no thread came there`),
    ],
  };
}

/** Writes an event, or adds it to the document up to the limit. */
function addEvent<T>(events: Events, list: T[], event: T, text: (event: T) => string): void {
  const { out, changes, trace } = events;
  if (out !== undefined) out(`${text(event)}\n`);
  else if (changes.length + trace.length < MAX_EVENTS) list.push(event);
  else events.leftOut++;
}

const watchProbe = (process: Process, watch: readonly WatchOption[], names: MemoryNames, events: Events): Probe =>
  createChanges(
    process,
    ({ block }) => watch.flatMap((each) => partOf(each, names.of(block.launch)) ?? []),
    (change) => {
      events.changeCount++;
      addEvent(events, events.changes, change, changeText);
    },
  );

const traceProbe = (process: Process, threads: readonly ThreadName[], events: Events): Probe =>
  createTrace(process, threads, (event) => {
    events.traceCount++;
    addEvent(events, events.trace, event, traceText);
  });

const breakProbe = (process: Process, lines: readonly BreakLine[], { hits, out }: Events): Probe =>
  createBreaks(process, lines, (hit) => {
    hits.push(hit);
    if (out !== undefined) for (const line of breakText(hit)) out(`${line}\n`);
  });

const listOf = (options: readonly { readonly text: string }[]): string => options.map(({ text }) => text).join(", ");

function checkWatch({ text, name, offset }: WatchOption, { find, near }: MemoryNames): void {
  const found = find(name);
  if (found === undefined) {
    const meant = near(name);
    throw new UsageError(
      `--watch ${text}: there is no variable or buffer '${name}'`,
      meant === undefined ? "name a buffer of the launch, or a variable of the module" : `did you mean '${meant}'?`,
    );
  }
  if (offset !== undefined && offset >= found.size)
    throw new UsageError(`--watch ${text}: '${name}' has ${found.size} bytes`);
  if (offset === undefined && found.size > MAX_WATCHED)
    throw new UsageError(`--watch ${text}: ${found.size} bytes are too many`, `name an element: ${name}+BYTES`);
}

function partOf({ name, offset }: WatchOption, memories: ReturnType<MemoryNames["of"]>): WatchedPart | undefined {
  const memory = memoryNamed(memories, name);
  if (memory === undefined || (offset !== undefined && offset >= memory.size)) return undefined;
  const element = Math.max(1, typeBytes(memory.type));
  const isElement = offset !== undefined && offset % element === 0 && offset + element <= memory.size;
  return { memory, offset: offset ?? 0, bytes: offset === undefined ? memory.size : isElement ? element : 1 };
}

function threadsOf({ text, numbers }: ThreadOption, launches: readonly Launch[]): readonly ThreadName[] {
  const fitting = launches.flatMap(({ grid, block }): ThreadName[] => {
    const [b, t] =
      numbers.length === 2
        ? [coordinates(numbers[0]!, grid), coordinates(numbers[1]!, block)]
        : ([numbers.slice(0, 3), numbers.slice(3)] as unknown as [Launch["grid"], Launch["grid"]]);
    const isInLaunch = b.every((each, i) => each < grid[i]!) && t.every((each, i) => each < block[i]!);
    return isInLaunch ? [{ block: b, thread: t }] : [];
  });
  if (fitting.length === 0) {
    const sizes = launches.map(({ grid, block }) => `<<<(${grid.join()}), (${block.join()})>>>`).join(", ");
    throw new UsageError(`--trace-thread ${text}: no launch has that thread; there is ${sizes}`);
  }
  const byName = new Map(fitting.map((each) => [`${each.block.join()};${each.thread.join()}`, each]));
  return [...byName.values()];
}

function breakLine({ text, file, line }: BreakOption, process: Process): BreakLine {
  const lines = createLines(process);
  const found = lines.find(file, line);
  if (found !== undefined) return { name: text, places: found.places };
  const files = file === undefined ? lines.functions.map((fn) => fn.file) : lines.matching(file);
  if (file !== undefined && files.length === 0)
    throw new UsageError(
      `--break ${text}: no code is of a file '${file}'`,
      `there is code of ${lines.files.slice(0, 5).join(", ")}`,
    );
  const last = Math.max(0, ...files.flatMap((each) => lines.linesOf(each).at(-1) ?? []));
  throw new UsageError(`--break ${text}: no code is at or after that line; the last is at ${last}`);
}
