// The fast path of ptxkit link. Sources are assembled and packed, the needed members of archives and containers are extracted
// (link-selected.ts), and lib/link/plain/link.ts makes the image; diagnostics are reported in between. If it does not support the
// link, link-ordinary.ts continues with the inputs that were read and assembled.

import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import type { DataOrder } from "../../lib/link/plain/layout/data-order.js";
import { finishPlain, isExcess, settlePlain, type PlainLinked, type PlainOptions } from "../../lib/link/plain/link.js";
import { unlessNotPlain } from "../../lib/link/plain/tables/cursor.js";
import type { PlainInput } from "../../lib/link/plain/packed/packed.js";
import { isRemarkable } from "../../lib/link/plain/remarks/remarks.js";
import { definePlain } from "../../lib/link/plain/tell/define.js";
import type { Assembled } from "../assembler-batch.js";
import type { Session } from "../common.js";
import { whileOptimisingLate } from "../engine.js";
import type { Source } from "../../lib/ptx/tree.js";
import { HostError, type Host } from "../host.js";
import { libdeviceSuggester } from "../libdevice.js";
import { linkerFields } from "../link-options.js";
import { sectionOrderOptions, symbolOrderOptions } from "../order-options.js";
import type { PlacedInput } from "../placed-inputs.js";
import { warningOptions } from "../warnings.js";
import type { AssembledMembers } from "../assembled-members.js";
import type { Timeline } from "./link-observe.js";
import { holding, readFiles, type HeldFiles } from "./link-files.js";
import { plainLiveOptions, type LiveFindings } from "./link-live.js";
import type { LinkCommandOptions, NamedLink, ToldLink } from "./link-context.js";

export interface PlainLink {
  /** The host, with what was read from it but texts, and those. */
  readonly host: Host;
  readonly assembled: ReadonlyMap<string, Assembled>;
  readonly inside?: AssembledMembers;
  /** Undefined where the link is not plain. */
  readonly linked: NamedLink | undefined;
}

/** `timeline`: of a plain link, from its beginning. */
export async function linkPlainly(
  placed: readonly PlacedInput[],
  options: LinkCommandOptions,
  session: Session,
  timeline: Timeline | undefined,
): Promise<PlainLink> {
  const { host } = session;
  const { objects, hasOthers, ...files } = await readFiles(placed, options, session);
  if (objects === undefined) return { host: holding(host, files), assembled: files.assembled, linked: undefined };
  const context: PlainContext = { host, files, readOrder: () => readOrder(options, host, files.read), timeline };
  const linked = hasOthers
    ? await (await import("./link-selected.js")).linkSelected(placed, options, session, context)
    : await linkNamed(objects, options, context);
  return { host: holding(host, files), assembled: files.assembled, inside: files.inside, linked };
}

/** What a plain link goes on with. */
export interface PlainContext {
  readonly host: Host;
  readonly files: HeldFiles;
  /** What orders of sections and symbols ask; undefined where that cannot be read. */
  readonly readOrder: () => DataOrder | undefined;
  readonly timeline: Timeline | undefined;
}

async function linkNamed(
  objects: ReadonlyMap<string, PlainInput>,
  options: LinkCommandOptions,
  { host, files: { assembled }, readOrder, timeline }: PlainContext,
): Promise<NamedLink | undefined> {
  if (objects.size === 0) return undefined;
  timeline?.lap("open inputs");
  const order = readOrder();
  if (order === undefined) return undefined;
  const names = [...objects.keys()];
  const live: LiveFindings = {};
  const suggestElsewhere = libdeviceSuggester(host);
  const given = { suggestElsewhere, ...(await linkerOptions(options, names, live, timeline)), ...order };
  const told = await linkAndTell([...objects.values()], names, given, options);
  const found = [...assembled.values()].flatMap(({ diagnostics }) => diagnostics);
  return told && { ...told, found: [...found, ...told.found], names, live, extractions: [] };
}

/** What the plain linker is to heed besides orders; `names`: of the files. */
export const linkerOptions = async (
  options: LinkCommandOptions,
  names: readonly string[],
  live: LiveFindings,
  timeline: Timeline | undefined,
): Promise<PlainOptions> => ({
  ...(await plainOptions(options, timeline)),
  ...(await plainLiveOptions(options, names, live)),
  defineNames: (tables) => definePlain(tables, names, options.defsym ?? []),
  hasDefinitions: options.defsym !== undefined,
});

/** Links, and collects the diagnostics. Undefined if the fast path does not support the link. */
export async function linkAndTell(
  files: readonly PlainInput[],
  names: readonly string[],
  given: PlainOptions,
  { W = [] }: LinkCommandOptions,
): Promise<ToldLink | undefined> {
  const named = whileOptimisingLate(() => unlessNotPlain(() => settlePlain(files, given)));
  if (named === undefined) return undefined;
  const sink = createSink(warningOptions(W));
  if (isRemarkable(named.remarks)) {
    const { tellPlain } = await import("../../lib/link/plain/tell/tell.js");
    tellPlain(named, names, given, sink);
  }
  if (sink.errorCount > 0) return { named, linked: undefined, found: sink.all };
  const linked = whileOptimisingLate(() => unlessNotPlain(() => finishPlain(named, given)));
  if (linked === undefined) return undefined;
  if (!isExcess(linked)) {
    if (linked.hasUnknownStacks === true) await tellStacks(linked, names, sink);
    return { named, linked: sink.errorCount > 0 ? undefined : linked, found: sink.all };
  }
  const { tellPlainLimits } = await import("../../lib/link/plain/tell/tell-limits.js");
  tellPlainLimits(linked, names, given, sink);
  return { named, linked: undefined, found: sink.all };
}

async function tellStacks({ settled }: PlainLinked, names: readonly string[], sink: DiagnosticSink): Promise<void> {
  const { viewLinked } = await import("../../lib/link/plain/tell/view.js");
  const { reportUnknownStacks } = await import("../../lib/link/reports/unknown-stack.js");
  if (settled.kept !== undefined) reportUnknownStacks(viewLinked(settled.kept, names, ""), sink);
}

/** Undefined where it cannot be read, which is reported elsewhere. */
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

/** What the plain linker is to heed besides --gc-sections and an order of symbols. */
async function plainOptions(options: LinkCommandOptions, timeline: Timeline | undefined): Promise<PlainOptions> {
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
