// What ptxkit link says besides diagnostics: text, or with --json one document. On standard output, except where that is
// the image.

import type { Host } from "../host.js";
import type { Explanations } from "./link-explain.js";
import type { LiveFindings } from "./link-live.js";

export interface ReportOptions {
  readonly output: string;
  readonly json?: boolean;
}

/** Writes what was found; nothing where nothing was asked for. */
export async function writeReports(
  findings: LiveFindings,
  explained: Explanations,
  options: ReportOptions,
  host: Host,
): Promise<void> {
  const live = await explainLive(findings);
  const json = { ...live.json, ...explained.json };
  if (Object.keys(json).length === 0) return;
  const write = options.output === "-" ? host.err : host.out;
  write(options.json === true ? `${JSON.stringify(json, undefined, 2)}\n` : live.text + explained.text);
}

async function explainLive({ removed, whyLive }: LiveFindings): Promise<Explanations> {
  if (removed === undefined && whyLive === undefined) return { text: "", json: {} };
  const live = await import("../../lib/report/live-text.js");
  return {
    text:
      (removed === undefined ? "" : live.removedText(removed)) +
      (whyLive === undefined ? "" : live.whyLiveText(whyLive)),
    json: {
      ...(removed === undefined ? {} : { removed: live.removedJson(removed) }),
      ...(whyLive === undefined ? {} : { whyLive: live.whyLiveJson(whyLive) }),
    },
  };
}
