// Reports of ptxkit link besides diagnostics: text, or with --json one document. They go to standard output, unless the image
// does.

import type { Host } from "../files/host.js";
import { isStandardOutput } from "../files/outputs.js";
import type { Explanations } from "./link-explain.js";
import { chunksOf, concat } from "../files/stream.js";
import type { LiveFindings } from "./link-live.js";

export interface ReportOptions {
  readonly output: string;
  readonly json?: boolean;
  readonly printGcSections?: boolean;
}

/** Writes the requested reports; writes nothing if none was requested. */
export async function writeReports(
  findings: LiveFindings,
  explained: Explanations,
  options: ReportOptions,
  host: Host,
): Promise<void> {
  const live = await explainLive(findings, options);
  const json = { ...live.json, ...explained.json };
  if (Object.keys(json).length === 0) return;
  const write = isStandardOutput(options.output) ? host.err : host.out;
  if (options.json !== true) return writeParts(concat(live.text, explained.text), write);
  const { jsonParts } = await import("../../lib/report/json-parts.js");
  writeParts(concat(jsonParts(json), ["\n"]), write);
}

function writeParts(parts: Iterable<string>, write: (text: string) => void): void {
  for (const chunk of chunksOf(parts)) write(chunk);
}

async function explainLive(
  { removed: found, whyLive }: LiveFindings,
  { printGcSections = false }: ReportOptions,
): Promise<Explanations> {
  const removed = printGcSections ? found : undefined;
  if (removed === undefined && whyLive === undefined) return { text: [], json: {} };
  const live = await import("../../lib/report/live-text.js");
  return {
    text: concat(
      removed === undefined ? [] : live.removedLines(removed),
      whyLive === undefined ? [] : live.whyLiveBlocks(whyLive),
    ),
    json: {
      ...(removed === undefined ? {} : { removed: live.removedJson(removed) }),
      ...(whyLive === undefined ? {} : { whyLive: live.whyLiveJson(whyLive) }),
    },
  };
}
