// ptxkit link: objects and PTX modules to an image.

import type { Assembled } from "../assembler-batch.js";
import { inSession, type CommonOptions, type Session } from "../common.js";
import type { Host } from "../host.js";
import type { NameOptions } from "../name-options.js";
import type { LibraryOptions, PlacedInput } from "../placed-inputs.js";
import type { CommandLine } from "../response-file.js";
import { status, type Status } from "../status.js";
import type { ExplainOptions } from "./link-explain.js";
import type { LiveOptions } from "./link-live.js";
import { observe, startTimeline, type ObservedHost, type ObserveOptions, type Timeline } from "./link-observe.js";
import { asksForImageOnly, linkPlainly, type NamedLink } from "./link-plain.js";
import type { SelectionOptions } from "./link-selection.js";

export interface LinkCommandOptions
  extends CommonOptions, LibraryOptions, LiveOptions, NameOptions, SelectionOptions, ExplainOptions, ObserveOptions {
  readonly output: string;
  readonly arch?: string;
  readonly emit: "elf" | "ptx";
  readonly json?: boolean;
  readonly relocatable?: boolean;
  readonly buildId?: boolean;
  readonly detectOdrViolations?: boolean;
  readonly jobs?: number;
}

/** What a link works with. */
export interface LinkContext {
  readonly host: Host;
  /** The same, looked on at. */
  readonly observed: ObservedHost;
  readonly session: Session;
  /** Texts that are assembled, by file. */
  readonly assembled: ReadonlyMap<string, Assembled>;
  /** Present where the link was plain. */
  readonly linked?: NamedLink;
  readonly timeline?: Timeline;
}

/** Threads, unless -j says otherwise: on a machine of many cores others work, too. */
const MOST_JOBS = 8;

/** `line`: what stands behind "link". */
export function link(
  files: readonly PlacedInput[],
  given: LinkCommandOptions,
  line: CommandLine,
  host: Host,
): Promise<Status> {
  const options = { ...given, jobs: given.jobs ?? Math.min(host.threads.available(), MOST_JOBS) };
  const observed = observe(host, options);
  return inSession(observed.host, options, async (session) => {
    const timeline = options.timeTrace === undefined ? undefined : startTimeline(observed);
    const { linked, assembled, host: holding } = await linkPlainly(files, options, session, timeline);
    if (linked !== undefined && asksForImageOnly(options)) {
      observed.host.write(options.output, linked.image);
      return status.done;
    }
    if (linked === undefined) timeline?.forget();
    // What it needs is loaded for who needs it.
    const { linkFully } = await import("./link-ordinary.js");
    return linkFully(files, options, line, {
      host,
      observed,
      session: { ...session, host: holding },
      assembled,
      ...(linked && { linked }),
      ...(timeline && { timeline }),
    });
  });
}
