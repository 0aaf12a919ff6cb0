// The fast path of ptxkit link. Sources are assembled and packed, the needed members of archives and containers are extracted
// (link-selected.ts), and lib/link/link.ts makes the image; diagnostics are reported in between. If it does not support the
// link, link-ordinary.ts continues with the inputs that were read and assembled.

import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import type { DataOrder } from "../../lib/link/layout/data-order.js";
import { finishLink, resolveLink } from "../../lib/link/link.js";
import { ifSupported } from "../../lib/object/columns/cursor.js";
import type { LinkInput } from "../../lib/object/columns/packed/packed-object.js";
import { hasDiagnostics } from "../../lib/link/detect/detect.js";
import { defineSymbols } from "../../lib/link/defsym/define.js";
import type { Source } from "../../lib/ptx/source-text.js";
import type { Assembled } from "../assembler-batch.js";
import type { Session } from "../common.js";
import { whileOptimisingLate } from "../engine.js";
import { HostError, type Host } from "../host.js";
import { libdeviceSuggester } from "../libdevice.js";
import { linkerFields } from "../link-options.js";
import { sectionOrderOptions, symbolOrderOptions } from "../order-options.js";
import type { PlacedInput } from "../placed-inputs.js";
import { warningOptions } from "../warnings.js";
import type { AssembledMembers } from "../assembled-members.js";
import type { Timeline } from "./link-observe.js";
import { holding, readFiles, type HeldFiles } from "./link-files.js";
import { liveGcOptions, type LiveFindings } from "./link-live.js";
import type { LinkCommandOptions, NamedLink, LinkResult } from "./link-context.js";
import type { PassOptions } from "../../lib/link/state/options.js";
import { type LinkOutput, exceedsLimits } from "../../lib/link/state/results.js";

export interface FastLink {
  /** A host that returns the files already read, except texts, whose results are in `assembled` and `inside`. */
  readonly host: Host;
  readonly assembled: ReadonlyMap<string, Assembled>;
  readonly inside?: AssembledMembers;
  /** Undefined if the fast path does not support the link. */
  readonly linked: NamedLink | undefined;
}

/** `timeline`: records the passes of the whole link. */
export async function linkOnFastPath(
  placed: readonly PlacedInput[],
  options: LinkCommandOptions,
  session: Session,
  timeline: Timeline | undefined,
): Promise<FastLink> {
  const { host } = session;
  const { objects, hasOthers, ...files } = await readFiles(placed, options, session);
  if (objects === undefined) return { host: holding(host, files), assembled: files.assembled, linked: undefined };
  const context: FastLinkContext = { host, files, readOrder: () => readOrder(options, host, files.read), timeline };
  const linked = hasOthers
    ? await (await import("./link-selected.js")).linkSelected(placed, options, session, context)
    : await linkNamed(objects, options, context);
  return { host: holding(host, files), assembled: files.assembled, inside: files.inside, linked };
}

/** The context of the fast path after the files are read. */
export interface FastLinkContext {
  readonly host: Host;
  readonly files: HeldFiles;
  /** The requested order of sections and symbols; undefined if a file of it cannot be read. */
  readonly readOrder: () => DataOrder | undefined;
  readonly timeline: Timeline | undefined;
}

async function linkNamed(
  objects: ReadonlyMap<string, LinkInput>,
  options: LinkCommandOptions,
  { host, files: { assembled }, readOrder, timeline }: FastLinkContext,
): Promise<NamedLink | undefined> {
  if (objects.size === 0) return undefined;
  timeline?.lap("open inputs");
  const order = readOrder();
  if (order === undefined) return undefined;
  const names = [...objects.keys()];
  const live: LiveFindings = {};
  const suggestElsewhere = libdeviceSuggester(host);
  const given = { suggestElsewhere, ...(await linkerOptions(options, names, live, timeline)), ...order };
  const told = await linkAndReport([...objects.values()], names, given, options);
  const found = [...assembled.values()].flatMap(({ diagnostics }) => diagnostics);
  return told && { ...told, found: [...found, ...told.found], names, live, extractions: [] };
}

/** The options of the passes except orders; `names`: the names of the input files. */
export const linkerOptions = async (
  options: LinkCommandOptions,
  names: readonly string[],
  live: LiveFindings,
  timeline: Timeline | undefined,
): Promise<PassOptions> => ({
  ...(await passOptions(options, timeline)),
  ...(await liveGcOptions(options, names, live)),
  defineNames: (columns) => defineSymbols(columns, names, options.defsym ?? []),
  hasDefinitions: options.defsym !== undefined,
});

/** Links, and collects the diagnostics. Undefined if the fast path does not support the link. */
export async function linkAndReport(
  files: readonly LinkInput[],
  names: readonly string[],
  given: PassOptions,
  { W = [] }: LinkCommandOptions,
): Promise<LinkResult | undefined> {
  const named = whileOptimisingLate(() => ifSupported(() => resolveLink(files, given)));
  if (named === undefined) return undefined;
  const sink = createSink(warningOptions(W));
  if (hasDiagnostics(named.pending)) {
    const { reportDiagnostics } = await import("../../lib/link/diagnostics/report.js");
    reportDiagnostics(named, names, given, sink);
  }
  if (sink.errorCount > 0) return { named, linked: undefined, found: sink.all };
  const linked = whileOptimisingLate(() => ifSupported(() => finishLink(named, given)));
  if (linked === undefined) return undefined;
  if (!exceedsLimits(linked)) {
    if (linked.hasUnknownStacks === true) await reportStacks(linked, names, sink);
    return { named, linked: sink.errorCount > 0 ? undefined : linked, found: sink.all };
  }
  const { reportLimits } = await import("../../lib/link/diagnostics/limits.js");
  reportLimits(linked, names, given, sink);
  return { named, linked: undefined, found: sink.all };
}

async function reportStacks({ stages }: LinkOutput, names: readonly string[], sink: DiagnosticSink): Promise<void> {
  const { viewLinked } = await import("../../lib/link/views/views.js");
  const { reportUnknownStacks } = await import("../../lib/link/reports/unknown-stack.js");
  if (stages.image !== undefined) reportUnknownStacks(viewLinked(stages.image, names, ""), sink);
}

/** The requested order of symbols; undefined if its file cannot be read, which is reported elsewhere. */
function readOrder(options: LinkCommandOptions, host: Host, held: Map<string, Source>): DataOrder | undefined {
  const read = (file: string): Uint8Array => {
    const bytes = host.read(file);
    held.set(file, { name: file, bytes });
    return bytes;
  };
  try {
    return symbolOrderOptions(options, { read });
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}

/** The options of the passes except those for --gc-sections and an order of symbols. */
async function passOptions(options: LinkCommandOptions, timeline: Timeline | undefined): Promise<PassOptions> {
  const { maxImageSize, buildId, relocatable } = options;
  const isLenient = options.unresolvedSymbols !== undefined || options.ignoreUnresolvedSymbol !== undefined;
  return {
    ...linkerFields(options),
    ...(isLenient ? (await import("../unresolved-names.js")).unresolvedOptions(options) : {}),
    ...sectionOrderOptions(options),
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
    ...(relocatable === undefined ? {} : { relocatable }),
    asText: options.emit === "ptx",
    ...(options.ptxVersion === undefined ? {} : { ptxVersion: options.ptxVersion }),
    ...(buildId === true ? { identify: (await import("../../lib/object/file/build-id.js")).buildIdOf } : {}),
    ...(timeline === undefined ? {} : { onPass: (pass: string) => timeline.lap(pass) }),
  };
}
