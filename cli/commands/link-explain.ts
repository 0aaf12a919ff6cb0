// The options of ptxkit link that explain the result: --map, --trace-symbol, --cref, --print-memory-usage, --print-symbol-counts,
// --time-trace. The linker reports its resolved symbols through callbacks; everything else is computed and loaded only on demand.

import type { RemovedSymbol } from "../../lib/link/gc/collect-options.js";
import type { LinkOptions } from "../../lib/link/options.js";
import type { Linked, LinkedNames } from "../../lib/link/model/linked.js";
import type { LinkMapRows } from "../../lib/link/reports/map.js";
import type { PartialLink } from "../../lib/link/model/relocatable.js";
import type { ObjectMapRows } from "../../lib/link/reports/object-map.js";
import type { LinkDocument, Streamed } from "../../lib/report/link-json.js";
import type { Host } from "../files/host.js";
import { writtenFiles, type GivenOptions } from "../options/link-options.js";
import { placeOf } from "../files/outputs.js";
import { UsageError } from "../base/status.js";
import { chunksOf, concat } from "../files/stream.js";

/** The linker's results for the requested reports. */
export interface ExplainFindings {
  resolved?: LinkedNames;
  linked?: Linked;
  partialLink?: PartialLink;
  removed?: Iterable<RemovedSymbol>;
}

/** Throws UsageError if two outputs are the same file, both go to standard output, or one lies below the other. */
export function checkWrittenFiles(options: GivenOptions, host: Host): void {
  const byFile = new Map<string, string>();
  for (const [flag, file] of writtenFiles(options)) {
    const place = placeOf(file, host);
    const other = byFile.get(place);
    if (other !== undefined)
      throw new UsageError(
        `${other} and ${flag} cannot both be written to ${place === "-" ? "standard output" : file}`,
        "name another file for one of them",
      );
    byFile.set(place, flag);
  }
  if (options.saveRepro === undefined) return;
  const folder = placeOf(options.saveRepro, host);
  for (const [place, flag] of byFile)
    if (folder.startsWith(`${place}/`))
      throw new UsageError(
        `${flag} cannot be written to a folder that --save-repro ${options.saveRepro} needs`,
        "name a file elsewhere",
      );
}

/** Whether an option needs the map. */
const wantsMap = ({ map, printMemoryUsage, printSymbolCounts }: GivenOptions): boolean =>
  map !== undefined || printMemoryUsage === true || printSymbolCounts !== undefined;

/** Whether an option reports on the linked image. */
export const wantsLinked = (options: GivenOptions): boolean => wantsMap(options) || options.printCallGraph === true;

/** Whether an option reports on names. */
export const wantsNames = ({ traceSymbol, cref = false, printDependencies = false }: GivenOptions): boolean =>
  traceSymbol !== undefined || cref || printDependencies;

/** Adds callbacks to the linker's options that store its results in `findings`. */
export function explainOptions(options: GivenOptions, findings: ExplainFindings, given: LinkOptions): LinkOptions {
  return {
    ...given,
    ...(wantsNames(options) ? { onResolved: (names) => (findings.resolved = names) } : {}),
    ...(wantsLinked(options)
      ? {
          onLinked: (linked) => (findings.linked = linked),
          onPartialLink: (partialLink) => (findings.partialLink = partialLink),
          onRemoved: (removed) => {
            findings.removed = removed;
            given.onRemoved?.(removed);
          },
        }
      : {}),
  };
}

/** Reports for standard output: text in parts, which can be read once, and members of the JSON document, by key. */
export interface Explanations {
  readonly text: Iterable<string>;
  readonly json: Streamed<LinkDocument>;
}

/** Reports on names even if the link has failed; the other reports need an image. Writes their files. */
export async function explain(
  options: GivenOptions,
  findings: ExplainFindings,
  isRight: boolean,
  host: Host,
): Promise<Explanations> {
  const names = await explainNames(options, findings);
  if (isRight && findings.partialLink !== undefined)
    await explainObjectMap(options, findings.partialLink, findings.removed, host);
  const linked = isRight ? findings.linked : undefined;
  if (linked === undefined) return names;
  const image = [await explainMap(options, linked, findings.removed, host), await explainCalls(options, linked)];
  return {
    text: concat(names.text, ...image.map(({ text }) => text)),
    json: Object.assign({}, names.json, ...image.map(({ json }) => json)) as Streamed<LinkDocument>,
  };
}

const nothing: Explanations = { text: [], json: {} };

async function explainMap(
  options: GivenOptions,
  linked: Linked,
  removed: Iterable<RemovedSymbol> | undefined,
  host: Host,
): Promise<Explanations> {
  if (!wantsMap(options)) return nothing;
  const { mapRows } = await import("../../lib/link/reports/map.js");
  const map = mapRows(linked, removed);
  await writeMap(options, map, host);
  await writeSymbolCounts(options, map, host);
  if (options.printMemoryUsage !== true) return nothing;
  const { memoryUsage } = await import("../../lib/link/reports/memory-usage.js");
  const { memoryUsageText } = await import("../../lib/report/map-text.js");
  return { text: memoryUsageText(map), json: { memory: memoryUsage(map) } };
}

/** For -r and --emit ptx: an object has no map of an image (link-output.ts). */
async function explainObjectMap(
  options: GivenOptions,
  partialLink: PartialLink,
  removed: Iterable<RemovedSymbol> | undefined,
  host: Host,
): Promise<void> {
  const { objectMapRows } = await import("../../lib/link/reports/object-map.js");
  const map = objectMapRows(partialLink, removed);
  await writeMap(options, map, host);
  await writeSymbolCounts(options, map, host);
}

async function writeSymbolCounts(
  { printSymbolCounts: file }: GivenOptions,
  map: LinkMapRows | ObjectMapRows,
  host: Host,
): Promise<void> {
  if (file === undefined) return;
  const { symbolCountsText } = await import("../../lib/report/symbol-counts-text.js");
  host.write(file, symbolCountsText(map));
}

async function explainCalls({ printCallGraph }: GivenOptions, linked: Linked): Promise<Explanations> {
  if (printCallGraph !== true) return nothing;
  const { findCallGraph } = await import("../../lib/link/reports/call-chains.js");
  const { callGraphText } = await import("../../lib/report/call-graph-text.js");
  const callGraph = findCallGraph(linked);
  return { text: callGraphText(callGraph), json: { callGraph } };
}

async function explainNames(options: GivenOptions, { resolved }: ExplainFindings): Promise<Explanations> {
  if (resolved === undefined) return nothing;
  const { traceSymbols } = await import("../../lib/link/reports/trace-symbol.js");
  const { crossReferences } = await import("../../lib/link/reports/cross-reference.js");
  const { crossReferenceText, tracesText } = await import("../../lib/report/cross-reference-text.js");
  const traces = options.traceSymbol && traceSymbols(resolved, options.traceSymbol);
  const table = options.cref === true ? crossReferences(resolved) : undefined;
  const uses = await explainDependencies(options, resolved);
  return {
    text: concat(traces ? tracesText(traces) : [], table ? crossReferenceText(table) : [], uses.text),
    json: { ...(traces && { traceSymbol: traces }), ...(table && { crossReferences: table }), ...uses.json },
  };
}

async function explainDependencies({ printDependencies }: GivenOptions, resolved: LinkedNames): Promise<Explanations> {
  if (printDependencies !== true) return nothing;
  const { findDependencies } = await import("../../lib/link/reports/dependencies.js");
  const { dependenciesText } = await import("../../lib/report/selection-text.js");
  const dependencies = findDependencies(resolved);
  return { text: dependenciesText(dependencies), json: { dependencies } };
}

async function writeMap(
  { map: file, mapFormat }: GivenOptions,
  map: LinkMapRows | ObjectMapRows,
  host: Host,
): Promise<void> {
  if (file === undefined) return;
  const isJson = mapFormat === undefined ? file.endsWith(".json") : mapFormat === "json";
  const text = isJson
    ? concat((await import("../../lib/report/json-parts.js")).jsonParts(map), ["\n"])
    : map.format === "ptxkit-map"
      ? (await import("../../lib/report/map-text.js")).mapText(map)
      : (await import("../../lib/report/object-map-text.js")).objectMapText(map);
  host.write(file, chunksOf(text));
}
