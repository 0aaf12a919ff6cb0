import test from "ava";
import { createSink } from "../../lib/diag/sink.js";

test("repeats at one place are dropped, different messages about one file are not", (t) => {
  const sink = createSink();
  const place = { kind: "text", file: "a", line: 1, column: 1, start: 0, end: 1 } as const;
  sink.report("syntax", "one", place);
  sink.report("syntax", "echo of one", place);
  sink.report("malformed-file", "two", { kind: "file", file: "a" });
  sink.report("malformed-file", "three", { kind: "file", file: "a" });
  sink.report("malformed-file", "three", { kind: "file", file: "a" });
  sink.report("malformed-file", "four");
  sink.report("malformed-file", "four");
  t.deepEqual(
    sink.all.map(({ message }) => message),
    ["one", "two", "three", "four"],
  );
  t.is(sink.errorCount, 4);
});
