#!/usr/bin/env node
// The program's entry file. `npm run build` bundles what it starts (.ci/bundle.mjs) into one script in dist/bundle: reading three
// hundred small modules takes longer than most commands take to run. If there is no bundle, or the compiler has run since it was
// made, the compiler's own output is started instead, so that a stale bundle never runs.
// Rejected: bundling over this file (the compiler, which thinks its output up to date, would leave a stale program in place).

import { statSync } from "node:fs";
import { loadBundled } from "./bundled.js";
import type { start as startProgram } from "./start.js";
import { writeAll } from "./files/stream.js";
import { isVersionRequest } from "./version.js";

const changed = (name: string): number | undefined =>
  statSync(new URL(name, import.meta.url), { throwIfNoEntry: false })?.mtimeMs;

/**
 * Whether there is a bundle that is not older than the compiler's output. A published package contains no output of the compiler.
 */
function isBundled(): boolean {
  const bundled = changed("../bundle/program.cjs");
  return bundled !== undefined && bundled >= (changed("../.tsbuildinfo") ?? 0);
}

const args = process.argv.slice(2);
if (isVersionRequest(args)) writeAll(1, `${(await import("./base/version-lines.js")).versionLines()}\n`);
else {
  const { start } = isBundled()
    ? loadBundled(args)
    : ((await import("./start.js")) as { readonly start: typeof startProgram });
  process.exitCode = await start(args);
}
