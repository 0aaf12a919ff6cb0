// Requirements of SARIF 2.1.0: required properties, rule indices, URIs, one-based regions.

import test from "ava";
import { renderSarif } from "../../lib/diag/render-sarif.js";
import { createSink } from "../../lib/diag/sink.js";

interface Log {
  readonly version: string;
  readonly $schema: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { readonly name: string; readonly version?: string; readonly rules: readonly { id: string }[] };
    };
    readonly results: readonly Result[];
  }[];
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly Location[];
  readonly relatedLocations?: readonly (Location & {
    readonly id: number;
    readonly message: { readonly text: string };
  })[];
}

interface Location {
  readonly physicalLocation?: {
    readonly artifactLocation: { readonly uri: string };
    readonly region?: { readonly startLine?: number; readonly byteOffset?: number };
  };
}

test("results point at their rules, places and notes", (t) => {
  const sink = createSink();
  sink.report("malformed-file", "one", { kind: "bytes", file: "b.o", offset: 9 });
  sink.report(
    "syntax",
    "two",
    { kind: "text", file: "dir/a b.ptx", line: 3, column: 4, start: 10, end: 12 },
    { notes: [{ message: "n", place: { kind: "line", file: "c.cu", line: 5 } }, { message: "m" }], remedy: "r" },
  );
  sink.report("syntax", "three");
  const log = JSON.parse(renderSarif(sink.all, { version: "1.2.3" })) as Log;
  t.is(log.version, "2.1.0");
  const [run] = log.runs as [Log["runs"][number]];
  t.is(run.tool.driver.version, "1.2.3");
  t.deepEqual(
    run.tool.driver.rules.map(({ id }) => id),
    ["malformed-file", "syntax"],
  );
  for (const { ruleId, ruleIndex } of run.results) t.is(run.tool.driver.rules[ruleIndex]!.id, ruleId);
  const [one, two, three] = run.results as [Result, Result, Result];
  t.deepEqual(one.locations, [
    { physicalLocation: { artifactLocation: { uri: "b.o" }, region: { byteOffset: 9, byteLength: 0 } } },
  ] as unknown as Location[]);
  t.deepEqual(two.locations, [
    {
      physicalLocation: {
        artifactLocation: { uri: "dir/a%20b.ptx" },
        region: { startLine: 3, startColumn: 4, byteOffset: 10, byteLength: 2 },
      },
    },
  ] as unknown as Location[]);
  t.is(two.message.text, "two (help: r)");
  t.deepEqual(
    two.relatedLocations?.map(({ id, message }) => [id, message.text]),
    [
      [0, "n"],
      [1, "m"],
    ],
  );
  t.deepEqual(three.locations, []);
});

test("every name of a file becomes a valid URI reference", (t) => {
  for (const file of ["-", "/tmp/a.ptx", "lib.a(b:c.o)", "100%.ptx", "a\u00e4#?.ptx", "\ud800", "a\\b"]) {
    const sink = createSink();
    sink.report("syntax", "x", { kind: "file", file });
    const log = JSON.parse(renderSarif(sink.all)) as Log;
    const { uri } = log.runs[0]!.results[0]!.locations[0]!.physicalLocation!.artifactLocation;
    t.notThrows(() => new URL(uri, "file:///base/"));
    t.regex(uri, /^(?:[A-Za-z0-9._~!'()*/-]|%[0-9A-F]{2}|file:\/\/)+$/);
  }
});
