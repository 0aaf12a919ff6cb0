// The scripts embedded in pages (`ptxkit report`, `inspect --html`) or sent by `serve`: .ci/viewer.mjs builds them next to the
// bundled program.

import { readFileSync } from "node:fs";
import { UsageError } from "./base/status.js";

/**
 * The text of a script. The same relative path works for the compiler's output and for the bundle, which is one file in
 * dist/bundle.
 */
export function pageScript(name: "viewer" | "explore" | "serve" | "index"): string {
  try {
    return readFileSync(new URL(`../bundle/${name}.js`, import.meta.url), "utf8");
  } catch (error) {
    throw new UsageError(`the script of the page is missing: ${(error as Error).message}`, "npm run build makes it");
  }
}
