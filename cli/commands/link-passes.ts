// Runs the passes of lib/link/link.ts on the files of a link, and reports diagnostics in between.

import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { defineSymbols } from "../../lib/link/defsym/define.js";
import { hasDiagnostics } from "../../lib/link/detect/detect.js";
import { finishLink, resolveLink } from "../../lib/link/link.js";
import type { PassOptions } from "../../lib/link/state/options.js";
import { type LinkOutput, exceedsLimits } from "../../lib/link/state/results.js";
import { ifSupported } from "../../lib/object/columns/cursor.js";
import type { LinkInput } from "../../lib/object/columns/packed/packed-object.js";
import { withDelayedOptimisation } from "../base/engine.js";
import { linkerFields, type LinkCommandOptions } from "../options/link-options.js";
import { sectionOrderOptions } from "../options/order-options.js";
import { warningOptions } from "../options/warnings.js";
import type { LinkResult } from "./link-context.js";
import { liveGcOptions, type LiveFindings } from "./link-live.js";
import type { Timeline } from "./link-observe.js";

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
  const named = withDelayedOptimisation(() => ifSupported(() => resolveLink(files, given)));
  if (named === undefined) return undefined;
  const sink = createSink(warningOptions(W));
  if (hasDiagnostics(named.pending)) {
    const { reportDiagnostics } = await import("../../lib/link/diagnostics/report.js");
    reportDiagnostics(named, names, given, sink);
  }
  if (sink.errorCount > 0) return { named, linked: undefined, found: sink.all };
  const linked = withDelayedOptimisation(() => ifSupported(() => finishLink(named, given)));
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

/** The options of the passes except those for --gc-sections and an order of symbols. */
async function passOptions(options: LinkCommandOptions, timeline: Timeline | undefined): Promise<PassOptions> {
  const { maxImageSize, buildId, relocatable } = options;
  const isLenient = options.unresolvedSymbols !== undefined || options.ignoreUnresolvedSymbol !== undefined;
  return {
    ...linkerFields(options),
    ...(isLenient ? (await import("../options/unresolved-names.js")).unresolvedOptions(options) : {}),
    ...sectionOrderOptions(options),
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
    ...(relocatable === undefined ? {} : { relocatable }),
    asText: options.emit === "ptx",
    ...(options.ptxVersion === undefined ? {} : { ptxVersion: options.ptxVersion }),
    ...(buildId === true ? { identify: (await import("../../lib/object/file/build-id.js")).buildIdOf } : {}),
    ...(timeline === undefined ? {} : { onPass: (pass: string) => timeline.lap(pass) }),
  };
}
