// Bundles the scripts of pages (cli/viewer), with what they use of ECharts, each one file for browsers: of `ptxkit report` (main.ts) and of
// `inspect --html` (explore.ts), which the pages hold whole, and of `serve` (serve.ts), which imports the bundled library.
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

/** The results of esbuild, as files of dist/bundle. */
export const bundleViewer = () =>
  build({ ...common, entryPoints: { viewer: "cli/viewer/main.ts", explore: "cli/viewer/explore.ts" }, format: "iife" });
export const bundleServed = () =>
  build({ ...common, entryPoints: { serve: "cli/viewer/serve.ts" }, format: "esm", external: ["/ptxkit.js"] });
