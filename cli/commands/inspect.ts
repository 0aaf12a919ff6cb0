// ptxkit inspect: what is in a file.

import path from "node:path";
import type { crossCheck } from "../../formats/elf/elfy-witness.js";
import { NotYet } from "../../lib/base/not-yet.js";
import { extractInside } from "../../lib/inspect/extract.js";
import { inspectFile, VIEWS, type Inspection, type ViewName } from "../../lib/inspect/inspect.js";
import type { Source } from "../../lib/ptx/tree.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { inSession, type CommonOptions, type Session } from "../common.js";
import type { Host } from "../host.js";
import { memberReader } from "../inputs.js";
import { openOutputs } from "../outputs.js";
import { readSelected } from "../selected.js";
import { status, type Status } from "../status.js";
import { version } from "../version.js";

export interface InspectOptions extends CommonOptions, Partial<Readonly<Record<ViewName, boolean>>> {
  readonly json?: boolean;
  readonly crossCheck?: boolean;
  readonly verify?: boolean;
  /** From outside to inside. */
  readonly entry?: readonly string[];
  readonly extract?: string;
}

export function inspect(file: string, options: InspectOptions, host: Host): Promise<Status> {
  return inSession(host, options, async (session) => {
    const views = VIEWS.filter((view) => options[view] === true);
    const source = readSelected(file, session, options.entry);
    if (source === undefined) return status.wrongInput;
    if (options.extract !== undefined) return extractTo(options.extract, source, session);
    const witness = options.crossCheck === true || options.verify === true ? { witness: await elfyWitness() } : {};
    const how = { views, verify: options.verify === true, readFile: memberReader(session), ...witness };
    const result = inspectFile(source, how, session.sink);
    if (result.kind === "unsupported") throw new NotYet(result.reason, result.remedy);
    if (result.kind === "inspected") {
      const { inspection } = result;
      const style = session.outColor ? ansiStyler : plainStyler;
      host.out(
        options.json === true ? jsonText(inspection) : renderInspection(inspection, { width: host.outColumns, style }),
      );
    }
    return status.done;
  });
}

/** Writes the PTX and the machine code in a file, and says what was written: all of it, or where some is damaged nothing. */
function extractTo(folder: string, source: Source, session: Session): Status {
  const { host, sink } = session;
  const said: string[] = [];
  let count = 0;
  const outputs = openOutputs(host);
  try {
    for (const { name, bytes } of extractInside(source, sink, memberReader(session))) {
      const file = path.join(folder, name);
      said.push(
        `${file}: ${bytes === undefined ? "not written, only NVIDIA's tools read it" : `${bytes.length} bytes`}\n`,
      );
      if (bytes === undefined) continue;
      if (count++ === 0) outputs.host.makeFolder(folder);
      outputs.host.write(file, bytes);
    }
    if (sink.errorCount > 0) return status.wrongInput;
    outputs.commit();
  } finally {
    outputs.discard();
  }
  host.out(said.join(""));
  if (count === 0)
    sink.report("no-such-member", `there is neither PTX nor machine code inside ${source.name}`, {
      kind: "file",
      file: source.name,
    });
  return status.done;
}

/** Loaded only when asked for: it brings a package of its own. */
async function elfyWitness(): Promise<typeof crossCheck> {
  return (await import("../../formats/elf/elfy-witness.js")).crossCheck;
}

function jsonText(inspection: Inspection): string {
  return `${JSON.stringify({ ptxkit: { version: version() }, ...inspection }, undefined, 2)}\n`;
}
