// ptxkit link: objects and PTX modules to an image.

import type { Assembled } from "../assembler-batch.js";
import { inSession, type CommonOptions, type Session } from "../common.js";
import type { Host } from "../host.js";
import type { NameOptions } from "../name-options.js";
import type { LibraryOptions, PlacedInput } from "../placed-inputs.js";
import type { CommandLine } from "../response-file.js";
import type { Status } from "../status.js";
import type { ExplainOptions } from "./link-explain.js";
import type { LiveOptions } from "./link-live.js";
import { observe, type ObservedHost, type ObserveOptions } from "./link-observe.js";
import { linkPlainly } from "./link-plain.js";
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
    const plain = await linkPlainly(files, options, session);
    if (plain.kind === "done") return plain.status;
    // What it needs is loaded for who needs it.
    const { linkOrdinarily } = await import("./link-ordinary.js");
    const { assembled } = plain;
    return linkOrdinarily(files, options, line, {
      host,
      observed,
      session: { ...session, host: plain.host },
      assembled,
    });
  });
}
