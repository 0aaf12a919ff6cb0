// A link on the fast path (link-fast.ts) of files that contain others: the needed members of archives, and from fatbins and host
// objects the texts for the target. Members are selected as files or packed objects, without decoding them. If that is not
// possible, or an input is wrong, link-ordinary.ts reads the inputs in detail and reports the errors.

import { createSink } from "../../lib/diag/sink.js";
import { inputPacker } from "../../lib/link/inputs/packed-input.js";
import { ifSupportedAsync } from "../../lib/object/columns/cursor.js";
import type { LinkInput } from "../../lib/object/columns/packed/packed-object.js";
import type { Source } from "../../lib/ptx/source-text.js";
import type { Session } from "../options/common.js";
import type { Host } from "../files/host.js";
import { inputFacts, readInputs, type LinkInputs } from "../inputs/link-inputs.js";
import { withNvvmPlan } from "../run/nvvm-plan.js";
import type { PlacedInput } from "../inputs/placed-inputs.js";
import { warningOptions } from "../options/warnings.js";
import type { FastLinkContext, NamedLink } from "./link-context.js";
import type { LiveFindings } from "./link-live.js";
import { withCachedFiles, type CachedFiles } from "./link-files.js";
import { linkAndReport, linkerOptions } from "./link-passes.js";
import type { LinkCommandOptions } from "../options/link-options.js";

/** Undefined if the fast path does not support the link. */
export async function linkSelected(
  placed: readonly PlacedInput[],
  options: LinkCommandOptions,
  given: Session,
  { files: cached, readOrder, timeline }: FastLinkContext,
): Promise<NamedLink | undefined> {
  const sink = createSink(warningOptions(options.W ?? []));
  const session: Session = { ...given, host: cachingHost(given.host, cached), sink, unread: [] };
  const { assembled, inside } = cached;
  const planned = withNvvmPlan(options, placed, given.host);
  const reading = readInputs(placed, session, planned, { assembled, inside, asFiles: true, pack: inputPacker() });
  const selected = await ifSupportedAsync(reading);
  const files = selected && filesOf(selected);
  if (files === undefined || sink.errorCount > 0 || session.unread.length > 0) return undefined;
  timeline?.lap("open inputs");
  const order = readOrder();
  if (order === undefined) return undefined;
  const { names, extractions } = selected!;
  const live: LiveFindings = {};
  const asked = { ...inputFacts(selected!), ...(await linkerOptions(options, names, live, timeline)), ...order };
  const result = await linkAndReport(files, names, asked, options);
  return result && { ...result, found: [...sink.all, ...result.found], names, live, extractions };
}

/** A host that caches files that later steps may read again. */
function cachingHost(host: Host, { read, members }: CachedFiles): Host {
  const own = withCachedFiles(host, { read: new Map(read), members: new Map() });
  const cacheRead =
    <T>(cached: Map<string, T>, readNow: (file: string) => T) =>
    (file: string): T => {
      const found = readNow(file);
      if (!cached.has(file)) cached.set(file, found);
      return found;
    };
  const release = (text: Source): void => {
    // A later step reads it again.
    read.delete(text.name);
    own.release(text);
  };
  const readWhole = (file: string): Uint8Array => {
    const bytes = own.read(file);
    if (!read.has(file)) read.set(file, { name: file, bytes });
    return bytes;
  };
  return {
    ...own,
    read: readWhole,
    readInput: cacheRead(read, own.readInput),
    readRegular: cacheRead(members, own.readRegular),
    release,
  };
}

/** The inputs as files or packed objects; undefined unless all are. */
function filesOf({ inputs }: LinkInputs): readonly LinkInput[] | undefined {
  const files = inputs.flatMap((input) => (input.kind === "object" ? (input.linkInput ?? []) : []));
  return files.length === 0 || files.length < inputs.length ? undefined : files;
}
