import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { runSpec } from "../../lib/report/run.js";
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
