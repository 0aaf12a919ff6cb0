// The bundle of the program in two parts (.ci/nested.mjs): what is inside runs when it is loaded, and the map leads to the sources.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { build, type Metafile } from "esbuild";

interface Bundle {
  readonly code: string;
  readonly map: ConstructorParameters<typeof SourceMap>[0];
}

interface Split {
  readonly nested: (whole: Bundle & { metafile: Metafile; roots: readonly string[] }) => Bundle;
}

const sources = {
  "start.ts": `import { shared } from "./shared.js";
export const start = async () => [
  shared("start"),
  (await import("./late.js")).late(),
  (await import("./other/late.js")).late(),
];
`,
  "shared.ts": `export const shared = (name: string) => "shared " + name;
`,
  "late.ts": `import { shared } from "./shared.js";
import { own } from "./own.js";

export function late() {
  return shared(own);
}
`,
  "own.ts": `export const own = "late";
`,
  // Its name in the bundle has a number behind it.
  "other/late.ts": `export const late = () => "other";
`,
};

/** The sources as one bundle, like the program's. */
async function bundleIn(folder: string) {
  mkdirSync(path.join(folder, "other"));
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, name), text);
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ["start.ts"],
    outdir: path.join(folder, "out"),
    write: false,
    bundle: true,
    format: "cjs",
    sourcemap: "external",
    sourcesContent: false,
    metafile: true,
  });
  const [map, code] = [".map", ".js"].map((ending) => outputFiles.find((file) => file.path.endsWith(ending))!.text);
  return { code: code!, map: JSON.parse(map!) as Bundle["map"], metafile };
}

test("modules that a function loads are inside one, and run as before; the map leads to their lines", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-nested-"));
  try {
    const script = new URL("../../.ci/nested.mjs", import.meta.url.replace("/dist/", "/")).href;
    const { nested } = (await import(script)) as Split;
    const whole = await bundleIn(folder);
    const { code, map } = nested({ ...whole, roots: ["start.ts"] });
    const module = { exports: {} as { start(): Promise<unknown> } };
    new Function("module", code)(module);
    t.deepEqual(await module.exports.start(), ["shared start", "shared late", "other"]);
    const lines = code.split("\n");
    const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text));
    t.true(lineOf("function late()") > lineOf("function makeNestedModules()"));
    t.true(lineOf("function late()") < lineOf("shared = (name)"));
    const entry = new SourceMap(map).findEntry(lineOf("function late()"), 0);
    t.like(entry, { originalSource: "../late.ts", originalLine: 3 });
    t.throws(() => nested({ ...whole, roots: ["none.ts"] }), { message: "there is no module none.ts" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
