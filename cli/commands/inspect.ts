// ptxkit inspect: what is in a file.

import { crossCheck } from "../../formats/elf/elfy-witness.js";
import { inspectFile, VIEWS, type Inspection, type ViewName } from "../../lib/inspect/inspect.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { openSession, writeDiagnostics, type CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import { status, UsageError, type Status } from "../status.js";
import { version } from "../version.js";

export interface InspectOptions extends CommonOptions, Partial<Readonly<Record<ViewName, boolean>>> {
  readonly json?: boolean;
  readonly crossCheck?: boolean;
}

export function inspect(file: string, options: InspectOptions, host: Host): Status {
  const session = openSession(host, options);
  const bytes = host.read(file);
  session.sources.set(file, bytes);
  const views = VIEWS.filter((view) => options[view] === true);
  const witness = options.crossCheck === true ? { witness: crossCheck } : {};
  const result = inspectFile({ name: file, bytes }, { views, ...witness }, session.sink);
  if (result.kind === "unsupported") throw new UsageError(result.reason);
  if (result.kind === "inspected") {
    const { inspection } = result;
    const style = session.outColor ? ansiStyler : plainStyler;
    host.out(
      options.json === true ? jsonText(inspection) : renderInspection(inspection, { width: host.outColumns, style }),
    );
  }
  writeDiagnostics(session, options);
  return session.sink.errorCount > 0 ? status.wrongInput : status.done;
}

function jsonText(inspection: Inspection): string {
  return `${JSON.stringify({ ptxkit: { version: version() }, ...inspection }, undefined, 2)}\n`;
}
