// Requests that start, resume and end a run.

import { existsSync } from "node:fs";
import path from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { createLines } from "../../lib/debug/lines.js";
import { firstLane } from "../../lib/exec/machine/warp.js";
import { loadImage } from "../../lib/load/load.js";
import { readLaunchSpec, type LaunchSpec } from "../../lib/load/launch-spec.js";
import { columnsIn } from "../terminal/columns.js";
import { inSession, type Session } from "../options/common.js";
import { nodeHost, type Host } from "../files/host.js";
import { readImage, specification, wantedLaunch } from "../run/run-inputs.js";
import { status } from "../base/status.js";
import { ConfigurationError, readConfiguration, type Configuration } from "./configuration.js";
import { RequestError, stoppedIn, type Handler } from "./request.js";
import { runLoop } from "./run-loop.js";
import { createSources } from "./sources.js";
import { laneOf } from "./stack.js";
import { event, output, type State } from "./state.js";

/** The process's host, with its output redirected to the client's console. */
const hostOf = (state: State): Host => ({
  ...nodeHost(),
  out: (text) => output(state, "console", text),
  err: (text) => output(state, "stderr", text),
});

export const initialize: Handler<DebugProtocol.InitializeRequestArguments> = (
  state,
  { linesStartAt1 = true, columnsStartAt1 = true },
) => {
  state.linesStartAt = linesStartAt1 ? 1 : 0;
  state.columnsStartAt = columnsStartAt1 ? 1 : 0;
  return {};
};

export const launch: Handler<DebugProtocol.LaunchRequestArguments> = async (state, given) => {
  await load(state, given);
  event(state, "initialized");
  return {};
};

async function load(state: State, given: unknown): Promise<void> {
  const configuration = orRefuse(() => readConfiguration(given, process.cwd()));
  state.isDebugging = (given as DebugProtocol.LaunchRequestArguments).noDebug !== true;
  const result = await inSession(hostOf(state), configuration.options, async (session) => {
    const spec = specOf(configuration, session);
    const image = await readImage(configuration.inputs, configuration.options, spec, session);
    if (image === undefined || spec === undefined || session.sink.errorCount > 0) return status.wrongInput;
    const loaded = loadImage(image);
    const lines = createLines(loaded);
    const sources = createSources(lines, configuration, existsSync);
    state.debuggee = { configuration, image, spec, process: loaded, lines, sources };
    return status.done;
  });
  if (result !== status.done) throw new RequestError("the program to debug has errors: see the debug console");
}

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationError) throw new RequestError(error.message);
    throw error;
  }
}

function specOf({ launch: wanted, cwd }: Configuration, session: Session): LaunchSpec | undefined {
  if (!("spec" in wanted)) return specification(wantedLaunch(wanted), session);
  const source = { name: "launch", bytes: new TextEncoder().encode(JSON.stringify(wanted.spec, undefined, 2)) };
  session.sources.set(source.name, source.bytes);
  return readLaunchSpec(source, session.sink, { readFile: (name) => session.host.read(path.resolve(cwd, name)) });
}

export const configurationDone: Handler<unknown> = (state) => {
  if (state.debuggee === undefined) throw new RequestError("no program is being debugged");
  setImmediate(() => begin(state));
  return {};
};

/** An internal error terminates this thread; the server's thread reports it. */
function begin(state: State): void {
  runLoop(state, columnsIn(nodeHost())).catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
}

// ------------------------------------------------------------------------------------------------------------- on and on

export const continueRun: Handler<unknown> = (state) => {
  stoppedIn(state).resume = { kind: "continue" };
  return { allThreadsContinued: true };
};

type StepArguments = DebugProtocol.NextArguments;

const step =
  (how: "in" | "over" | "out"): Handler<StepArguments> =>
  (state, { threadId, granularity }) => {
    const stopped = stoppedIn(state);
    const view = stopped.threads.get(threadId);
    if (view === undefined) throw new RequestError("the thread is gone");
    const unit = granularity === "instruction" ? "instruction" : "line";
    const { step: scope } = state.debuggee!.configuration;
    stopped.resume = { kind: "step", how, unit, scope, warp: view.warp, lane: laneOf(state, threadId) };
    return {};
  };

export const [next, stepIn, stepOut] = [step("over"), step("in"), step("out")];

export const stepBack: Handler<StepArguments> = (state, { threadId, granularity }) => {
  const { threads, session, edits } = { ...stoppedIn(state), edits: state.edits };
  const view = threads.get(threadId);
  if (view === undefined) throw new RequestError("the thread is gone");
  const { warp, group } = view;
  const unit = granularity === "instruction" ? "instruction" : "line";
  state.edits = edits.filter(({ count }) => count <= session.count);
  state.next = {
    kind: "rewind",
    rewind: {
      before: session.count,
      step: { block: warp.block.index, warp: warp.index, lane: firstLane(group.mask), depth: group.frame.depth, unit },
    },
  };
  return {};
};

export const reverseContinue: Handler<unknown> = (state) => {
  state.next = { kind: "rewind", rewind: { before: stoppedIn(state).session.count } };
  return { allThreadsContinued: true };
};

export const pause: Handler<unknown> = (state) => {
  state.isPausing = true;
  return {};
};

export const restart: Handler<DebugProtocol.RestartArguments> = async (state, { arguments: given }) => {
  if (given !== undefined && state.running === undefined) await load(state, given);
  const wasRunning = state.running !== undefined;
  state.next = { kind: "restart" };
  if (!wasRunning) {
    state.next = undefined;
    setImmediate(() => begin(state));
  }
  return {};
};

export const terminate: Handler<unknown> = (state) => {
  state.isEnding = true;
  if (state.running === undefined) event(state, "terminated");
  return {};
};

export const disconnect: Handler<unknown> = (state) => {
  state.isEnding = true;
  return {};
};
