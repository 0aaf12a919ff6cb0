// Types that the parts of ptxkit link share: the context and the result of a link.

import type { Assembled } from "../assembly/assembler-batch.js";
import type { Session } from "../options/common.js";
import type { Host } from "../files/host.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import type { Extraction } from "../../lib/link/archives/select-archive.js";
import type { AssembledMembers } from "../assembly/assembled-members.js";
import type { DataOrder } from "../../lib/link/layout/data-order.js";
import type { CachedFiles } from "./link-files.js";
import type { LiveFindings } from "./link-live.js";
import type { ObservedHost, Timeline } from "./link-observe.js";
import type { LinkOutput, ResolvedLink } from "../../lib/link/state/results.js";

/** A link with its diagnostics. */
export interface LinkResult {
  readonly named: ResolvedLink;
  /** Undefined after an error. */
  readonly linked: LinkOutput | undefined;
  readonly found: readonly Diagnostic[];
}

/** A link with the names of its files, the members that archives contributed, and the results of --gc-sections. */
export interface NamedLink extends LinkResult {
  readonly names: readonly string[];
  readonly extractions: readonly Extraction[];
  readonly live: LiveFindings;
}

/** The context of a link. */
export interface LinkContext {
  readonly host: Host;
  /** `host`, recording what is read. */
  readonly observed: ObservedHost;
  /** Files that are read, which no output may overwrite. */
  readonly kept: readonly string[];
  readonly session: Session;
  /** Assembled texts, by file name. */
  readonly assembled: ReadonlyMap<string, Assembled>;
  /** Assembled texts in archives. */
  readonly inside?: AssembledMembers;
  /** Present after a fast link whose diagnostics are not reported yet. */
  readonly linked?: NamedLink;
  readonly timeline?: Timeline;
}

/** The context of the fast path after the files are read. */
export interface FastLinkContext {
  readonly host: Host;
  readonly files: CachedFiles;
  /** The requested order of sections and symbols; undefined if a file of it cannot be read. */
  readonly readOrder: () => DataOrder | undefined;
  readonly timeline: Timeline | undefined;
}
