import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { elementType } from "../../lib/load/elements.table.js";
import { runSpec } from "../../lib/report/run.js";
import { runJson, runJsonParts } from "../../lib/report/run-json.js";
import { runText, runTextParts } from "../../lib/report/run-text.js";
import { plainStyler } from "../../lib/report/style.js";
import { timedOn } from "../../lib/report/timed.js";
import type { TimingResult } from "../../lib/timing/result/result.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { loadText } from "../exec/pipeline.js";

test("a run of many short launches handles a signal, and ends there", async (t) => {
  const process = loadText(".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n");
  const launches = Array.from({ length: 1000 }, () => ({ kernel: "k", grid: [1], block: [32] }));
  const sink = createSink();
  const bytes = Buffer.from(JSON.stringify({ launches }));
  const spec = readLaunchSpec({ name: "spec.json", bytes }, sink, { readFile: () => new Uint8Array(0) });
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  const report = await runSpec(process, spec!, sink, { signal: controller.signal });
  t.is(sink.errorCount, 0);
  t.is(report?.fault?.kind, "interrupted");
  t.true(report!.launches.length < 1000);
});

test("an output has more lines than a call takes arguments", async (t) => {
  const process = loadText(".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n");
  const sink = createSink();
  const length = 700_000;
  const spec = {
    buffers: { a: { type: "u8", length, fill: 7 } },
    launches: [{ kernel: "k", grid: [1], block: [32] }],
    outputs: ["a"],
  };
  const bytes = Buffer.from(JSON.stringify(spec));
  const read = readLaunchSpec({ name: "spec.json", bytes }, sink, { readFile: () => new Uint8Array(0) });
  const report = await runSpec<never>(process, read!, sink);
  const lines = runText(report!, { mostElements: undefined, width: 1, style: plainStyler }).split("\n");
  t.is(lines[0], `a  u8[${length}]`);
  t.is(lines[length], "  699999: 7");
});

test("large outputs are written in parts, none of which holds a whole output", (t) => {
  const length = 5_000_000;
  const bytes = Uint8Array.from({ length }, (_, i) => i);
  const memory = { peakBytes: 0, allocatedBytes: 0 };
  const output = { name: "a", type: elementType("u8")!, bytes };
  const report = { launches: [], outputs: [output], printf: "", memory };
  const parts = [...runJsonParts(report)];
  t.true(parts.every((part) => part.length <= 2 ** 21));
  const said = { type: "u8", length, hex: Buffer.from(bytes).toString("hex") };
  t.is(parts.join(""), `${JSON.stringify({ launches: [], outputs: { a: said }, printf: "", memory })}\n`);
  let [lines, longest, last] = [0, 0, ""];
  for (const part of runTextParts(report, { mostElements: undefined, width: 80, style: plainStyler })) {
    last = part;
    lines++;
    longest = Math.max(longest, part.length);
  }
  t.true(longest <= 80);
  t.regex(last, /^ {2}49999\d\d:.* 63\n$/);
  t.true(lines > length / 40);
});

test("a launch that faults is timed up to the fault", async (t) => {
  const process = loadText(
    ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n.visible .entry t() { trap; }\n",
  );
  const sink = createSink();
  const bytes = Buffer.from(
    JSON.stringify({ launches: ["k", "t"].map((kernel) => ({ kernel, grid: [1], block: [32] })) }),
  );
  const spec = readLaunchSpec({ name: "spec.json", bytes }, sink, { readFile: () => new Uint8Array(0) });
  const report = (await runSpec(process, spec!, sink, { time: timedOn(findGpu("a100")!) }))!;
  t.is(report.fault?.kind, "trap");
  const { launches } = JSON.parse(runJson(report)) as { launches: { cycles: number; timing: TimingResult }[] };
  t.true(launches.every(({ cycles }) => cycles > 0));
  t.deepEqual(
    launches.map(({ timing }) => timing.isPartial),
    [undefined, true],
  );
  const lines = runText(report, { mostElements: undefined, width: 80, style: plainStyler }).split("\n");
  const timed = lines.slice(lines.indexOf("Timed on a100"));
  t.is(timed.filter((line) => /^ +\d+ {2}[kt]\b/.test(line)).length, 2);
  t.is(timed.filter((line) => line.includes("up to the fault: ")).length, 1);
});

test("a timed cooperative launch frees as much memory as an untimed one", async (t) => {
  const bytes = Buffer.from(
    JSON.stringify({ launches: [1, 2].map((grid) => ({ kernel: "k", grid: [grid], block: [32], cooperative: true })) }),
  );
  const memoryAfter = async (time?: ReturnType<typeof timedOn>): Promise<unknown> => {
    const process = loadText(
      ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k() { .reg .b32 %r; mov.u32 %r, %envreg1; ret; }\n",
    );
    const sink = createSink();
    const spec = readLaunchSpec({ name: "spec.json", bytes }, sink, { readFile: () => new Uint8Array(0) });
    return (await runSpec(process, spec!, sink, time && { time }))?.memory;
  };
  t.deepEqual(await memoryAfter(timedOn(findGpu("a100")!)), { peakBytes: 8, allocatedBytes: 0 });
  t.deepEqual(await memoryAfter(), { peakBytes: 8, allocatedBytes: 0 });
});
