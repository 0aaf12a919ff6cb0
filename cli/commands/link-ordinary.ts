// Runs any link: inputs of every form, every option. link-fast.ts has already linked most of them, so that only the reports
// remain.

import type { PartialLink } from "../../lib/link/model/relocatable.js";
import type { LinkOptions } from "../../lib/link/options.js";
import { countObjects, linkStats } from "../../lib/link/reports/stats.js";
import { createSink, reportAgain, type DiagnosticSink } from "../../lib/diag/sink.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import type { PrintedObject } from "../../lib/object/print/printed.js";
import { warningOptions } from "../options/warnings.js";
import { slowHeapGrowth, withDelayedOptimisation } from "../base/engine.js";
import type { Host } from "../files/host.js";
import { inputFacts, readInputs } from "../inputs/link-inputs.js";
import { checkLinkOptions, linkerFields, writtenFiles, type LinkCommandOptions } from "../options/link-options.js";
import { withNvvmPlan } from "../run/nvvm-plan.js";
import type { PlacedInput } from "../inputs/placed-inputs.js";
import { checkOutputs, openOutputs, writeTogether, type Outputs } from "../files/outputs.js";
import type { CommandLine } from "../options/response-file.js";
import { status, type Status } from "../base/status.js";
import { concat } from "../files/stream.js";
import {
  checkWrittenFiles,
  explain,
  explainOptions,
  wantsLinked,
  wantsNames,
  type Explanations,
  type ExplainFindings,
} from "./link-explain.js";
import type { LinkContext, NamedLink, LinkResult } from "./link-context.js";
import { liveOptions, type LiveFindings } from "./link-live.js";
import { sectionOrderOptions, symbolOrderOptions } from "../options/order-options.js";
import { unresolvedOptions } from "../options/unresolved-names.js";
import type { ObservedHost, Timeline } from "./link-observe.js";
import { makeOutput } from "./link-output.js";
import { writeReports } from "./link-reports.js";
import { explainSelection, writeDependencies, type SelectedInputs } from "./link-selection.js";
import type { LinkStages, ObjectCounts, ResolvedLink } from "../../lib/link/state/results.js";

/** `line`: the words after "link". */
export async function linkFully(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  line: CommandLine,
  context: LinkContext,
): Promise<Status> {
  const { host, observed, kept, session, timeline } = context;
  checkLinkOptions(options, session.sink);
  checkWrittenFiles(options, host);
  checkOutputs(outputFiles(options), kept, session.host);
  const findings: Findings = { live: {}, explain: {} };
  const outputs = openOutputs(host);
  try {
    const output = await (context.linked === undefined
      ? linkFiles(files, context, options, findings)
      : reportFastLink(files, context, options, findings, outputs));
    // The names of thin archives' members are known only after reading.
    checkOutputs(outputFiles(options), observed.members, observed.host);
    if (options.saveRepro !== undefined) await copyInputs(options.saveRepro, options, line, observed);
    const isRight = output !== undefined && session.sink.errorCount === 0;
    const explained = await explainLean(options, findings.explain, isRight, outputs.host);
    const selected = findings.inputs && (await explainSelection(options, findings.inputs, isRight, outputs.host));
    const bytes = isRight && options.stats === true ? await output.bytes() : undefined;
    const { counts } = findings;
    const counted = bytes === undefined || !counts ? nothing : await explainStats(counts(), observed, bytes);
    await writeReports(findings.live, joinReports(joinReports(selected, explained), counted), options, host);
    timeline?.lap("reports");
    if (!isRight) return status.wrongInput;
    await writeDependencies(options, line.responseFiles, observed.reads, outputs.host);
    // Written last: when the image appears, all other outputs are there.
    await output.put(outputs.host);
    timeline?.lap("write");
    if (timeline !== undefined) await writeTimeTrace(options.timeTrace!, timeline, outputs.host);
    outputs.commit();
  } finally {
    outputs.discard();
  }
  return status.done;
}

/**
 * Makes the reports with slow heap growth: the rows of a map become garbage as soon as they are written, while the image and all
 * files are in memory.
 */
async function explainLean(...asked: Parameters<typeof explain>): Promise<Explanations> {
  const growAsUsual = slowHeapGrowth();
  try {
    return await explain(...asked);
  } finally {
    growAsUsual();
  }
}

const outputFiles = (options: LinkCommandOptions): readonly string[] => writtenFiles(options).map(([, file]) => file);

/** Implements --save-repro. */
async function copyInputs(
  folder: string,
  options: LinkCommandOptions,
  line: CommandLine,
  { host, reads }: ObservedHost,
): Promise<void> {
  const { saveRepro } = await import("./link-repro.js");
  const outputs = outputFiles(options).filter((file) => file !== folder);
  writeTogether(host, (each) => saveRepro(folder, line.words, reads, outputs, each));
}

interface Findings {
  readonly live: LiveFindings;
  readonly explain: ExplainFindings;
  inputs?: SelectedInputs;
  counts?: () => ObjectCounts;
}

/** Joins two reports, in this order. */
const joinReports = (first: Explanations | undefined, second: Explanations): Explanations =>
  first === undefined ? second : { text: concat(first.text, second.text), json: { ...first.json, ...second.json } };

const nothing: Explanations = { text: [], json: {} };

async function explainStats(
  counts: ObjectCounts,
  { host, reads }: ObservedHost,
  bytesWritten: number,
): Promise<Explanations> {
  const { linkStatsText } = await import("../../lib/report/link-stats-text.js");
  const stats = linkStats(counts, {
    reads,
    bytesWritten,
    peakMemory: host.peakMemory(),
  });
  return { text: [linkStatsText(stats)], json: { stats } };
}

async function writeTimeTrace(file: string, timeline: Timeline, host: Host): Promise<void> {
  const { linkTrace } = await import("../../lib/report/link-trace.js");
  host.write(file, linkTrace(timeline.spans()));
}

/** The bytes of a correct output, made on demand. */
interface Output {
  /** Size of the output in bytes. */
  bytes(): Promise<number>;
  put(host: Host): Promise<void>;
}

function outputOf(file: string, make: () => Promise<readonly Uint8Array[]>): Output {
  let made: Promise<readonly Uint8Array[]> | undefined;
  const parts = (): Promise<readonly Uint8Array[]> => (made ??= make());
  return {
    bytes: async () => (await parts()).reduce((sum, { length }) => sum + length, 0),
    put: async (host) => host.write(file, await parts()),
  };
}

/** The output and diagnostics of a fast link. No output after an error; undefined if the slow path must link. */
async function fastOutput(
  result: LinkResult,
  options: LinkCommandOptions,
  { session: { sink }, timeline }: LinkContext,
  outputs: Outputs,
): Promise<{ readonly output: Output | undefined; readonly found: readonly Diagnostic[] } | undefined> {
  const { linked, found } = result;
  const { output: file } = options;
  if (linked?.printed === undefined)
    return { output: linked && outputOf(file, () => Promise.resolve(linked.image)), found };
  try {
    const printing = await printText(result, linked.printed, options);
    const bytes = withDelayedOptimisation(() => outputs.tryLast(file, printing.parts, printing.isWhole));
    timeline?.lap("text");
    if (bytes === false) return undefined;
    const output = { bytes: () => Promise.resolve(bytes), put: () => Promise.resolve() };
    return { output, found: [...found, ...(await printing.found())] };
  } catch (error) {
    reportAgain(found, sink);
    throw error;
  }
}

interface PrintedText {
  readonly parts: Iterable<Uint8Array>;
  readonly isWhole: () => boolean;
  /** Diagnostics about the text. Available only after it has been printed. */
  readonly found: () => Promise<readonly Diagnostic[]>;
}

async function printText(
  { named, linked }: LinkResult,
  printed: PrintedObject,
  options: LinkCommandOptions,
): Promise<PrintedText> {
  const { printModule } = await import("../../lib/link/relocatable/print.js");
  const { output: name, ptxVersion, relocatable = false, stripDebug = false, W = [] } = options;
  const object = ptxVersion === undefined ? printed : { ...printed, version: ptxVersion };
  const { parts, isWhole, dropped } = printModule(object, named.settledNames);
  const copies: Uint8Array[] = [];
  const sink = createSink(warningOptions(W));
  return {
    parts: ptxVersion === undefined ? parts : copying(parts, copies),
    isWhole,
    async found() {
      if (dropped.length > 0) {
        const { reportDroppedDebug } = await import("../../lib/link/messages/emitted-ptx.js");
        for (const each of dropped) reportDroppedDebug({ name, modules: printed.modules }, each, sink);
      }
      if (ptxVersion !== undefined) {
        const { reportLowered } = await import("../../lib/link/diagnostics/version.js");
        const asked = { name, ptxVersion, relocatable, stripDebug };
        reportLowered(linked!.stages.ordered, named.linkTarget, asked, Buffer.concat(copies), sink);
      }
      return sink.all;
    },
  };
}

/** Yields the same parts, and adds copies to `copies`. */
function* copying(parts: Iterable<Uint8Array>, copies: Uint8Array[]): Generator<Uint8Array, void, undefined> {
  for (const part of parts) {
    copies.push(part.slice());
    yield part;
  }
}

/** Reports on an image that the fast path has made. */
async function reportFastLink(
  files: readonly PlacedInput[],
  context: LinkContext,
  options: LinkCommandOptions,
  findings: Findings,
  outputs: Outputs,
): Promise<Output | undefined> {
  const { session, timeline } = context;
  const { named, names, live, extractions } = context.linked!;
  const fast = await fastOutput(context.linked!, options, context, outputs);
  if (fast === undefined) {
    timeline?.forget();
    return linkFiles(files, context, options, findings);
  }
  Object.assign(findings.live, live);
  findings.inputs = { names, extractions };
  findings.counts = () => named.counts;
  await showLink({ ...context.linked!, found: fast.found }, options, findings, session.sink);
  timeline?.lap("report");
  return fast.output;
}

/** Reports the diagnostics, and stores the views that the requested reports need. */
async function showLink(
  { named, linked, found, names }: Omit<NamedLink, "live">,
  options: LinkCommandOptions,
  { explain, live }: Findings,
  sink: DiagnosticSink,
): Promise<void> {
  reportAgain(found, sink);
  if (!wantsLinked(options) && !wantsNames(options)) return;
  const { viewLinked, viewNamed } = await import("../../lib/link/views/views.js");
  if (wantsNames(options)) explain.resolved = viewNamed(named.beforeGc, names);
  if (wantsLinked(options) && linked !== undefined) {
    const { image, ordered } = linked.stages;
    if (image !== undefined) explain.linked = viewLinked(image, names, options.output);
    else explain.partialLink = await viewOutput(ordered, named.linkTarget, names, options);
  }
  if (live.removed !== undefined) explain.removed = live.removed;
}

/** A view of an output that is not an image. */
async function viewOutput(
  left: LinkStages["ordered"],
  linkTarget: ResolvedLink["linkTarget"],
  names: readonly string[],
  { emit, output, relocatable, stripDebug, ptxVersion = linkTarget.version }: LinkCommandOptions,
): Promise<PartialLink> {
  const { viewPartialLink } = await import("../../lib/link/views/relocatable.js");
  return viewPartialLink(left, { ...linkTarget, version: ptxVersion }, names, {
    output: emit === "ptx" ? "ptx" : "object",
    name: output,
    relocatable: relocatable === true,
    stripDebug: stripDebug === true,
  });
}

/** Reads the inputs and links them on the slow path. */
async function linkFiles(
  files: readonly PlacedInput[],
  context: LinkContext,
  options: LinkCommandOptions,
  findings: Findings,
): Promise<Output | undefined> {
  const { session, assembled, inside, timeline } = context;
  const planned = withNvvmPlan(options, files, context.observed.host);
  const inputs = await readInputs(files, session, planned, { assembled, ...(inside && { inside }) });
  const { names, extractions } = inputs;
  findings.inputs = { names, extractions };
  timeline?.lap("open inputs");
  if (session.sink.errorCount > 0) return undefined;
  const objects = inputs.objects();
  findings.counts = () => countObjects(objects);
  const given = {
    ...inputFacts(inputs),
    ...linkOptions(options),
    ...symbolOrderOptions(options, session.host),
    ...liveOptions(options, findings.live),
    ...(timeline === undefined ? {} : { onPass: (pass: string) => timeline.lap(pass) }),
  };
  const make = await makeOutput(objects, options, explainOptions(options, findings.explain, given), session.sink);
  return make && outputOf(options.output, async () => [await make()]);
}

function linkOptions(options: LinkCommandOptions): LinkOptions {
  const { output, maxImageSize, defsym } = options;
  return {
    ...linkerFields(options),
    ...unresolvedOptions(options),
    ...sectionOrderOptions(options),
    name: output,
    warnUnknownStacks: true,
    ...(defsym === undefined ? {} : { define: defsym }),
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
  };
}
