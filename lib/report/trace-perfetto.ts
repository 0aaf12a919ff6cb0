// Writes a timed run as a trace for Perfetto or chrome://tracing: the JSON of Chrome's trace event format. A process is an SM; a
// thread is a warp slot of one of its sub-cores. A thread shows the warps that occupied the slot, and in them stall reasons and
// issued instructions. Memory requests are asynchronous events; rates of the whole GPU are counters. A cycle is a microsecond of
// the trace, because its times are too coarse for nanoseconds. Spans of a thread are consecutive and inside their warp's span, so
// that they nest, as the format requires.

import type { LaunchEvents, TracedWarp } from "../timing/sm/events.js";
import type { InstructionProfile } from "../timing/result/instruction-profile.js";
import type { TimingResult } from "../timing/result/result.js";
import type { TimedLaunch } from "./timing-text.js";

/** Number of thread numbers reserved for the slots of a sub-core. */
const SLOTS = 64;
const GPU = 1;
/** The process number of an SM. */
const processOf = (sm: number): number => sm + 2;
const threadOf = ({ subcore, slot }: TracedWarp): number => subcore * SLOTS + slot + 1;

/** Cycles between launches, to separate them. */
const GAP = 100;

type Json = Readonly<Record<string, unknown>>;

/** The document in parts. */
export function* perfettoTrace(launches: readonly TimedLaunch[]): Generator<string, void, undefined> {
  yield '{"traceEvents":[\n';
  let between = "";
  for (const event of events(launches)) {
    yield `${between}${JSON.stringify(event)}`;
    between = ",\n";
  }
  const [first] = launches;
  const otherData = {
    gpu: first?.timing.gpu ?? "",
    time: "1 us of the trace is 1 cycle of the SM clock",
    shortened: launches.some(({ timing }) => timing.events?.isCut === true),
  };
  yield `\n],"displayTimeUnit":"ns","otherData":${JSON.stringify(otherData)}}\n`;
}

function* events(launches: readonly TimedLaunch[]): Generator<Json, void, undefined> {
  yield* names(launches);
  let begin = 0;
  for (const [i, { kernel, timing }] of launches.entries()) {
    const { cycles, microseconds, limitedBy, caches } = timing;
    const args = { launch: i + 1, microseconds, "bound by": limitedBy, caches };
    yield { ph: "X", cat: "launch", name: kernel, pid: GPU, tid: 1, ts: begin, dur: cycles, args };
    yield* counters(timing, begin);
    if (timing.events !== undefined) yield* launchEvents(timing.events, timing.instructions, begin, i);
    begin += cycles + GAP;
  }
}

function* names(launches: readonly TimedLaunch[]): Generator<Json, void, undefined> {
  yield meta(GPU, 0, "process_name", { name: `GPU (${launches[0]?.timing.gpu ?? ""})` });
  yield meta(GPU, 0, "process_sort_index", { sort_index: 0 });
  yield meta(GPU, 1, "thread_name", { name: "launches" });
  const slots = new Map<string, TracedWarp>();
  for (const { timing } of launches)
    for (const warp of timing.events?.warps ?? []) slots.set(`${warp.sm} ${threadOf(warp)}`, warp);
  for (const sm of new Set([...slots.values()].map((warp) => warp.sm))) {
    yield meta(processOf(sm), 0, "process_name", { name: `SM ${sm}` });
    yield meta(processOf(sm), 0, "process_sort_index", { sort_index: sm + 1 });
  }
  for (const warp of slots.values()) {
    const [pid, tid] = [processOf(warp.sm), threadOf(warp)];
    yield meta(pid, tid, "thread_name", { name: `sub-core ${warp.subcore}, slot ${warp.slot}` });
    yield meta(pid, tid, "thread_sort_index", { sort_index: tid });
  }
}

const meta = (pid: number, tid: number, name: string, args: Json): Json => ({ ph: "M", pid, tid, name, args });

function* counters({ timeline, cycles }: TimingResult, begin: number): Generator<Json, void, undefined> {
  const series: readonly (readonly [name: string, unit: string, values: readonly number[]])[] = [
    ["occupancy", "%", timeline.occupancy.map((share) => Number((100 * share).toPrecision(4)))],
    ["IPC", "per SM", timeline.ipc],
    ["DRAM", "bytes/cycle", timeline.dramBytesPerCycle],
    ["L2", "bytes/cycle", timeline.l2BytesPerCycle],
  ];
  for (const [name, unit, values] of series) {
    let last: number | undefined;
    for (const [i, value] of values.entries()) {
      if (value === last) continue;
      last = value;
      yield { ph: "C", name, pid: GPU, ts: begin + i * timeline.cyclesPerSample, args: { [unit]: value } };
    }
    yield { ph: "C", name, pid: GPU, ts: begin + cycles, args: { [unit]: 0 } };
  }
}

function* launchEvents(
  { warps, spans, requests }: LaunchEvents,
  instructions: readonly InstructionProfile[],
  begin: number,
  launch: number,
): Generator<Json, void, undefined> {
  const byNumber = new Map(instructions.map((row) => [row.number, row]));
  const textOf = (number: number): string => byNumber.get(number)?.text ?? `instruction ${number}`;
  const placeOf = (number: number): string => {
    const { ptx, source } = byNumber.get(number) ?? {};
    const place = source ?? ptx;
    return place === undefined ? "" : `${place.file}:${place.line}`;
  };
  for (const warp of warps)
    yield {
      ph: "X",
      cat: "warp",
      name: `block ${warp.block}, warp ${warp.warp}`,
      pid: processOf(warp.sm),
      tid: threadOf(warp),
      ts: begin + warp.start,
      dur: warp.end - warp.start,
    };
  for (const { warp, reason, from, to, instruction } of spans) {
    const isIssue = reason === "selected";
    yield {
      ph: "X",
      cat: isIssue ? "issue" : "stall",
      name: isIssue ? textOf(instruction) : reason,
      pid: processOf(warp.sm),
      tid: threadOf(warp),
      ts: begin + from,
      dur: to - from,
      args: isIssue ? { at: placeOf(instruction) } : { before: textOf(instruction), at: placeOf(instruction) },
    };
  }
  for (const [i, { warp, instruction, space, from, to }] of requests.entries()) {
    const common = { cat: "memory", id: `${launch}.${i}`, name: `${space} request`, pid: processOf(warp.sm), tid: 0 };
    const args = { instruction: textOf(instruction), at: placeOf(instruction), block: warp.block, warp: warp.warp };
    yield { ph: "b", ...common, ts: begin + from, args };
    yield { ph: "e", ...common, ts: begin + to };
  }
}
