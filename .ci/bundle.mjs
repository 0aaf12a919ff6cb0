// Bundles the program into dist/bundle after the compiler has run: `npm run build` ends with it. One file for what every
// command needs, one for each command, and one for each set of modules that some of them share; white space goes, names stay
// and source maps lie beside, so that the stack of a defect can be told (cli/stack.ts). The library in dist/lib and
// dist/formats is what the compiler made, unbundled.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, "dist/bundle");

const { outputFiles } = await build({
  absWorkingDir: root,
  // The program, and what its threads begin with.
  entryPoints: {
    start: "cli/start.ts",
    "assembler-worker": "cli/assembler-worker.ts",
    "launch-worker": "lib/exec/workers/launch-worker.ts",
  },
  outdir: folder,
  write: false,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Packages in their modern form where they have one: the other is wrapped, and jsonc-parser's cannot be bundled.
  mainFields: ["module", "main"],
  // A package of many files for one option; it stays where npm put it.
  external: ["elfy"],
  // Packages in the old form ask for node's own modules by require.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: "linked",
  sourcesContent: false,
  legalComments: "linked",
  logLevel: "warning",
});

mkdirSync(folder, { recursive: true });
for (const { path: file, contents } of outputFiles) writeFileSync(file, contents);
const made = new Set(outputFiles.map((file) => path.basename(file.path)));
for (const name of readdirSync(folder)) if (!made.has(name)) rmSync(path.join(folder, name), { recursive: true });
