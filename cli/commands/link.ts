// ptxkit link: objects and PTX modules to an image.

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
}

/** `line`: what stands behind "link". */
export function link(
  files: readonly PlacedInput[],
  options: LinkCommandOptions,
  line: CommandLine,
  host: Host,
): Promise<Status> {
  const observed = observe(host, options);
  return inSession(observed.host, options, async (session) => {
    const plain = linkPlainly(files, options, session);
    if (plain.kind === "done") return plain.status;
    // What it needs is loaded for who needs it.
    const { linkOrdinarily } = await import("./link-ordinary.js");
    return linkOrdinarily(files, options, line, { host, observed, session: { ...session, host: plain.host } });
  });
}
