// Writes a timed run as a log for Konata (the Kanata format, version 0004). An instruction of the log is one that a warp issued,
// and its thread is the warp. Its stages are the stall reasons before it by short names, `X` when it issues, and `M` until memory
// answers.

import type { LaunchEvents, TracedRequest, TracedSpan, TracedWarp } from "../timing/sm/events.js";
import type { StallName } from "../timing/trace/stalls.js";
import type { TimedLaunch } from "./timing-text.js";

/** Short names of stages: Konata shows only a few letters. */
const stages: Readonly<Record<StallName, string>> = {
  selected: "X",
  not_selected: "Ns",
  wait: "Wt",
  long_scoreboard: "Ls",
  short_scoreboard: "Ss",
  math_pipe_throttle: "Mt",
  mio_throttle: "Mi",
  lg_throttle: "Lg",
  barrier: "Ba",
  membar: "Mb",
  branch_resolving: "Br",
  no_instruction: "Ni",
  drain: "Dr",
};

/** The events of one instruction, in the order of the log. */
interface Issue {
  readonly warp: TracedWarp;
  readonly spans: TracedSpan[];
  /** Cycle at which memory answers the instruction. */
  answered: number | undefined;
}

interface LogLine {
  readonly cycle: number;
  readonly text: string;
}

/** Cycles between launches. */
const GAP = 100;

/** The log in parts. */
export function* konataLog(launches: readonly TimedLaunch[]): Generator<string, void, undefined> {
  yield "Kanata\t0004\nC=\t0\n";
  const lines: LogLine[] = [];
  const warps = new Map<TracedWarp, number>();
  let begin = 0;
  let next = 0;
  for (const { kernel, timing } of launches) {
    const texts = new Map(timing.instructions.map(({ number, text }) => [number, text]));
    for (const issue of timing.events === undefined ? [] : issuesOf(timing.events)) {
      const { warp } = issue;
      if (!warps.has(warp)) warps.set(warp, warps.size);
      const { instruction } = issue.spans[0]!;
      const label = texts.get(instruction) ?? `instruction ${instruction}`;
      const where = `${kernel}, SM ${warp.sm}, block ${warp.block}, warp ${warp.warp}`;
      lines.push(...linesOf(issue, begin, next++, warps.get(warp)!, label, where));
    }
    begin += timing.cycles + GAP;
  }
  // Lines of one cycle keep their order: the sort is stable.
  lines.sort((a, b) => a.cycle - b.cycle);
  let cycle = 0;
  for (const line of lines) {
    if (line.cycle > cycle) yield `C\t${line.cycle - cycle}\n`;
    cycle = line.cycle;
    yield line.text;
  }
}

/** The spans of each warp up to each issue. Spans after the last issue belong to that. */
function issuesOf({ spans, requests }: LaunchEvents): readonly Issue[] {
  const open = new Map<TracedWarp, Issue>();
  const issues: Issue[] = [];
  // Requests of each warp, in the order of their instructions.
  const requestsOf = new Map<TracedWarp, { at: number; readonly all: TracedRequest[] }>();
  for (const request of requests) {
    const known = requestsOf.get(request.warp);
    if (known === undefined) requestsOf.set(request.warp, { at: 0, all: [request] });
    else known.all.push(request);
  }
  for (const span of spans) {
    let issue = open.get(span.warp);
    if (issue === undefined || (issue.spans.at(-1)!.reason === "selected" && span.reason !== "drain")) {
      issue = { warp: span.warp, spans: [], answered: undefined };
      open.set(span.warp, issue);
      issues.push(issue);
    }
    issue.spans.push(span);
    if (span.reason !== "selected") continue;
    const queue = requestsOf.get(span.warp);
    const request = queue?.all[queue.at];
    if (request?.instruction !== span.instruction) continue;
    queue!.at++;
    issue.answered = request.to;
  }
  return issues;
}

function linesOf(
  { spans, answered }: Issue,
  begin: number,
  id: number,
  thread: number,
  label: string,
  where: string,
): readonly LogLine[] {
  const first = spans[0]!;
  const last = spans.at(-1)!;
  const lines: LogLine[] = [];
  const add = (cycle: number, ...words: readonly (string | number)[]): void => {
    lines.push({ cycle: begin + cycle, text: `${words.join("\t")}\n` });
  };
  add(first.from, "I", id, id, thread);
  add(first.from, "L", id, 0, label);
  add(first.from, "L", id, 1, where);
  for (const { reason, from } of spans) add(from, "S", id, 0, stages[reason]);
  let end = last.to;
  if (answered !== undefined && answered > end) {
    add(end, "S", id, 0, "M");
    end = answered;
  }
  add(end, "R", id, id, 0);
  return lines;
}
