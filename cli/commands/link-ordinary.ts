// A link of any kind: inputs of every form, every option. The image of most links is there before (link-plain.ts), so that
// only what is asked about it is left.

import type { LinkOptions } from "../../lib/link/options.js";
import { countObjects, linkStats, type ObjectCounts } from "../../lib/link/stats.js";
import { reportAgain, type DiagnosticSink } from "../../lib/diag/sink.js";
import type { Host } from "../host.js";
import { inputFacts, readInputs } from "../link-inputs.js";
import type { PlacedInput } from "../placed-inputs.js";
import { checkOutputs, openOutputs } from "../outputs.js";
import type { CommandLine } from "../response-file.js";
import { status, type Status } from "../status.js";
import { concat } from "../stream.js";
import {
  checkExplainOptions,
  explain,
  explainOptions,
  outputFiles,
  wantsLinked,
  wantsNames,
  type Explanations,
  type ExplainFindings,
} from "./link-explain.js";
import type { LinkCommandOptions, LinkContext, NamedLink } from "./link-context.js";
import { checkLiveOptions, liveOptions, type LiveFindings } from "./link-live.js";
import { symbolOrderOptions } from "../order-options.js";
import { nameOptions } from "./link-names.js";
import type { ObservedHost, Timeline } from "./link-observe.js";
import { checkOutputOptions, makeOutput } from "./link-output.js";
import { writeReports } from "./link-reports.js";
import { linkSelected } from "./link-selected.js";
import { explainSelection, writeDependencies, type SelectedInputs } from "./link-selection.js";

/** `line`: what stands behind "link". */
export async function linkFully(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  line: CommandLine,
  context: LinkContext,
): Promise<Status> {
  const { host, observed, kept, session, timeline } = context;
  checkOutputOptions(options, session.sink);
  checkLiveOptions(options, session.sink);
  checkExplainOptions(options, host);
  checkOutputs(outputFiles(options), kept, session.host);
  const findings: Findings = { live: {}, explain: {} };
  const output = await (context.linked === undefined
    ? linkFiles(files, context, options, findings)
    : lookInto(context, options, findings));
  // Only an archive that was read says what its members are.
  checkOutputs(outputFiles(options), observed.members, observed.host);
  if (options.saveRepro !== undefined) {
    const { saveRepro } = await import("./link-repro.js");
    const copies = openOutputs(host);
    try {
      saveRepro(options.saveRepro, line.words, observed.reads, copies.host);
      copies.commit();
    } finally {
      copies.discard();
    }
  }
  const isRight = output !== undefined && session.sink.errorCount === 0;
  const outputs = openOutputs(host);
  try {
    const explained = await explain(options, findings.explain, isRight, outputs.host);
    const selected = findings.inputs && (await explainSelection(options, findings.inputs, isRight, outputs.host));
    const made = isRight && options.stats === true ? await output() : undefined;
    const counted = made && findings.counts && (await explainStats(findings.counts(), observed, made));
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
  inputs?: SelectedInputs;
  counts?: () => ObjectCounts;
}

/** One after the other. */
const joined = (first: Explanations | undefined, second: Explanations): Explanations =>
  first === undefined ? second : { text: concat(first.text, second.text), json: { ...first.json, ...second.json } };

const nothing: Explanations = { text: [], json: {} };

async function explainStats(
  counts: ObjectCounts,
  { host, reads }: ObservedHost,
  image: readonly Uint8Array[],
): Promise<Explanations> {
  const { linkStatsText } = await import("../../lib/report/link-stats-text.js");
  const stats = linkStats(counts, {
    reads,
    bytesWritten: image.reduce((sum, { length }) => sum + length, 0),
    peakMemory: host.peakMemory(),
  });
  return { text: [linkStatsText(stats)], json: { stats } };
}

async function writeTimeTrace(file: string, timeline: Timeline, host: Host): Promise<void> {
  const { linkTrace } = await import("../../lib/report/link-trace.js");
  host.write(file, linkTrace(timeline.spans()));
}

/** What makes the output's bytes, in parts; undefined after a report. */
type Output = (() => Promise<readonly Uint8Array[]>) | undefined;

/** What is asked about an image that is there. */
async function lookInto(
  { linked, session, timeline }: LinkContext,
  options: LinkCommandOptions,
  findings: Findings,
): Promise<Output> {
  const { named, names, live } = linked!;
  Object.assign(findings.live, live);
  findings.inputs = { names, extractions: [] };
  findings.counts = () => named.counts;
  const output = await lookAt(linked!, options, findings, session.sink);
  timeline?.lap("look into it");
  return output;
}

/** Says what is to be said, and finds what is asked about names and places. */
async function lookAt(
  { named, linked, found, names }: Omit<NamedLink, "live">,
  options: LinkCommandOptions,
  { explain, live }: Findings,
  sink: DiagnosticSink,
): Promise<Output> {
  reportAgain(found, sink);
  if (wantsLinked(options) || wantsNames(options)) {
    const { viewLinked, viewNamed } = await import("../../lib/link/plain/view.js");
    if (wantsNames(options)) explain.resolved = viewNamed(named.asWritten, names);
    const kept = linked?.settled.kept;
    if (wantsLinked(options) && kept !== undefined) explain.linked = viewLinked(kept, names, options.output);
    if (live.removed !== undefined) explain.removed = live.removed;
  }
  return linked && (() => Promise.resolve(linked.image));
}

/** Reads and links. */
async function linkFiles(
  files: readonly PlacedInput[],
  { session, assembled, timeline }: LinkContext,
  options: LinkCommandOptions,
  findings: Findings,
): Promise<Output> {
  const inputs = await readInputs(files, session, options, { assembled });
  const { objects, extractions } = inputs;
  findings.inputs = { names: objects.map(({ name }) => name), extractions };
  findings.counts = () => countObjects(objects);
  timeline?.lap("open inputs");
  if (session.sink.errorCount > 0) return undefined;
  // Of what no archive has given, it was tried before.
  const isMore = extractions.length > 0 || files.some(({ isWhole }) => isWhole);
  const order = symbolOrderOptions(options, session.host);
  const told = isMore ? await linkSelected(inputs, options, order, findings.live, timeline) : undefined;
  if (told !== undefined) return lookAt({ ...told, names: findings.inputs.names }, options, findings, session.sink);
  const given = {
    ...inputFacts(inputs),
    ...linkOptions(options),
    ...order,
    ...liveOptions(options, findings.live),
    ...(timeline === undefined ? {} : { onPass: (pass: string) => timeline.lap(pass) }),
  };
  const make = await makeOutput(objects, options, explainOptions(options, findings.explain, given), session.sink);
  return make && (async () => [await make()]);
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
