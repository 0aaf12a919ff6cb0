#!/usr/bin/env node
// The program's first file. `npm run build` bundles what it starts (.ci/bundle.mjs) into a few files in dist/bundle, one for
// each command: reading three hundred small modules takes longer than most commands take to run. Where there is no bundle,
// or the compiler has run since it was made, the compiler's own output is started instead, so that a stale bundle never runs.
// Rejected: bundling over this file (the compiler, which thinks its output up to date, would leave a stale program in place).

import { statSync } from "node:fs";
import type { start as startProgram } from "./start.js";
import { writeAll } from "./stream.js";
import { isVersionRequest, version } from "./version.js";

const place = (name: string): URL => new URL(name, import.meta.url);
const changed = (name: string): number | undefined => statSync(place(name), { throwIfNoEntry: false })?.mtimeMs;

/** The bundle, unless the compiler ran after the bundler; a published package holds no trace of the compiler. */
function entry(): string {
  const bundled = changed("../bundle/start.js");
  const fresh = bundled !== undefined && bundled >= (changed("../.tsbuildinfo") ?? 0);
  return fresh ? "../bundle/start.js" : "./start.js";
}

const args = process.argv.slice(2);
if (isVersionRequest(args)) writeAll(1, `${version()}\n`);
else {
  const { start } = (await import(place(entry()).href)) as { readonly start: typeof startProgram };
  process.exitCode = await start(args);
}
