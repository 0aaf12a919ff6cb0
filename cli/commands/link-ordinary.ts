// A link of any kind: inputs of every form, every option. What most links are is done before (link-plain.ts).

import type { LinkOptions } from "../../lib/link/options.js";
import type { Host } from "../host.js";
import { inputFacts, readInputs, type LinkInputs } from "../link-inputs.js";
import type { PlacedInput } from "../placed-inputs.js";
import { checkOutputs, openOutputs } from "../outputs.js";
import type { CommandLine } from "../response-file.js";
import { status, type Status } from "../status.js";
import {
  checkExplainOptions,
  explain,
  explainOptions,
  outputFiles,
  type Explanations,
  type ExplainFindings,
} from "./link-explain.js";
import type { LinkCommandOptions, LinkContext } from "./link.js";
import { checkLiveOptions, liveOptions, type LiveFindings } from "./link-live.js";
import { nameOptions, symbolOrderOptions } from "./link-names.js";
import { startTimeline, type ObservedHost, type Timeline } from "./link-observe.js";
import { checkOutputOptions, makeOutput } from "./link-output.js";
import { writeReports } from "./link-reports.js";
import { explainSelection, writeDependencies } from "./link-selection.js";

/** `line`: what stands behind "link". */
export async function linkOrdinarily(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  line: CommandLine,
  { host, observed, session, assembled }: LinkContext,
): Promise<Status> {
  checkOutputOptions(options, session.sink);
  checkLiveOptions(options, session.sink);
  checkExplainOptions(options);
  checkOutputs(
    outputFiles(options),
    files.flatMap(({ isLibrary, name }) => (isLibrary ? [] : [name])),
    observed.host,
  );
  const timeline = options.timeTrace === undefined ? undefined : startTimeline(observed);
  const findings: Findings = { live: {}, explain: {} };
  const output = await linkFiles(files, { session, assembled }, options, findings, timeline);
  if (options.saveRepro !== undefined) {
    const { saveRepro } = await import("./link-repro.js");
    saveRepro(options.saveRepro, line.words, observed.reads, host);
  }
  const isRight = output !== undefined && session.sink.errorCount === 0;
  const outputs = openOutputs(host);
  try {
    const explained = await explain(options, findings.explain, isRight, outputs.host);
    const selected = findings.inputs && (await explainSelection(options, findings.inputs, isRight, outputs.host));
    const made = isRight && options.stats === true ? await output() : undefined;
    const counted = made && findings.inputs && (await explainStats(findings.inputs, observed, made));
    await writeReports(findings.live, joined(joined(selected, explained), counted ?? nothing), options, host);
    timeline?.lap("reports");
    if (!isRight) return status.wrongInput;
    await writeDependencies(options, line.responseFiles, observed.reads, outputs.host);
    // Whoever finds the image finds everything else.
    const image = made ?? (await output());
    outputs.host.write(options.output, image);
    timeline?.lap("write");
    if (timeline !== undefined) await writeTimeTrace(options.timeTrace!, timeline, outputs.host);
    outputs.commit();
  } finally {
    outputs.discard();
  }
  return status.done;
}

interface Findings {
  readonly live: LiveFindings;
  readonly explain: ExplainFindings;
  inputs?: LinkInputs;
}

/** One after the other. */
const joined = (first: Explanations | undefined, second: Explanations): Explanations =>
  first === undefined ? second : { text: first.text + second.text, json: { ...first.json, ...second.json } };

const nothing: Explanations = { text: "", json: {} };

async function explainStats(
  { objects }: LinkInputs,
  { host, reads }: ObservedHost,
  { length }: Uint8Array,
): Promise<Explanations> {
  const { countLink } = await import("../../lib/link/stats.js");
  const { linkStatsText } = await import("../../lib/report/link-stats-text.js");
  const stats = countLink(objects, { reads, bytesWritten: length, peakMemory: host.peakMemory() });
  return { text: linkStatsText(stats), json: { stats } };
}

async function writeTimeTrace(file: string, timeline: Timeline, host: Host): Promise<void> {
  const { linkTrace } = await import("../../lib/report/link-trace.js");
  host.write(file, linkTrace(timeline.spans()));
}

/** Reads and links; what writes the output's bytes, or undefined after a report. */
async function linkFiles(
  files: readonly PlacedInput[],
  { session, assembled }: Pick<LinkContext, "session" | "assembled">,
  options: LinkCommandOptions,
  findings: Findings,
  timeline: Timeline | undefined,
): Promise<(() => Promise<Uint8Array>) | undefined> {
  const inputs = await readInputs(files, session, options, { assembled });
  findings.inputs = inputs;
  timeline?.lap("open inputs");
  if (session.sink.errorCount > 0) return undefined;
  const given = {
    ...inputFacts(inputs),
    ...linkOptions(options),
    ...symbolOrderOptions(options, session.host),
    ...liveOptions(options, findings.live),
    ...(timeline === undefined ? {} : { onPass: (pass: string) => timeline.lap(pass) }),
  };
  return makeOutput(inputs.objects, options, explainOptions(options, findings.explain, given), session.sink);
}

function linkOptions(options: LinkCommandOptions): LinkOptions {
  const { arch, output, maxImageSize, detectOdrViolations } = options;
  return {
    ...nameOptions(options),
    name: output,
    detectOdrViolations: detectOdrViolations === true,
    ...(arch === undefined ? {} : { arch }),
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
  };
}
