// A run that can stop: a probe that checks for a stop before every instruction. A stop calls the host, which returns how to
// continue; until then no thread executes, and state can be inspected and changed.
//
// Stepping back repeats the run: the engine is deterministic, so that the state before the n-th instruction is reached by running
// to it from the start. A run counts its instructions. To go back, it first finds the number of the target instruction
// (`Rewind`).

import type { Fault } from "../exec/state/result.js";
import type { Finding } from "../exec/sanitize/finding.js";
import type { Block, Cluster } from "../exec/state/block.js";
import type { Frame } from "../exec/state/frame.js";
import type { LaunchState } from "../exec/state/launch.js";
import type { Access, Probe } from "../exec/state/observer.js";
import type { Group, Warp } from "../exec/state/warp.js";
import { lanesIn } from "../exec/machine/walk.js";
import { firstLane } from "../exec/machine/warp.js";
import type { LoadedFunction, Process } from "../load/process.js";
import { type CodeStops, codeStopAt, createCodeStops, rearmCode } from "./code-stops.js";
import { createDataStops, type DataStops } from "./data-stops.js";
import { applyEdit, type Edit } from "./edits.js";
import { threadOfFinding, whereFaulted } from "./fault-place.js";
import type { MemoryNames } from "./names.js";
import {
  beginStep,
  hasStepped,
  originOf,
  type Level,
  type Origin,
  type StepCommand,
  type Stepping,
} from "./stepping.js";
import type { Armed, CodeBreakpoint, DataBreakpoint } from "./stops.js";
import { scopeOf } from "./view.js";

export type StopReason =
  | "entry"
  | "step"
  | "breakpoint"
  | "function breakpoint"
  | "instruction breakpoint"
  | "data breakpoint"
  | "exception"
  | "pause";

export interface Stop {
  readonly reason: StopReason;
  /** One sentence about the stop. */
  readonly text?: string;
  readonly warp: Warp;
  readonly group: Group;
  /** The lane to show. */
  readonly lane: number;
  readonly breakpoints: readonly number[];
  readonly fault?: Fault;
  readonly finding?: Omit<Finding, "count">;
}

export type Resume = { readonly kind: "continue" } | StepCommand | { readonly kind: "end" };

/** A run that finds the instruction to go back to: the last stop before the `before`-th instruction. */
export interface Rewind {
  readonly before: number;
  /** The lane whose steps count as stops, by numbers; if undefined, breakpoints count. */
  readonly step?: {
    readonly block: number;
    readonly warp: number;
    readonly lane: number;
    readonly depth: number;
    readonly unit: StepCommand["unit"];
  };
}

export interface SessionHost {
  /** Blocks until the client says how to continue. */
  stopped(stop: Stop): Resume;
  /** Called before each instruction; returns whether `poll` must be called. */
  readonly isDue: () => boolean;
  /** Handles requests; returns whether to stop. */
  poll(): boolean;
  /** Receives the text of log points and what kernels print. */
  output(
    kind: "log" | "printf",
    text: string,
    place: { readonly fn: LoadedFunction; readonly pc: number } | undefined,
  ): void;
  readonly level: () => Level;
  /** Whether faults or findings stop the run. */
  readonly stopsOn: (what: "fault" | "finding") => boolean;
}

/** Breakpoints; may be replaced during the run. */
export interface Breakpoints {
  code: readonly Armed<CodeBreakpoint>[];
  data: readonly Armed<DataBreakpoint>[];
}

export interface DebugSession {
  readonly probe: Probe;
  readonly onFinding: (finding: Omit<Finding, "count">) => void;
  readonly breakpoints: Breakpoints;
  /** Must be called after `breakpoints` was set. */
  rearm(): void;
  /** Clusters that have started and not ended. */
  readonly clusters: ReadonlySet<Cluster>;
  /** Number of the next instruction: counts the instructions that groups have reached. */
  readonly count: number;
}

export interface SessionOptions {
  readonly stopOnEntry: boolean;
  /** Number of the instruction up to which nothing is checked. */
  readonly until?: number;
  /**
   * Finds the instruction to go back to instead of stopping. The result is passed to `found` before the `before`-th instruction.
   */
  readonly rewind?: Rewind;
  /** The user's edits of the previous run, to be repeated. */
  readonly edits?: readonly Edit[];
  readonly found?: (count: number | undefined) => never;
}

/** Thrown to unwind a run that the client ended. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
}

/** The next instruction of each lane of a warp. */
interface WaitingLanes {
  readonly frames: (Frame | undefined)[];
  readonly pcs: Int32Array;
}

interface Arrival {
  readonly warp: Warp;
  readonly frame: Frame;
  readonly pc: number;
  readonly mask: number;
}

type Mode = Stepping | { readonly kind: "continue" | "entry" };

/** An event of an instruction that is reported at the next instruction of its threads. */
interface DeferredEvent {
  readonly warp: Warp;
  readonly lane: number;
  readonly reason: StopReason;
  readonly text: string;
  readonly breakpoints: readonly number[];
  readonly finding?: Omit<Finding, "count">;
}

const reasons = { line: "breakpoint", function: "function breakpoint", instruction: "instruction breakpoint" } as const;

interface SessionState {
  readonly process: Process;
  readonly names: MemoryNames;
  readonly host: SessionHost;
  readonly options: SessionOptions;
  /** Number of the first instruction at which stops are reported. */
  readonly until: number;
  readonly breakpoints: Breakpoints;
  readonly clusters: Set<Cluster>;
  /** Number of printed texts of each block that were already reported. */
  readonly printed: Map<LaunchState, Map<number, number>>;
  readonly waiting: Map<Warp, WaitingLanes>;
  readonly code: CodeStops;
  readonly data: DataStops;
  count: number;
  mode: Mode;
  late: DeferredEvent | undefined;
  /** The group whose next instruction has been reported and not yet executed. */
  current: Arrival | undefined;
  /** For `Rewind`: the last stop, and the previous place of the lane. */
  last: number | undefined;
  previous: Origin | undefined;
}

export function createSession(
  process: Process,
  names: MemoryNames,
  host: SessionHost,
  options: SessionOptions,
): DebugSession {
  const breakpoints: Breakpoints = { code: [], data: [] };
  const state: SessionState = {
    process,
    names,
    host,
    options,
    until: options.until ?? 0,
    breakpoints,
    clusters: new Set(),
    printed: new Map(),
    waiting: new Map(),
    code: createCodeStops(process, names),
    data: createDataStops(process, breakpoints),
    count: 0,
    mode: { kind: options.stopOnEntry ? "entry" : "continue" },
    late: undefined,
    current: undefined,
    last: undefined,
    previous: undefined,
  };
  return {
    breakpoints,
    rearm() {
      rearmCode(state.code, breakpoints.code);
      state.data.rearm();
    },
    clusters: state.clusters,
    get count() {
      return state.count;
    },
    onFinding: (finding) => noteFinding(state, finding),
    probe: {
      observe() {
        return { issue: (_warp, _fn, _pc, mask, active, access) => after(state, mask, active, access) };
      },
      before: (warp, group) => before(state, warp, group),
      fault: (cluster, fault) => stopAtFault(state, cluster, fault),
    },
  };
}

/** Stops, and continues as the host says. */
function stop(state: SessionState, at: Stop): void {
  state.mode = { kind: "continue" };
  const resume = state.host.stopped(at);
  if (resume.kind === "end") throw new RunEnded();
  if (resume.kind === "step") state.mode = beginStep(resume, state.host.level());
}

/** Remembers lanes whose instruction did not execute, such as a collective that waits; it will be tried again. */
function rememberWaiting({ waiting }: SessionState, { warp, frame, pc, mask }: Arrival): void {
  let known = waiting.get(warp);
  if (known === undefined) waiting.set(warp, (known = { frames: [], pcs: new Int32Array(32) }));
  for (const lane of lanesIn(mask)) {
    known.frames[lane] = frame;
    known.pcs[lane] = pc;
  }
}

/** Whether at least one of the lanes reaches this instruction for the first time. */
function isArrival({ waiting }: SessionState, { warp, frame, pc, mask }: Arrival): boolean {
  const known = waiting.get(warp);
  return known === undefined || lanesIn(mask).some((lane) => known.frames[lane] !== frame || known.pcs[lane] !== pc);
}

function before(state: SessionState, warp: Warp, group: Group): void {
  const { process, clusters, data, options } = state;
  const { frame, pc, mask } = group;
  const { cluster } = warp.block;
  if (!clusters.has(cluster)) {
    clusters.add(cluster);
    for (const other of clusters) if (other !== cluster && other.liveThreads === 0) clusters.delete(other);
  }
  data.before(warp);
  if (state.current !== undefined) rememberWaiting(state, state.current);
  state.current = { warp, frame, pc, mask };
  const isNew = isArrival(state, state.current);
  if (isNew) {
    state.count++;
    for (const edit of options.edits ?? []) if (edit.count === state.count) applyEdit(process, clusters, edit);
  }
  if (options.rewind !== undefined) trackRewind(state, warp, group, isNew, options.rewind);
  else stopBefore(state, warp, group, isNew);
}

/** Stops before an instruction if a breakpoint, step, or request demands it. */
function stopBefore(state: SessionState, warp: Warp, group: Group, isNew: boolean): void {
  const { count, until, code, host, mode } = state;
  const { frame, pc, mask } = group;
  if (count < until) {
    // Hits are counted before `until`, too.
    if (isNew) codeStopAt(code, group, undefined);
    return;
  }
  const here = { warp, group, lane: firstLane(mask), breakpoints: [] };
  if (count === until && isNew) {
    stop(state, { ...here, reason: "step" });
    return;
  }
  const isPausing = host.isDue() && host.poll();
  const { late } = state;
  if (late !== undefined) {
    state.late = undefined;
    stop(state, whereNow(late, warp, group));
    return;
  }
  if (mode.kind === "entry" || isPausing) {
    stop(state, { ...here, reason: mode.kind === "entry" ? "entry" : "pause" });
    return;
  }
  if (!isNew) return;
  const hit = codeStopAt(code, group, (text) => host.output("log", text, { fn: frame.program.fn, pc }));
  if (hit !== undefined) {
    const { kind, ...rest } = hit;
    stop(state, { warp, group, ...rest, reason: reasons[kind] });
    return;
  }
  if (mode.kind !== "step") return;
  const lane = hasStepped(mode, warp, group, host.level());
  if (lane !== undefined) stop(state, { ...here, lane, reason: "step" });
}

/** The stop at the threads that caused a late event or, if they have exited, at the executing ones. */
function whereNow({ warp: of, lane, ...what }: DeferredEvent, warp: Warp, group: Group): Stop {
  const theirs = of.groups.find(({ mask }) => ((mask >>> lane) & 1) !== 0);
  return theirs === undefined
    ? { ...what, warp, group, lane: firstLane(group.mask) }
    : { ...what, warp: of, group: theirs, lane };
}

/** Records the last instruction at which a `Rewind` run would stop. */
function trackRewind(
  state: SessionState,
  warp: Warp,
  group: Group,
  isNew: boolean,
  { before: end, step }: Rewind,
): void {
  const { code, count, host, options, previous } = state;
  if (count >= end) options.found!(state.last);
  if (!isNew) return;
  if (step === undefined) {
    if (codeStopAt(code, group, undefined) !== undefined) state.last = count;
    return;
  }
  const isIt = warp.index === step.warp && warp.block.index === step.block && ((group.mask >>> step.lane) & 1) !== 0;
  if (!isIt || group.frame.depth > step.depth) return;
  const now = originOf(group.frame, group.pc, host.level());
  const isBegin =
    step.unit === "instruction" ||
    previous?.line !== now.line ||
    previous.file !== now.file ||
    previous.fn !== now.fn ||
    previous.depth !== now.depth;
  state.previous = now;
  if (isBegin) state.last = count;
}

function after(state: SessionState, mask: number, active: number, access: Access | undefined): void {
  const { current, waiting, data, process, names } = state;
  if (current === undefined) return;
  const { warp, frame, pc } = current;
  state.current = undefined;
  const known = waiting.get(warp);
  if (known !== undefined) {
    for (const lane of lanesIn(mask)) known.frames[lane] = undefined;
    if (!known.frames.some((each) => each !== undefined)) waiting.delete(warp);
  }
  flushOutput(state, warp.block);
  if (!isReporting(state)) return;
  const hit = data.after(warp, frame, pc, active === 0 ? mask : active, access, (lane) =>
    scopeOf(process, names, { frame, pc }, lane),
  );
  if (hit !== undefined) state.late = { warp, ...hit, reason: "data breakpoint" };
}

/** Whether stops are reported: the run has reached `until` and is no `Rewind` run. */
const isReporting = ({ options, count, until }: SessionState): boolean =>
  options.rewind === undefined && count >= until;

function flushOutput(state: SessionState, block: Block): void {
  const { printed, host } = state;
  const pieces = block.output.length;
  if (pieces === 0) return;
  const ofLaunch = printed.get(block.launch) ?? new Map<number, number>();
  printed.set(block.launch, ofLaunch);
  const done = ofLaunch.get(block.index) ?? 0;
  if (pieces === done) return;
  ofLaunch.set(block.index, pieces);
  if (isReporting(state)) host.output("printf", block.output.slice(done).join(""), undefined);
}

function noteFinding(state: SessionState, finding: Omit<Finding, "count">): void {
  const { options, count, until, host, clusters } = state;
  if (options.rewind !== undefined || count + 1 < until || !host.stopsOn("finding")) return;
  const at = threadOfFinding(clusters, finding);
  if (at !== undefined) state.late ??= { ...at, reason: "exception", text: finding.message, breakpoints: [], finding };
}

function stopAtFault(state: SessionState, cluster: Cluster | undefined, fault: Fault): void {
  for (const block of cluster?.blocks ?? []) flushOutput(state, block);
  if (state.options.rewind !== undefined) state.options.found!(state.last);
  const at = cluster === undefined ? undefined : whereFaulted(cluster, fault);
  if (at !== undefined && state.host.stopsOn("fault"))
    stop(state, { ...at, reason: "exception", text: fault.message, breakpoints: [], fault });
}
