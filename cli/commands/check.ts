// ptxkit check: parse and verify.

import path from "node:path";
import { checkSource } from "../../lib/check/check.js";
import { escapeControls } from "../../lib/diag/escape.js";
import { notText } from "../../lib/link/inputs/recognise.js";
import { inSession, type CommonOptions, type Session } from "../options/common.js";
import { withSlowGrowthForFiles } from "../base/engine.js";
import type { Host } from "../files/host.js";
import { checkOptions, tryReadSource } from "../inputs/inputs.js";
import { createProgress } from "../terminal/progress.js";
import { status, type Status } from "../base/status.js";

/** Checks every file, even after errors in earlier ones. A file that cannot be read makes the exit status 2. */
export function check(files: readonly string[], options: CommonOptions, host: Host): Promise<Status> {
  const checking = (session: Session): Status => {
    const progress = createProgress(host, "files");
    try {
      for (const [done, file] of files.entries()) {
        if (files.length > 1) progress.update(`checking ${escapeControls(path.basename(file))}`, done, files.length);
        const source = tryReadSource(file, session);
        if (source === undefined || notText(source, session.sink)) continue;
        checkSource(source, session.sink, { ...checkOptions(options), onCode: () => {} });
      }
    } finally {
      progress.clear();
    }
    return status.done;
  };
  return withSlowGrowthForFiles([], () => inSession(host, options, checking));
}
