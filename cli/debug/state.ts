// State of the debugger's thread: the program, the current run, and the stop.

import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Armed, CodeBreakpoint, DataBreakpoint } from "../../lib/debug/stops.js";
import { arm } from "../../lib/debug/stops.js";
import type { Edit } from "../../lib/debug/edits.js";
import type { Lines } from "../../lib/debug/lines.js";
import type { MemoryNames } from "../../lib/debug/names.js";
import type { DebugSession, Resume, Rewind, Stop } from "../../lib/debug/session.js";
import type { VariableNode } from "../../lib/debug/variable-node.js";
import type { CallView, GroupView } from "../../lib/debug/view.js";
import type { LaunchSpec } from "../../lib/load/launch-spec.js";
import type { Process } from "../../lib/load/process.js";
import type { LinkedImage } from "../../lib/object/object.js";
import type { Channel } from "./channel.js";
import type { Configuration } from "./configuration.js";
import type { Sources } from "./sources.js";

/** The debugged program, which does not change. */
export interface Debuggee {
  readonly configuration: Configuration;
  readonly image: LinkedImage;
  readonly spec: LaunchSpec;
  /** A process only for names: names of places are the same in each run. */
  readonly process: Process;
  readonly lines: Lines;
  readonly sources: Sources;
}

export interface Running {
  readonly process: Process;
  readonly names: MemoryNames;
  readonly session: DebugSession;
}

/** A call of a stopped group, to which a client refers by number. */
export interface FrameRef {
  readonly view: GroupView;
  readonly call: CallView;
  readonly lane: number;
}

export type Children = (start: number, count: number) => readonly VariableNode[];

/** The data of a stop that the client refers to; references are valid until the run resumes. */
export interface Stopped {
  readonly stop: Stop;
  /** Groups by thread number. */
  readonly threads: ReadonlyMap<number, GroupView>;
  /** The inspected lane of each thread. */
  readonly lanes: Map<number, number>;
  readonly frames: FrameRef[];
  readonly variables: { readonly children: Children; readonly frame: FrameRef | undefined; readonly total: number }[];
  resume: Resume | undefined;
}

/** How the next run proceeds, if there is one. */
export type Next =
  | { readonly kind: "restart" }
  | { readonly kind: "rewind"; readonly rewind: Rewind }
  | { readonly kind: "until"; readonly count: number };

export interface State {
  readonly channel: Channel;
  linesStartAt: 0 | 1;
  columnsStartAt: 0 | 1;
  debuggee: Debuggee | undefined;
  running: Running | undefined;
  stopped: Stopped | undefined;
  next: Next | undefined;
  /** Set after a disconnect or terminate request. */
  isEnding: boolean;
  isPausing: boolean;
  /** False if the client wants only the results. */
  isDebugging: boolean;
  /** Breakpoints by owner: a source's path, "function" or "instruction". */
  readonly code: Map<string, readonly CodeBreakpoint[]>;
  data: readonly DataBreakpoint[];
  readonly filters: Set<string>;
  edits: Edit[];
  lastId: number;
  /** Thread numbers by block, warp and lowest lane. */
  readonly threadIds: Map<string, number>;
  lastThreads: readonly DebugProtocol.Thread[];
}

export function createState(channel: Channel): State {
  return {
    channel,
    linesStartAt: 1,
    columnsStartAt: 1,
    debuggee: undefined,
    running: undefined,
    stopped: undefined,
    next: undefined,
    isEnding: false,
    isPausing: false,
    isDebugging: true,
    code: new Map(),
    data: [],
    filters: new Set(["fault", "finding"]),
    edits: [],
    lastId: 0,
    threadIds: new Map(),
    lastThreads: [],
  };
}

export const event = ({ channel }: State, name: string, body?: unknown): void =>
  channel.send({ kind: "event", event: name, body });

export const output = (state: State, category: "console" | "stdout" | "stderr", text: string, place = {}): void => {
  if (text !== "") event(state, "output", { category, output: text, ...place });
};

/** Arms the current run with the breakpoints. Each was armed once before, so its conditions are known to parse. */
export function rearm({ running, code, data, isDebugging }: State): void {
  if (running === undefined || !isDebugging) return;
  const { breakpoints } = running.session;
  const kept = <B extends CodeBreakpoint | DataBreakpoint>(armed: readonly Armed<B>[], of: B): Armed<B> =>
    armed.find((each) => each.of === of) ?? arm(of);
  breakpoints.code = [...code.values()].flat().map((of) => kept(breakpoints.code, of));
  breakpoints.data = data.map((of) => kept(breakpoints.data, of));
  running.session.rearm();
}
