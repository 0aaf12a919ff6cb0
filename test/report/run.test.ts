import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { runSpec } from "../../lib/report/run.js";
import { runText } from "../../lib/report/run-text.js";
import { plainStyler } from "../../lib/report/style.js";
import { loadText } from "../exec/pipeline.js";

test("a run of many short launches hears a signal, and ends there", async (t) => {
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

test("an output of more lines than a call takes arguments", async (t) => {
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
