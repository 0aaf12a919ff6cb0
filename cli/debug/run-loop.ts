// Runs the debugged launch from its start: once, and again when the client restarts it or steps back.

import { createMemoryNames } from "../../lib/debug/names.js";
import {
  createSession,
  RunEnded,
  type Resume,
  type SessionHost,
  type SessionOptions,
  type Stop,
} from "../../lib/debug/session.js";
import { groupsOf } from "../../lib/debug/view.js";
import { createSink } from "../../lib/diag/sink.js";
import { renderText } from "../../lib/diag/render-text.js";
import { loadImage } from "../../lib/load/load.js";
import { reportFault } from "../../lib/report/fault.js";
import { reportFinding } from "../../lib/report/findings.js";
import { runSpec, type RunReport } from "../../lib/report/run.js";
import { runTextParts } from "../../lib/report/run-text.js";
import { plainStyler } from "../../lib/report/style.js";
import { isWarning, type Finding } from "../../lib/exec/sanitize/finding.js";
import type { Fault } from "../../lib/exec/state/result.js";
import type { ColumnOf } from "../../lib/exec/sanitize/places.js";
import { event, output, rearm, type Debuggee, type Next, type State } from "./state.js";
import { threadsAt } from "./threads.js";

/** Runs until the client ends the session. */
export async function runLoop(state: State, columnOf: ColumnOf): Promise<void> {
  const { debuggee } = state;
  if (debuggee === undefined) return;
  let options: SessionOptions = { stopOnEntry: debuggee.configuration.stopOnEntry };
  for (;;) {
    const report = await runOnce(state, debuggee, options, columnOf);
    state.running = undefined;
    const next: Next | undefined = state.next;
    state.next = undefined;
    if (report !== undefined && next === undefined) sendResults(state, report);
    if (state.isEnding || next === undefined) {
      const isFaulted = report?.fault !== undefined || report?.findings?.every(isWarning) === false;
      // Without a report the launch failed, unless the client ended it; the console shows the reason.
      const isWrong = report === undefined && !state.isEnding;
      event(state, "exited", { exitCode: isFaulted ? 3 : isWrong ? 1 : 0 });
      event(state, "terminated");
      return;
    }
    if (next.kind === "restart") state.edits = [];
    options = optionsFor(state, debuggee, next);
  }
}

function optionsFor(state: State, { configuration }: Debuggee, next: Next): SessionOptions {
  const { edits } = state;
  switch (next.kind) {
    case "restart":
      return { stopOnEntry: configuration.stopOnEntry };
    case "until":
      // In the next run, later edits have not happened yet.
      state.edits = edits.filter(({ count }) => count < next.count);
      return { stopOnEntry: false, until: next.count, edits: state.edits };
    case "rewind":
      return {
        stopOnEntry: false,
        edits,
        rewind: next.rewind,
        found(count) {
          state.next = { kind: "until", count: count ?? 1 };
          throw new RunEnded();
        },
      };
  }
}

/** Runs once; undefined if the client ended the run. */
async function runOnce(
  state: State,
  { image, spec, configuration }: Debuggee,
  options: SessionOptions,
  columnOf: ColumnOf,
): Promise<RunReport<never> | undefined> {
  const process = loadImage(image);
  const names = createMemoryNames(process, spec);
  const session = createSession(process, names, sessionHost(state), options);
  state.running = { process, names, session };
  rearm(state);
  const sink = createSink();
  const { async, maxInstructions, sanitize } = configuration;
  try {
    const report = await runSpec<never>(process, spec, sink, {
      probe: session.probe,
      async,
      ...(maxInstructions === undefined ? {} : { maxInstructions }),
      ...(sanitize ? { sanitize: { columnOf, onFinding: session.onFinding } } : {}),
    });
    if (sink.all.length > 0)
      output(state, "stderr", renderText(sink.all, { color: false, errorLimit: 20, readText: () => undefined }));
    return report;
  } catch (error) {
    if (error instanceof RunEnded) return undefined;
    throw error;
  }
}

function sessionHost(state: State): SessionHost {
  const { channel } = state;
  return {
    stopped: (stop) => waitHere(state, stop),
    isDue: () => channel.isDue() || state.isPausing,
    poll() {
      channel.serve();
      if (state.isEnding || state.next !== undefined) throw new RunEnded();
      const isPausing = state.isPausing;
      state.isPausing = false;
      return isPausing;
    },
    output(kind, text, place) {
      const shown = place && state.debuggee?.sources.placeOf(place.fn, place.pc);
      output(state, kind === "log" ? "console" : "stdout", text, shown ?? {});
    },
    level: () => state.debuggee?.sources.level ?? "ptx",
    stopsOn: (what) => state.isDebugging && state.filters.has(what),
  };
}

/** Reports a stop to the client, and serves its requests until it resumes the run. */
function waitHere(state: State, stop: Stop): Resume {
  const { channel, running } = state;
  const threads = threadsAt(state, groupsOf(running!.session.clusters));
  const [threadId = 0] = [...threads].find(([, view]) => view.group === stop.group) ?? [];
  const stopped = {
    stop,
    threads,
    lanes: new Map([[threadId, stop.lane]]),
    frames: [],
    variables: [],
    resume: undefined,
  };
  state.stopped = stopped;
  state.isPausing = false;
  const explained = explanation(stop);
  if (explained !== undefined) output(state, "stderr", explained);
  event(state, "stopped", {
    reason: stop.reason,
    description: describe(stop),
    ...(stop.text === undefined ? {} : { text: stop.text }),
    threadId,
    allThreadsStopped: true,
    ...(stop.breakpoints.length === 0 ? {} : { hitBreakpointIds: stop.breakpoints }),
  });
  const answer = (): Resume | undefined =>
    state.isEnding || state.next !== undefined ? { kind: "end" } : state.stopped?.resume;
  let resume = answer();
  while (resume === undefined) {
    channel.sleep();
    resume = answer();
  }
  state.stopped = undefined;
  return resume;
}

function describe({ reason, fault, finding }: Stop): string {
  if (fault !== undefined) return `Fault: ${fault.kind}`;
  if (finding !== undefined) return `Sanitizer: ${finding.kind}`;
  return reason === "entry" ? "Stopped on entry" : `Stopped: ${reason}`;
}

/** The text of a fault or a finding, as `run` reports it. */
export function explanation({ fault, finding }: Pick<Stop, "fault" | "finding">): string | undefined {
  const sink = createSink();
  if (fault !== undefined) reportFault(fault as Fault, sink);
  else if (finding !== undefined) reportFinding({ ...finding, count: 1 } as Finding, sink);
  else return undefined;
  return renderText(sink.all, { color: false, errorLimit: 0, readText: () => undefined });
}

function sendResults(state: State, report: RunReport<never>): void {
  // The kernels' output was sent while they ran.
  const shown = { ...report, printf: "" };
  output(state, "console", [...runTextParts(shown, { mostElements: 64, width: 100, style: plainStyler })].join(""));
}
