// The fast path of ptxkit link. Sources are assembled and packed, the needed members of archives and containers are extracted
// (link-selected.ts), and link-passes.ts makes the output. If it does not support the link, link-ordinary.ts continues with the
// inputs that were read and assembled.

import type { DataOrder } from "../../lib/link/layout/data-order.js";
import type { LinkInput } from "../../lib/object/columns/packed/packed-object.js";
import type { Source } from "../../lib/ptx/source-text.js";
import type { AssembledMembers } from "../assembly/assembled-members.js";
import type { Assembled } from "../assembly/assembler-batch.js";
import type { Session } from "../options/common.js";
import { HostError, type Host } from "../files/host.js";
import { libdeviceSuggester } from "../inputs/libdevice.js";
import { symbolOrderOptions } from "../options/order-options.js";
import type { PlacedInput } from "../inputs/placed-inputs.js";
import type { FastLinkContext, NamedLink } from "./link-context.js";
import { readFiles, withCachedFiles } from "./link-files.js";
import type { LiveFindings } from "./link-live.js";
import type { Timeline } from "./link-observe.js";
import { linkAndReport, linkerOptions } from "./link-passes.js";
import type { LinkCommandOptions } from "../options/link-options.js";

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
  if (objects === undefined)
    return { host: withCachedFiles(host, files), assembled: files.assembled, linked: undefined };
  const context: FastLinkContext = { host, files, readOrder: () => readOrder(options, host, files.read), timeline };
  const linked = hasOthers
    ? await (await import("./link-selected.js")).linkSelected(placed, options, session, context)
    : await linkNamed(objects, options, context);
  return { host: withCachedFiles(host, files), assembled: files.assembled, inside: files.inside, linked };
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
  const result = await linkAndReport([...objects.values()], names, given, options);
  const found = [...assembled.values()].flatMap(({ diagnostics }) => diagnostics);
  return result && { ...result, found: [...found, ...result.found], names, live, extractions: [] };
}

/** The requested order of symbols; undefined if its file cannot be read, which is reported elsewhere. */
function readOrder(options: LinkCommandOptions, host: Host, read: Map<string, Source>): DataOrder | undefined {
  const readFile = (file: string): Uint8Array => {
    const bytes = host.read(file);
    read.set(file, { name: file, bytes });
    return bytes;
  };
  try {
    return symbolOrderOptions(options, { read: readFile });
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}
