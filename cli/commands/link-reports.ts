// What ptxkit link says besides diagnostics: text, or with --json one document. On standard output, except where that is
// the image.

import type { Host } from "../host.js";
import type { LiveFindings } from "./link-live.js";

export interface ReportOptions {
  readonly output: string;
  readonly json?: boolean;
}

/** Writes what was found; nothing where nothing was asked for. */
export async function writeReports(findings: LiveFindings, options: ReportOptions, host: Host): Promise<void> {
  const { removed, whyLive } = findings;
  if (removed === undefined && whyLive === undefined) return;
  const write = options.output === "-" ? host.err : host.out;
  const live = await import("../../lib/report/live-text.js");
  if (options.json === true) {
    const document = {
      ...(removed === undefined ? {} : { removed: live.removedJson(removed) }),
      ...(whyLive === undefined ? {} : { whyLive: live.whyLiveJson(whyLive) }),
    };
    write(`${JSON.stringify(document, undefined, 2)}\n`);
    return;
  }
  if (removed !== undefined) write(live.removedText(removed));
  if (whyLive !== undefined) write(live.whyLiveText(whyLive));
}
