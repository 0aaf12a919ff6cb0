// The scripts that pages hold (`ptxkit report`, `inspect --html`) and that `serve` gives: .ci/viewer.mjs makes it beside the bundled program.

import { readFileSync } from "node:fs";
import { UsageError } from "./status.js";

/** The text of one. From the compiler's output and from the bundle, which is one file of dist/bundle, it is found in the same way. */
export function pageScript(name: "viewer" | "explore" | "serve" | "index"): string {
  try {
    return readFileSync(new URL(`../bundle/${name}.js`, import.meta.url), "utf8");
  } catch (error) {
    throw new UsageError(`the script of the page is missing: ${(error as Error).message}`, "npm run build makes it");
  }
}
