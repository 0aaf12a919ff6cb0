// Traces of a small launch, held to what their readers ask for.

import test from "ava";
import { konataLog } from "../../lib/report/trace-konata.js";
import { perfettoTrace } from "../../lib/report/trace-perfetto.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { codeOf, time, type Scenario } from "../timing/kernels.js";

const code = codeOf("ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1; bar.sync 0; st.global.f32 [%rd1], %f2; ret;");

const launch = (blocks: number) => ({
  kernel: "k",
  timing: time(
    {
      code,
      blocks,
      threads: 96,
      path: (go, block, warp) => {
        const access = {
          space: "global",
          bytes: 4,
          address: (lane: number) => 2 ** 32 + 128 * (4 * block + warp) + 4 * lane,
        } as const;
        for (let pc = 0; pc < 5; pc++) go(pc, pc === 0 || pc === 3 ? access : undefined);
      },
    },
    findGpu("a100"),
    { events: { sms: [0, 1], limit: 10_000 } },
  ),
});

const launches = [launch(300), launch(2)];

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly id?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

const events = (JSON.parse([...perfettoTrace(launches)].join("")) as { traceEvents: TraceEvent[] }).traceEvents;

test("Perfetto: slices of a thread nest, and none is of negative length", (t) => {
  const threads = new Map<string, TraceEvent[]>();
  for (const event of events.filter(({ ph }) => ph === "X")) {
    const thread = `${event.pid} ${event.tid}`;
    threads.set(thread, [...(threads.get(thread) ?? []), event]);
  }
  t.true(threads.size > 6);
  for (const [thread, slices] of threads) {
    const ends: number[] = [];
    for (const { ts, dur } of slices.toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
      t.true(dur > 0, thread);
      while (ends.length > 0 && ends.at(-1)! <= ts) ends.pop();
      t.true(ends.length === 0 || ts + dur <= ends.at(-1)!, `${thread} at ${ts}`);
      ends.push(ts + dur);
    }
  }
});

test("Perfetto: SMs and warp slots have names, requests begin and end, and counters cover the run", (t) => {
  const names = events.filter(({ name }) => name === "process_name").map(({ args }) => args!["name"]);
  t.deepEqual(names, ["GPU (a100)", "SM 0", "SM 1"]);
  const begun = events.filter(({ ph }) => ph === "b");
  const ended = new Map(events.filter(({ ph }) => ph === "e").map((event) => [event.id, event]));
  t.is(begun.length, ended.size);
  for (const { id, ts } of begun) t.true(ended.get(id)!.ts >= ts);
  const counters = new Set(events.filter(({ ph }) => ph === "C").map(({ name }) => name));
  t.deepEqual([...counters], ["occupancy", "IPC", "DRAM", "L2"]);
  const [first, second] = events.filter(({ name }) => name === "k");
  t.is(second!.ts, first!.dur + 100);
});

test("Konata: cycles never decrease, and every instruction begins, has stages in order and retires", (t) => {
  const log = [...konataLog(launches)].join("");
  const lines = log
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  t.deepEqual(lines.slice(0, 2), [
    ["Kanata", "0004"],
    ["C=", "0"],
  ]);
  const alive = new Set<string>();
  let retired = 0;
  for (const [command, id, third] of lines.slice(2)) {
    if (command === "C") t.true(Number(id) > 0);
    else if (command === "I") alive.add(id!);
    else t.true(alive.has(id!), `${command} ${id}`);
    if (command !== "R") continue;
    alive.delete(id!);
    retired++;
    t.is(third, id);
  }
  t.is(alive.size, 0);
  const issued = launches.flatMap(({ timing }) => timing.events!.spans).filter(({ reason }) => reason === "selected");
  t.is(retired, issued.length);
  t.regex(log, /\tLs\n/);
  t.regex(log, /\tM\n/);
});

test("a trace that reaches its limit covers all of its SMs up to about the same cycle", (t) => {
  const loop = codeOf(`L: mad.lo.u32 %r1, %r1, %r1, %r2;
  bra L;
  ret;`);
  const path: Scenario["path"] = (go) => {
    for (let i = 0; i < 1000; i++) {
      go(0);
      go(1);
    }
    go(2);
  };
  const { spans } = time({ code: loop, blocks: 4, path }, findGpu("a100"), {
    events: { sms: [0, 1, 2, 3], limit: 2000 },
  }).events!;
  const ends = [0, 1, 2, 3].map((sm) => Math.max(...spans.filter(({ warp }) => warp.sm === sm).map(({ to }) => to)));
  t.true(Math.max(...ends) - Math.min(...ends) < 200, ends.join());
});

test("a trace that reaches its limit says so", (t) => {
  const scenario = { code: codeOf("add.u32 %r1, %r1, 1; ret;"), threads: 1024 };
  const timing = time(scenario, undefined, { events: { sms: [0], limit: 10 } });
  t.is(timing.events!.spans.length, 10);
  t.true(timing.events!.isCut);
  const { otherData } = JSON.parse([...perfettoTrace([{ kernel: "k", timing }])].join("")) as {
    otherData: { shortened: boolean };
  };
  t.true(otherData.shortened);
});
