// Bundles the script of the page that `ptxkit report` writes (viewer/main.ts) with what it uses of ECharts: one file for browsers, which
// the page holds whole.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The result of esbuild, as dist/bundle/viewer.js. */
export const bundleViewer = () =>
  build({
    absWorkingDir: root,
    entryPoints: { viewer: "viewer/main.ts" },
    outdir: path.join(root, "dist/bundle"),
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    platform: "browser",
    charset: "ascii",
    legalComments: "eof",
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
  });
