// ptxkit diff: how two builds of a file differ, by kernel, data and relocation.

import { diffSnapshots, type DiffPart, type Ratchet } from "../../lib/inspect/compare/diff.js";
import { readRatchet } from "../../lib/inspect/compare/ratchet.js";
import { snapshotsOf, type ImageSnapshot } from "../../lib/inspect/compare/snapshot.js";
import { diffText } from "../../lib/report/diff-text.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { inSession, type CommonOptions, type Session } from "../options/common.js";
import type { Host } from "../files/host.js";
import { memberReader } from "../inputs/inputs.js";
import { readSelected } from "../inputs/selected.js";
import { status, type Status } from "../base/status.js";
import { version } from "../version.js";

export interface DiffOptions extends CommonOptions {
  readonly json?: boolean;
  readonly ignore?: readonly DiffPart[];
  readonly ratchet?: string;
}

/**
 * Status 0: no differences, or none beyond the ratchet; 1: differences; 2: a file cannot be read, or contains nothing to compare.
 */
export function diff(before: string, after: string, options: DiffOptions, host: Host): Promise<Status> {
  return inSession(host, options, (session) => {
    const ratchet = ratchetOf(options.ratchet, session);
    const files = [before, after].map((file) => snapshots(file, session));
    const [a, b] = files;
    // Status 1 means that the files differ.
    if (a === undefined || b === undefined || session.sink.errorCount > 0) return status.usage;
    const { ignore = [] } = options;
    const found = diffSnapshots(a, b, { ignore, ...(ratchet && { ratchet }) });
    const style = session.outColor ? ansiStyler : plainStyler;
    const ptxkit = { version: version() };
    host.out(
      options.json === true
        ? `${JSON.stringify({ ptxkit, before, after, ...found }, undefined, 2)}\n`
        : diffText(found, { width: host.outColumns, style }),
    );
    return (ratchet === undefined ? found.count : found.broken) === 0 ? status.done : status.wrongInput;
  });
}

function snapshots(file: string, session: Session): readonly ImageSnapshot[] | undefined {
  const source = readSelected(file, session);
  if (source === undefined) return undefined;
  const found = snapshotsOf(source, session.sink, memberReader(session));
  if (found.length === 0 && session.sink.errorCount === 0)
    session.sink.report("unknown-format", `${file} holds neither PTX nor machine code of a GPU`, {
      kind: "bytes",
      file,
      offset: 0,
    });
  return found;
}

function ratchetOf(file: string | undefined, { host, sink, sources }: Session): Ratchet | undefined {
  if (file === undefined) return undefined;
  const bytes = host.read(file);
  sources.set(file, bytes);
  return readRatchet(file, new TextDecoder().decode(bytes), sink);
}
