// Bundles the program after the compiler has run: `npm run build` ends with it. dist/bundle/program.cjs is the whole program in
// one file, without white space, but with names and a source map, so that the stack of a defect can be shown (cli/base/stack.ts).
// cli/bundled.ts starts it. The entry files of threads are bundles of their own, and so are the library (library.mjs) and the
// scripts of report pages (viewer.mjs).
// Rejected: ECMAScript modules, one for each command and each set of modules that some of them share. Resolving and linking them
// takes longer than finding the same functions in one script, and V8's code cache is unavailable for them in Node 20.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { build } from "esbuild";
import { bundleLibrary } from "./library.mjs";
import { bundleServed, bundleViewer } from "./viewer.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, "dist/bundle");

const common = {
  absWorkingDir: root,
  outdir: folder,
  write: false,
  bundle: true,
  platform: "node",
  target: "node20.19",
  // Use packages' module builds if they exist: the others are wrapped, and jsonc-parser's cannot be bundled.
  mainFields: ["module", "main"],
  // Packages with many files for one option or one command stay where npm installed them. graphile-worker is optional.
  external: ["elfy", "vscode-languageserver*", "@vscode/debugadapter*", "graphile-worker"],
  minifyWhitespace: true,
  minifySyntax: true,
  // A separate file, where cli/base/stack.ts looks for it. The published package has none, so no file refers to it.
  sourcemap: "external",
  sourcesContent: false,
  legalComments: "linked",
  logLevel: "warning",
};

const program = await build({
  ...common,
  entryPoints: { program: "cli/start.ts" },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  // A function of the values that bundled.ts provides, which returns the module's exports.
  banner: { js: "(function (require, url) { const module = { exports: {} };" },
  footer: { js: "return module.exports; })" },
  define: { "import.meta.url": "url" },
});
// cli/bundled.ts reads one byte per character. esbuild escapes other characters in strings, but not in regular expressions and
// tagged templates.
const foreign = program.outputFiles
  .find(({ path: file }) => file.endsWith(".cjs"))
  .text.match(/.{0,40}[^\0-\x7f].{0,20}/u);
if (foreign !== null) throw new Error(`the bundle must be ASCII: write an escape or an entity in ${foreign[0]}`);
// The package's entry file. In a checkout cli/main.ts may start the compiler's output, which the package does not contain.
const main = await build({
  ...common,
  entryPoints: { main: "cli/main.ts" },
  external: ["./start.js"],
  format: "esm",
});
const library = await bundleLibrary(common);
const viewer = await bundleViewer();
const served = await bundleServed();
const threads = await build({
  ...common,
  entryPoints: {
    "assembler-worker": "cli/assembly/assembler-worker.ts",
    "check-worker": "cli/lsp/check-worker.ts",
    "debug-worker": "cli/debug/debug-worker.ts",
    "sweep-worker": "cli/sweep/sweep-worker.ts",
  },
  splitting: true,
  format: "esm",
  // CommonJS packages load node's own modules with require.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// Write the program last and in one step: an interrupted build leaves none, and the compiler's own output runs.
const ready = path.join(folder, "program.cjs");
for (const { path: file, contents } of [
  ...main.outputFiles,
  ...viewer.outputFiles,
  ...served.outputFiles,
  ...library.outputFiles,
  ...threads.outputFiles,
  ...program.outputFiles,
])
  writeFileSync(file === ready ? `${ready}.new` : file, contents);
renameSync(`${ready}.new`, ready);
