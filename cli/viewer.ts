// The script that `ptxkit report` puts into its page: .ci/viewer.mjs makes it beside the bundled program.

import { readFileSync } from "node:fs";
import { UsageError } from "./status.js";

/** Its text. From the compiler's output and from the bundle, which is one file of dist/bundle, it is found in the same way. */
export function viewerScript(): string {
  try {
    return readFileSync(new URL("../bundle/viewer.js", import.meta.url), "utf8");
  } catch (error) {
    throw new UsageError(`the script of the page is missing: ${(error as Error).message}`, "npm run build makes it");
  }
}
