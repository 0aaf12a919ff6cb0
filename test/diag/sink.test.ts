import test from "ava";
import { createSink, type SinkOptions } from "../../lib/diag/sink.js";

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

test("a code's warnings are dropped, kept or raised, whatever the setting for all; errors stay errors", (t) => {
  const severities = (options: SinkOptions): readonly string[] => {
    const sink = createSink(options);
    for (const code of ["narrow-address", "symbol-type", "syntax"] as const) sink.report(code, "x");
    t.is(sink.errorCount, sink.all.filter(({ severity }) => severity === "error").length);
    return sink.all.map(({ code, severity, raised }) => `${code} ${severity}${raised === true ? " raised" : ""}`);
  };
  t.deepEqual(severities({ warnings: { "narrow-address": "off", "symbol-type": "error", syntax: "off" } }), [
    "symbol-type error raised",
    "syntax error",
  ]);
  t.deepEqual(severities({ warningsAreErrors: true, warnings: { "narrow-address": "warning" } }), [
    "narrow-address warning",
    "symbol-type error raised",
    "syntax error",
  ]);
});

test("an inconsistent file gets its code's remedy, unless the message has a better one", (t) => {
  const sink = createSink();
  sink.report("malformed-file", "cut off", { kind: "bytes", file: "a.o", offset: 4 });
  sink.report("malformed-file", "cut off", { kind: "bytes", file: "a.o", offset: 8 }, { remedy: "run strip again" });
  sink.report("broken-rule", "overlaps another");
  t.deepEqual(
    sink.all.map(({ remedy }) => remedy),
    [
      "fetch or build the file again: most malformed files were truncated by an incomplete copy",
      "run strip again",
      undefined,
    ],
  );
});
