// What the parts of ptxkit link are given: its options, and what it works with.

import type { Assembled } from "../assembler-batch.js";
import type { CommonOptions, Session } from "../common.js";
import type { Host } from "../host.js";
import type { GivenOptions } from "../link-options.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import type { Extraction } from "../../lib/link/archives/select-archive.js";
import type { AssembledMembers } from "../assembled-members.js";
import type { LiveFindings } from "./link-live.js";
import type { ObservedHost, Timeline } from "./link-observe.js";
import type { LinkOutput, ResolvedLink } from "../../lib/link/state/results.js";

export type LinkCommandOptions = CommonOptions & GivenOptions & Required<Pick<GivenOptions, "emit" | "output">>;

/** A link with its diagnostics. */
export interface LinkResult {
  readonly named: ResolvedLink;
  /** Undefined after an error. */
  readonly linked: LinkOutput | undefined;
  readonly found: readonly Diagnostic[];
}

/** The same with the names of its files, those that archives gave, and what was asked of --gc-sections. */
export interface NamedLink extends LinkResult {
  readonly names: readonly string[];
  readonly extractions: readonly Extraction[];
  readonly live: LiveFindings;
}

/** The context of a link. */
export interface LinkContext {
  readonly host: Host;
  /** The same, looked on at. */
  readonly observed: ObservedHost;
  /** Files that are read, over which nothing is written. */
  readonly kept: readonly string[];
  readonly session: Session;
  /** Texts that are assembled, by file. */
  readonly assembled: ReadonlyMap<string, Assembled>;
  /** The same of texts in archives. */
  readonly inside?: AssembledMembers;
  /** Present after a fast link whose diagnostics are not reported yet. */
  readonly linked?: NamedLink;
  readonly timeline?: Timeline;
}
