// Bundles the scripts of pages (cli/viewer), with the parts of ECharts that they use, each as one file for browsers. `ptxkit
// report` (main.ts) and `inspect --html` (explore.ts) embed theirs in the page; `serve` (serve.ts) imports the bundled library.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const common = {
  absWorkingDir: root,
  outdir: path.join(root, "dist/bundle"),
  write: false,
  bundle: true,
  minify: true,
  target: "es2022",
  platform: "browser",
  charset: "ascii",
  legalComments: "eof",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"production"' },
};

/** Builds the scripts as files of dist/bundle. */
export const bundleViewer = () =>
  build({ ...common, entryPoints: { viewer: "cli/viewer/main.ts", explore: "cli/viewer/explore.ts" }, format: "iife" });
export const bundleServed = () =>
  build({ ...common, entryPoints: { serve: "cli/viewer/serve.ts" }, format: "esm", external: ["/ptxkit.js"] });
