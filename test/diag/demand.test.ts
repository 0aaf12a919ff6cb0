// demand(): the result, or an exception with the sink's diagnostics.

import test from "ava";
import { demand, InputError } from "../../lib/diag/demand.js";
import { createSink } from "../../lib/diag/sink.js";

test("a result without errors is returned, with warnings or without", (t) => {
  const sink = createSink();
  sink.report("float-raw-bits", "a warning");
  t.is(demand(7, sink), 7);
});

test("errors are thrown with their text, even if there is a result", (t) => {
  const sink = createSink();
  const bytes = Buffer.from("abc\n");
  sink.report("syntax", "no", { kind: "text", file: "a.ptx", line: 1, column: 2, start: 1, end: 2 });
  const error = t.throws(() => demand(7, sink, { readText: () => bytes }), { instanceOf: InputError });
  t.regex(error.message, /^a\.ptx:1:2: error: no \[syntax\]\n 1 \| abc\n {3}\| {2}\^/);
  t.deepEqual(error.diagnostics, sink.all);
});

test("no result and no error in the sink is a defect of the caller", (t) => {
  t.throws(() => demand(undefined, createSink()), { instanceOf: RangeError, message: /no error that says why/ });
});
