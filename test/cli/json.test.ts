// The JSON documents of link and inspect, as docs/linking.md and docs/cli.md describe them: the keys, for every report and view.

import { readFileSync } from "node:fs";
import test from "ava";
import { testdata } from "../oracle/programs.js";
import { moduleText } from "../link/build.js";
import { ptxkit } from "./surroundings.js";

const page = (name: string): string => readFileSync(new URL(`../docs/${name}.md`, testdata), "utf8");

const files = {
  "a.ptx": moduleText(
    ".extern .func f();\n.global .u32 unused;\n.shared .u32 s;\n.visible .entry k() { .reg .u32 %r; ld.shared.u32 %r, [s]; call f; ret; }",
  ),
  "b.ptx": moduleText(".visible .func f() { ret; }"),
};

const reports =
  "--print-gc-sections --why-live f -t --why-extract - -y f --cref --print-dependencies --print-memory-usage --print-call-graph";

test("docs/linking.md has the keys of a link's document, and the options that they belong to", async (t) => {
  const table = /<!-- keys: link -->\n([^]*?)<!-- end -->/.exec(page("linking"))![1]!;
  const rows = [...table.matchAll(/^\| `(\w+)` \| `(.+?)` \| (.*) \|$/gm)];
  const line = `link a.ptx --start-lib b.ptx --end-lib -o out --gc-sections --json ${reports}`;
  const { status, out, err } = await ptxkit(line.split(" "), { files });
  t.is(status, 0, err);
  const document = JSON.parse(out) as Record<string, readonly Record<string, unknown>[]>;
  t.deepEqual(Object.keys(document).sort(), rows.map(([, key]) => key!).sort());
  for (const [, key, flag] of rows) t.true(` ${reports} `.includes(` ${flag} `), `${key} is of ${flag}`);
  const told = (key: string): string => rows.find((row) => row[1] === key)![3]!;
  for (const key of ["whyExtract", "dependencies", "memory"])
    for (const name of Object.keys(document[key]![0]!)) t.true(told(key).includes(`\`${name}\``), `${key}: ${name}`);
});

const views: Readonly<Record<string, readonly string[]>> = {
  "": ["summary", "kernels", "functions"],
  "--header": ["header"],
  "--sections": ["sections"],
  "--symbols": ["symbols"],
  "--relocations": ["relocations"],
  "--info": ["info"],
  "--kernels": ["kernels", "functions"],
  "--layout": ["layout"],
  "--disassemble": ["disassembly"],
  "--header --verify": ["header", "crossCheck", "verification"],
  "--header --cross-check": ["header", "crossCheck"],
};

for (const [view, keys] of Object.entries(views))
  test(`inspect ${view} --json has the keys that docs/cli.md names`, async (t) => {
    const image = (await ptxkit("link a.ptx b.ptx -o out".split(" "), { files })).written.get("out")!;
    const words = `inspect out ${view} --json`.split(" ").filter((word) => word !== "");
    const { out } = await ptxkit(words, { files: { ...files, out: image } });
    const common = ["ptxkit", "file", "kind", "target", "size", "damaged", "shortened"];
    t.deepEqual(Object.keys(JSON.parse(out) as object).sort(), [...common, ...keys].sort());
  });
