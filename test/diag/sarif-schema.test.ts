// Every object in a SARIF log has the properties that the 2.1.0 schema requires, and no others than it allows. The
// kinds that we write are transcribed here from sarif-schema-2.1.0.json of OASIS.

import test from "ava";
import { codes, type CodeName } from "../../lib/diag/codes.table.js";
import type { Place } from "../../lib/diag/diagnostic.js";
import { renderSarif } from "../../lib/diag/render-sarif.js";
import { createSink } from "../../lib/diag/sink.js";

type Check = (value: unknown, path: string) => readonly string[];

const fault = (is: boolean, path: string, what: string): readonly string[] => (is ? [] : [`${path}: ${what}`]);
const text: Check = (value, path) => fault(typeof value === "string", path, "a string");
const flag: Check = (value, path) => fault(typeof value === "boolean", path, "true or false");
const atLeast =
  (least: number): Check =>
  (value, path) =>
    fault(Number.isInteger(value) && (value as number) >= least, path, `an integer from ${least}`);
const oneOf =
  (...values: readonly string[]): Check =>
  (value, path) =>
    fault(values.includes(value as string), path, values.join(" or "));
const listOf =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value) ? value.flatMap((each, i) => check(each, `${path}[${i}]`)) : [`${path}: an array`];

/** An object type: its properties, and sets of which one must be present. */
const object =
  (properties: Readonly<Record<string, Check>>, ...required: readonly (readonly string[])[]): Check =>
  (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${path}: an object`];
    const missing = required
      .filter((names) => !names.some((name) => Object.hasOwn(value, name)))
      .map((names) => `${path}: lacks ${names.join(" or ")}`);
    const wrong = Object.entries(value).flatMap(([name, inner]) =>
      Object.hasOwn(properties, name) ? properties[name]!(inner, `${path}.${name}`) : [`${path}: has ${name}`],
    );
    return [...missing, ...wrong];
  };

const level = oneOf("none", "note", "warning", "error");
const multiformatMessageString = object({ text }, ["text"]);
const message = object({ text, id: text }, ["text", "id"]);
const region = object(
  {
    startLine: atLeast(1),
    startColumn: atLeast(1),
    endLine: atLeast(1),
    endColumn: atLeast(1),
    byteOffset: atLeast(0),
    byteLength: atLeast(0),
  },
  ["startLine", "charOffset", "byteOffset"],
);
const artifactLocation = object({ uri: text });
const physicalLocation = object({ artifactLocation, region }, ["address", "artifactLocation"]);
const location = object({ id: atLeast(-1), physicalLocation, message });
const reportingDescriptor = object(
  {
    id: text,
    shortDescription: multiformatMessageString,
    fullDescription: multiformatMessageString,
    help: multiformatMessageString,
    defaultConfiguration: object({ enabled: flag, level }),
  },
  ["id"],
);
const toolComponent = object({ name: text, version: text, rules: listOf(reportingDescriptor) }, ["name"]);
const result = object(
  {
    ruleId: text,
    ruleIndex: atLeast(-1),
    level,
    message,
    locations: listOf(location),
    relatedLocations: listOf(location),
  },
  ["message"],
);
const run = object(
  {
    tool: object({ driver: toolComponent }, ["driver"]),
    columnKind: oneOf("utf16CodeUnits", "unicodeCodePoints"),
    results: listOf(result),
  },
  ["tool"],
);
const log = object({ $schema: text, version: oneOf("2.1.0"), runs: listOf(run) }, ["version"], ["runs"]);

const source = Buffer.from("// \u00e4\ud83d\ude00 add\nmov\n  ret;\n");
const places: readonly (Place | undefined)[] = [
  undefined,
  { kind: "text", file: "a.ptx", line: 1, column: 11, start: 10, end: 13 },
  { kind: "text", file: "unread.ptx", line: 3, column: 4, start: 40, end: 39 },
  { kind: "line", file: "a.ptx", line: 3 },
  { kind: "line", file: "a.ptx", line: 0 },
  { kind: "line", file: "unread.ptx", line: 0 },
  { kind: "bytes", file: "a.o", offset: 0 },
  { kind: "file", file: "a b.o" },
];

test("every log is valid under the schema, whatever is reported", (t) => {
  const sink = createSink({ warnings: { "narrow-address": "error" } });
  for (const code of Object.keys(codes) as CodeName[]) {
    const notes = places.map((place) => ({ message: "note", ...(place && { place }) }));
    const meant = { name: "x", place: places[0]! };
    for (const place of places) sink.report(code, "what", place, { notes, references: notes, meant, remedy: "do" });
  }
  const readText = (file: string): Uint8Array | undefined => (file === "a.ptx" ? source : undefined);
  for (const options of [{}, { version: "1.0.0", readText }]) {
    for (const diagnostics of [sink.all, []]) {
      t.deepEqual(log(JSON.parse(renderSarif(diagnostics, options)), "log").slice(0, 5), []);
    }
  }
});

test("columns count UTF-16 units, and a place may end in a later line", (t) => {
  const regionOf = (place: Place): unknown => {
    const sink = createSink();
    sink.report("syntax", "x", place);
    const parsed = JSON.parse(renderSarif(sink.all, { readText: () => source })) as {
      runs: readonly { results: readonly { locations: readonly { physicalLocation: { region: unknown } }[] }[] }[];
    };
    return parsed.runs[0]!.results[0]!.locations[0]!.physicalLocation.region;
  };
  t.is(source.toString("utf8", 10, 13), "add");
  t.deepEqual(regionOf({ kind: "text", file: "a", line: 1, column: 11, start: 10, end: 13 }), {
    ...{ startLine: 1, startColumn: 8, endLine: 1, endColumn: 11 },
    ...{ byteOffset: 10, byteLength: 3 },
  });
  t.deepEqual(regionOf({ kind: "text", file: "a", line: 2, column: 1, start: 14, end: 23 }), {
    ...{ startLine: 2, startColumn: 1, endLine: 3, endColumn: 6 },
    ...{ byteOffset: 14, byteLength: 9 },
  });
  t.deepEqual(regionOf({ kind: "line", file: "a", line: 3 }), {
    ...{ startLine: 3, startColumn: 3, endLine: 3, endColumn: 7 },
    ...{ byteOffset: 20, byteLength: 4 },
  });
});
