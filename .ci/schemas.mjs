// Writes the schemas of inspect, diff, link, map, run and gpus in docs/schemas from the types of lib/inspect and lib/report, and
// that of sweeps from the one of launches: `npm run schemas`, after a type has changed. The generator is fetched for this and is
// no dependency; test/schemas.test.ts compares the commands' output with the result.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sweepSchema } from "./sweep-schema.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const generate = (file, type) => {
  const args = ["-y", "ts-json-schema-generator@2", "--path", file, "--type", type, "--tsconfig", "tsconfig.json"];
  return JSON.parse(execFileSync("npx", [...args, "--no-type-check"], { cwd: root, maxBuffer: 2 ** 26 }));
};
const program = { type: "object", properties: { version: { type: "string" } }, required: ["version"] };

/** The document of a command: the type's members and `more`. */
function documentOf({ definitions }, type, title, more) {
  const own = definitions[type];
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title,
    type: "object",
    properties: { ptxkit: program, ...more, ...own.properties },
    required: ["ptxkit", ...Object.keys(more), ...own.required],
    additionalProperties: false,
    definitions,
  };
}

const write = (name, schema) =>
  writeFileSync(`${root}docs/schemas/${name}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);

const inspected = generate("lib/inspect/inspection.ts", "Inspection");
const one = documentOf(inspected, "Inspection", "ptxkit inspect FILE --json", {});
const { definitions, ...single } = one;
write("inspect", {
  $schema: one.$schema,
  title: "ptxkit inspect FILE... --json",
  anyOf: [
    single,
    {
      title: "of several files",
      type: "object",
      properties: { ptxkit: program, files: { type: "array", items: { $ref: "#/definitions/Inspection" } } },
      required: ["ptxkit", "files"],
      additionalProperties: false,
    },
  ],
  definitions,
});
const text = { type: "string" };
write(
  "diff",
  documentOf(generate("lib/inspect/diff.ts", "Diff"), "Diff", "ptxkit diff --json", { before: text, after: text }),
);

/** A document that consists of the type. */
const plain = (schema, title) => ({
  $schema: schema.$schema,
  title,
  ...schema.definitions[schema.$ref.split("/").at(-1)],
  definitions: schema.definitions,
});

write("link", plain(generate("lib/report/link-json.ts", "LinkDocument"), "ptxkit link --json"));
const mapped = generate("lib/report/link-json.ts", "MapDocument");
const { MapDocument, ...ofMap } = mapped.definitions;
write("map", { $schema: mapped.$schema, title: "ptxkit link --map-format json", ...MapDocument, definitions: ofMap });

write("run", plain(generate("lib/report/run-json.ts", "RunDocument"), "ptxkit run --json"));
const { definitions: ofGpus } = generate("lib/report/gpus-text.ts", "GpuDescription");
write("gpus", {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "ptxkit gpus --json",
  type: "array",
  items: { $ref: "#/definitions/GpuDescription" },
  definitions: ofGpus,
});

const launch = JSON.parse(readFileSync(`${root}docs/schemas/launch.schema.json`, "utf8"));
const { launchColumns, PROBLEM } = await import(`${root}dist/lib/report/sweep/sweep-columns.js`);
write("sweep", sweepSchema(launch, [...launchColumns, PROBLEM]));
